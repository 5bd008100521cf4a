/**
 * Types of the server's messages; only comments, for type checkers and readers.
 *
 * @typedef {"white"|"black"} Side
 * @typedef {{side: Side, hole: number, tuz_owner: Side|null}} Drop hole 0 is that side's store
 * @typedef {{side: Side, hole: number, stones: number}} Captured
 * @typedef {{side: Side, hole: number, lifted: number, drops: Drop[], captured: Captured[], tuz: number|null,
 *   extra_turn: boolean, sweep: [number, number]|null}} Trace
 * @typedef {{side: Side, hole: number, captures: number, tuz: boolean, extra_turn: boolean, ends: boolean,
 *   stores: [number, number]}} Preview `stores` of White and Black after it
 * @typedef {{white_ms: number, black_ms: number, running: Side|null, increment_ms: number}} ClockState
 * @typedef {{result: string, result_text: string, termination: string, winner: Side|null,
 *   stores: [number, number]}} Outcome
 * @typedef {{ply: number, side: Side, hole: number, text: string}} Move
 * @typedef {{id: string, version: number, game: string, holes: number, white: number[], black: number[],
 *   stores: [number, number], tuz: [number|null, number|null], turn: Side, you: Side|null, level: number,
 *   moves: Move[], legal: number[], previews: Record<string, Preview>, last: Trace|null, clock: ClockState|null,
 *   outcome: Outcome|null, claims: string[], can_undo: boolean, start: string|null, position: string, movetext: string,
 *   rematch: string|null}} GameState
 * @typedef {{version: number, kind: string, trace?: Trace|null, state: GameState}} GameEvent
 * @typedef {{x: number, y: number, w: number, h: number}} Box in CSS pixels of the board
 */

export {};
