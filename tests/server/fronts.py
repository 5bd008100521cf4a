"""The sites of docs/operating.md behind Caddy and nginx, run as they stand but for paths and ports."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.doctor.fronts import copied
from tests.patience import PATIENCE, eventually
from tests.ports import free_ports

from .support import Json, Live

PAGE = Path(__file__).parents[2] / "docs/operating.md"
NAME = "example.org"
"""The site's name on the page, and that of its certificate here."""
_BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<body>(?:(?!```).*\n)*)```$", re.MULTILINE)
_AROUND_NGINX = """daemon off;
pid {folder}/pid;
error_log {folder}/errors;
events {{}}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{site}
}}
"""
_AROUND_CADDY = """{{
    admin off
    http_port {plain}
    https_port {tls}
    local_certs
    skip_install_trust
}}
{site}
"""
"""`local_certs` makes the certificate here instead of asking for one."""


def blocks(kind: str) -> list[str]:
    """The blocks of the page that are of a kind, in their order; those of Caddy are known by how they begin."""
    found = [(one["kind"], one["body"]) for one in _BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]
    if kind == "caddy":
        return [body for _, body in found if body.startswith(f"{NAME} {{\n")]
    return [body for other, body in found if other == kind]


def placed(text: str, places: dict[str, str]) -> str:
    """A block of the page with other paths and ports, each of which has to stand there."""
    for here, there in places.items():
        assert here in text, here
        text = text.replace(here, there)
    return text


class Front:
    """Caddy or nginx with a site of the page, in front of one server.

    Args:
        program: `caddy` or `nginx`; the test is skipped without it.
        site: the configuration as it stands on the page.
        server: the address of the server, for all that the page names.
        folder: for its files.
    """

    def __init__(self, program: str, site: str, server: str, folder: Path) -> None:
        found = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
        if found is None:
            pytest.skip(f"{program} is not installed")
        folder.mkdir()
        self.plain, self.tls = free_ports(2)
        site = re.sub(r"127\.0\.0\.1:80\d\d", server.removeprefix("http://"), site)
        if program == "caddy":
            text = _AROUND_CADDY.format(plain=self.plain, tls=self.tls, site=site)
            words, root = ["run", "--adapter", "caddyfile"], folder / "caddy/pki/authorities/local/root.crt"
        else:
            root = _certificate(folder)
            live = f"/etc/letsencrypt/live/{NAME}"
            site = placed(
                site,
                {
                    f"{live}/fullchain.pem": str(root),
                    f"{live}/privkey.pem": str(folder / "key.pem"),
                    "listen 80;": f"listen 127.0.0.1:{self.plain};",
                    "listen 443 ": f"listen 127.0.0.1:{self.tls} ",
                },
            )
            text, words = _AROUND_NGINX.format(folder=folder, site=site), ["-p", str(folder), "-e", "errors"]
        (folder / "config").write_text(text, encoding="utf-8")
        around = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        option = "--config" if program == "caddy" else "-c"
        with (folder / "said").open("wb") as said:
            command = [found, *words, option, str(folder / "config")]
            self.process = subprocess.Popen(command, stdout=said, stderr=said, env=around)
        self._folder = folder
        self._root = root
        eventually(self._answers, f"{program} to have a certificate and to answer")
        self.context = ssl.create_default_context(cafile=str(root))

    def _answers(self) -> bool:
        """Caddy listens before it has made its certificate."""
        assert self.process.poll() is None, (self._folder / "said").read_text(encoding="utf-8")
        try:
            socket.create_connection(("127.0.0.1", self.plain)).close()
            context = ssl.create_default_context(cafile=str(self._root))
            with socket.create_connection(("127.0.0.1", self.tls), PATIENCE) as connection:
                context.wrap_socket(connection, server_hostname=NAME).close()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(PATIENCE)


class Browser:
    """Somebody who comes to the site by TLS.

    Args:
        front: the proxy.
        address: where they come from, one of this machine.
    """

    def __init__(self, front: Front, address: str) -> None:
        self.front, self.address = front, address
        transport = httpx.HTTPTransport(verify=front.context, local_address=address)
        url = f"https://127.0.0.1:{front.tls}"
        self.client = httpx.Client(base_url=url, transport=transport, headers={"host": NAME}, timeout=PATIENCE)

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """A request by the name of the site."""
        return self.client.request(method, path, extensions={"sni_hostname": NAME}, **options)

    def live(self, game: str) -> Live:
        """The game's live connection."""
        there = socket.create_connection(("127.0.0.1", self.front.tls), source_address=(self.address, 0))
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        connection = connect(
            f"ws://{NAME}/api/games/{game}/live",
            sock=_over_tls(there, self.front.context),
            origin=Origin(f"https://{NAME}"),
            additional_headers={"cookie": cookies},
            open_timeout=PATIENCE,
            legacy=True,
        )
        return Live(connection)

    def new_game(self) -> str:
        """A game against the engine, by the form of the home page."""
        self.ask("GET", "/").raise_for_status()
        form: Json = {"game": "toguz", "side": "white", "level": "1", "clock": "none"}
        answer = self.ask("POST", "/games", data={**form, "_csrf_token": self.client.cookies["__Host-csrftoken"]})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/games/")


def _over_tls(there: socket.socket, context: ssl.SSLContext) -> socket.socket:
    """A socket whose bytes travel on over TLS, in a loop and a thread of their own.

    The blocking client of `websockets` reads and writes in two threads, which OpenSSL allows in no single connection.
    """
    near, far = socket.socketpair()

    async def travel() -> None:
        reader, writer = await asyncio.open_connection(sock=there, ssl=context, server_hostname=NAME)
        inner, outer = await asyncio.open_connection(sock=far)
        await asyncio.gather(copied(inner, writer), copied(reader, outer))

    threading.Thread(target=lambda: asyncio.run(travel()), daemon=True).start()
    return near


def _certificate(folder: Path) -> Path:
    """A certificate of the site, signed by itself; its key beside it as `key.pem`."""
    key, now = ec.generate_private_key(ec.SECP256R1()), dt.datetime.now(dt.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now - dt.timedelta(1)).not_valid_after(now + dt.timedelta(1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "key.pem").write_bytes(pem)
    path = folder / "certificate.pem"
    path.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return path
