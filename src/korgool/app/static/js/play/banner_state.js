/**
 * The one voice of a game's page as a state machine: which line is shown, which questions are asked, and what is read
 * aloud. Pure: the time comes with each event.
 *
 * A line says what happens; of several the most urgent is shown. It ends by its time, or is a condition that the page
 * ends: the connection is back, the command has arrived. A question waits for an answer, and questions keep the order in
 * which they came. The end of a game ends all that was about playing it. Each message is read aloud once, when it comes.
 */

/**
 * The lines, the most urgent first, with the milliseconds for which each is shown; null for a condition, which lasts.
 * `refusal`: why something was not done, or another notice; `lost`: the connection; `late`: a command is not sent yet;
 * `phrase`: what a player says; `challenge`: somebody else invites the player; `coach`: a sentence about the last turns.
 */
export const LINES = Object.freeze({ refusal: 7000, lost: null, late: null, phrase: 12_000, challenge: 20_000, coach: null });
/** What the end of a game ends; only a rematch is a matter of a game that is over. */
const ABOUT_PLAY = ["late", "coach", "draw", "takeback", "gone", "claim"];

/** @typedef {keyof typeof LINES} LineKind */
/** @typedef {"draw"|"takeback"|"gone"|"claim"|"rematch"} Question */
/** @typedef {{kind: LineKind, text: string, href: string, until: number|null}} Line `until`: when it ends by itself */
/** @typedef {{lines: Line[], questions: Question[]}} BannerState */
/**
 * @typedef {{type: "tell", kind: LineKind, text: string, href?: string, at: number} | {type: "end", kind: LineKind, at: number}
 *   | {type: "ask", question: Question, text: string, at: number} | {type: "answered", question: Question, at: number}
 *   | {type: "over", at: number} | {type: "time", at: number}} BannerEvent
 */

/** @type {BannerState} */
export const QUIET = Object.freeze({ lines: [], questions: [] });
const RANKS = /** @type {LineKind[]} */ (Object.keys(LINES));

/**
 * The state after an event, and what is to be read aloud.
 * @param {BannerState} state
 * @param {BannerEvent} event
 * @returns {{state: BannerState, spoken: string}}
 */
export function transition(state, event) {
  const lines = state.lines.filter(({ until }) => until === null || until > event.at);
  const { questions } = state;
  let spoken = "";
  switch (event.type) {
    case "tell": {
      const { kind, text, href = "", at } = event;
      const lasts = LINES[kind];
      const others = lines.filter((line) => line.kind !== kind);
      // A condition that goes on is no news, and neither is one that has lost its words.
      const same = lines.find((line) => line.kind === kind && line.text === text);
      if (!(same && lasts === null)) spoken = text;
      // A new loss of the connection is more urgent than an older notice.
      const left = kind === "lost" && !same ? others.filter((line) => line.kind !== "refusal") : others;
      return { state: { lines: [...left, { kind, text, href, until: lasts === null ? null : at + lasts }], questions }, spoken };
    }
    case "end":
      return { state: { lines: lines.filter(({ kind }) => kind !== event.kind), questions }, spoken };
    case "ask":
      if (questions.includes(event.question)) return { state: { lines, questions }, spoken };
      return { state: { lines, questions: [...questions, event.question] }, spoken: event.text };
    case "answered":
      return { state: { lines, questions: questions.filter((one) => one !== event.question) }, spoken };
    case "over":
      return {
        state: {
          lines: lines.filter(({ kind }) => !ABOUT_PLAY.includes(kind)),
          questions: questions.filter((one) => !ABOUT_PLAY.includes(one)),
        },
        spoken,
      };
    default:
      return { state: { lines, questions }, spoken };
  }
}

/** The line that is shown: the most urgent. @param {BannerState} state @returns {Line|null} */
export const shownLine = ({ lines }) =>
  RANKS.map((kind) => lines.find((line) => line.kind === kind)).find((line) => line !== undefined) ?? null;

/** When the state changes by time alone; null for never. @param {BannerState} state */
export function nextEnd({ lines }) {
  const ends = lines.flatMap(({ until }) => (until === null ? [] : [until]));
  return ends.length ? Math.min(...ends) : null;
}
