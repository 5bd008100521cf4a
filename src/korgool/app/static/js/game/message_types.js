/**
 * Types of the server's messages; only comments, for type checkers and readers.
 *
 * @typedef {"white"|"black"} Side
 * @typedef {{side: Side, hole: number, lifted: number, drops: number[], kept?: number[], captured?: [number, number][],
 *   tuz?: number, extra_turn?: boolean, sweep?: [number, number]}} Trace see move_trace.js; parts that are empty are left out
 * @typedef {{side: Side, hole: number, captures: number, tuz: boolean, extra_turn: boolean, ends: boolean,
 *   stores: [number, number]}} Preview `stores` of White and Black after it
 * @typedef {{white_ms: number, black_ms: number, running: Side|null, increment_ms: number}} ClockState
 * @typedef {{result: string, result_text: string, termination: string, winner: Side|null,
 *   stores: [number, number], clause?: string}} Outcome
 * @typedef {{ply: number, side: Side, hole: number, text: string}} Move
 * @typedef {{kind: "person"|"engine"|"open", name: string, rating: number|null, level: number|null,
 *   present: boolean, deviation?: number, provisional?: boolean, change?: number, gone?: number}} Seat `gone`: since
 *   when the absence counts, in milliseconds since 1970
 * @typedef {{draw?: Side, takeback?: Side, rematch?: Side}} Offers the side that offers or asks
 * @typedef {{id: string, version: number, game: string, holes: number, white: number[], black: number[],
 *   stores: [number, number], tuz: [number|null, number|null], turn: Side, you: Side|null, level: number|null,
 *   moves: Move[], legal: number[], previews: Record<string, Preview>, last: Trace|null, clock: ClockState|null,
 *   outcome: Outcome|null, claims: string[], can_undo: boolean, start: string|null, position: string, movetext: string,
 *   rematch: string|null, seats: Record<Side, Seat>, offers: Offers, conduct: "friendly"|"competition",
 *   rated: boolean, control: string, rules: Record<string, string|number|boolean>, begun: boolean, aborted: boolean,
 *   due: number|null, now: number, shared: boolean, viewers: number, delay: number,
 *   claim_after: number|null, away: import("../play/vacations.js").VacationState}} GameState see docs/protocol.md; `due` and `now` in milliseconds since 1970
 * @typedef {{version: number, kind: string, at: number, side?: Side, turn?: Side, legal?: number[],
 *   clock?: ClockState, due?: number, ply?: number, text?: string, trace?: Trace, stores?: [number, number],
 *   position?: string, offers?: Offers, claims?: string[], outcome?: Outcome, plies?: number, white?: number[],
 *   black?: number[], tuz?: [number|null, number|null], ms?: number, what?: string, game?: string,
 *   until?: number}} GameEvent
 * @typedef {{white: boolean, black: boolean, viewers: number, white_gone?: number, black_gone?: number}} Presence
 * @typedef {{x: number, y: number, w: number, h: number}} Box in CSS pixels of the board
 */

export {};
