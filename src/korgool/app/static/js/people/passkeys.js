// @ts-check
/** Passkeys: open an account with one, sign in with one, show one again, or add one. The forms appear where the browser knows passkeys. */

const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/** A refusal of the server, with the reason for the reader. */
class Refusal extends Error {}

/** @param {string} text base64url */
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

/** @param {ArrayBuffer} buffer */
const base64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** @param {string} path @param {object} [body] */
async function postJson(path, body = {}) {
  const answer = await fetch(`/api/account${path}`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", "x-csrftoken": token },
    body: JSON.stringify(body),
  });
  const reply = await answer.json();
  if (!answer.ok) throw new Refusal(reply.detail);
  return reply;
}

/** Ask the device for a passkey. @param {{challenge: string, allowCredentials?: {id: string}[]}} options */
async function shown(options) {
  const publicKey = /** @type {any} */ ({
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: withBytes(options.allowCredentials),
  });
  const found = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey }));
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    /** @type {AuthenticatorAssertionResponse} */ (found.response);
  const response = {
    clientDataJSON: base64url(clientDataJSON),
    authenticatorData: base64url(authenticatorData),
    signature: base64url(signature),
    userHandle: userHandle && base64url(userHandle),
  };
  return { id: found.id, response };
}

/** Let the device make a passkey. @param {{challenge: string, user: {id: string}, excludeCredentials?: {id: string}[]}} options */
async function createCredential(options) {
  const publicKey = /** @type {any} */ ({
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: withBytes(options.excludeCredentials),
  });
  const found = /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey }));
  const { clientDataJSON, attestationObject } = /** @type {AuthenticatorAttestationResponse} */ (found.response);
  const response = { clientDataJSON: base64url(clientDataJSON), attestationObject: base64url(attestationObject) };
  return { id: found.id, response };
}

/** @param {{id: string}[]} [credentials] */
const withBytes = (credentials = []) => credentials.map((one) => ({ ...one, id: bytes(one.id) }));

/** @param {FormData} form */
async function signIn(form) {
  const { id, options } = await postJson("/session/passkey/begin");
  const move = document.querySelector("input[name=move]:checked") !== null;
  await postJson("/session/passkey", { ceremony: id, credential: await shown(options), move });
  location.assign(String(form.get("next")));
}

/** @param {FormData} form */
async function prove(form) {
  const { id, options } = await postJson("/proof/passkey/begin");
  await postJson("/proof/passkey", { ceremony: id, credential: await shown(options) });
  location.assign(String(form.get("next")));
}

/** The form itself goes to the server, whose answer shows the recovery codes. @param {FormData} form @param {HTMLFormElement} element */
async function signUp(form, element) {
  const { id, options } = await postJson("/passkey/begin", { name: form.get("name") });
  const credential = JSON.stringify(await createCredential(options));
  for (const [name, value] of Object.entries({ ceremony: id, credential })) {
    const field = element.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value;
  }
  element.submit();
}

/** @param {FormData} form */
async function add(form) {
  const { id, options } = await postJson("/passkeys/begin");
  await postJson("/passkeys", { ceremony: id, label: form.get("label"), credential: await createCredential(options) });
  location.assign("/account/passkeys?done=passkey");
}

/** Show a form and let it do its work, one time at once. @param {string} id @param {(form: FormData, element: HTMLFormElement) => Promise<void>} work */
function activateForm(id, work) {
  const form = /** @type {HTMLFormElement|null} */ (document.getElementById(id));
  const alert = form?.querySelector("[role=alert]");
  const button = form?.querySelector("button");
  if (!form || !alert || !button) return;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    alert.toggleAttribute("hidden", true);
    try {
      await work(new FormData(form), form);
    } catch (error) {
      // Browsers give a page no reason for a failure.
      alert.textContent = error instanceof Refusal ? error.message : (form.dataset.failed ?? "");
      alert.toggleAttribute("hidden", false);
      button.disabled = false;
    }
  });
}

if (window.isSecureContext && "PublicKeyCredential" in window) {
  activateForm("passkey-sign-in", signIn);
  activateForm("add-passkey", add);
  activateForm("passkey-sign-up", signUp);
  activateForm("passkey-proof", prove);
  document.getElementById("no-passkeys")?.remove();
}
