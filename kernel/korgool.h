/* Korgool's native kernel: the rules of the family, counts, replay and search, for Python and for WebAssembly.
 *
 * Nothing here allocates, prints or keeps state of its own. The caller provides zeroed memory of the sizes asked for;
 * a kernel may be read by many threads at once, an engine by one at a time (but for kg_engine_stop).
 * Holes are 0-based from their owner's left. All structures hold fixed-width members, so that a caller in another
 * language can lay them out; the machine must be little-endian. */
#ifndef KORGOOL_H
#define KORGOOL_H

#include <stdint.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "positions are exchanged as little-endian words"
#endif

#define KG_API __attribute__((visibility("default")))

enum { KG_VERSION = 1, KG_MAX_HOLES = 9, KG_MAX_STONES = 255 };

#include "games.h"

/* How the board ends a game; KG_ONGOING while it does not. */
enum { KG_ONGOING = 0, KG_MAJORITY = 1, KG_EQUAL = 2, KG_NO_MOVE = 3, KG_SIDE_EMPTY = 4 };
/* What kg_play and kg_kernel_init answer when they refuse. */
enum { KG_OVER = -1, KG_NO_SUCH_HOLE = -2, KG_EMPTY_HOLE = -3, KG_BAD_RULES = -4, KG_BAD_POSITION = -5 };

/* A position as the side to move sees it. own and other hold a byte for each of the holes 0 to 7 of the side to move
 * and of the opponent; rest holds, from the low byte: own hole 8, other hole 8, own store, other store, own tuz, other
 * tuz (the number, 1 to 9, of a hole of the opponent; 0 for none), two zero bytes. White or Black is the caller's
 * matter, so a position and its mirror are one. Holes and stores hold at most 255 stones together. */
typedef struct {
    uint64_t own, other, rest;
} kg_position;

/* An ended game: who won (1 the side to move, -1 the opponent, 0 nobody), both stores after the sweep and what the
 * sweep gave to each, the side to move first. */
typedef struct {
    int32_t termination, winner;
    int32_t stores[2], swept[2];
} kg_outcome;

/* One replayed line. start and length locate it in the text. plies were played; when error is not 0 the next one could
 * not be: KG_OVER, KG_NO_SUCH_HOLE (no digit 1 to n) or KG_EMPTY_HOLE. side is the side to move at the end. */
typedef struct {
    uint64_t start, length;
    kg_position position;
    kg_outcome outcome;
    int32_t plies, error, side, reserved;
} kg_replayed;

/* One sowing told stone by stone. A place is 0 to 8 for a hole of the mover, 9 to 17 for one of the opponent, 18 for the
 * mover's store, 19 for the opponent's. Stone by stone, drops says where it falls and lies where it then is: in a store
 * where the hole is a tuz. captured and taken are the holes emptied into the mover's store and their stones. tuz is the
 * number of the opponent's hole that became the mover's tuz, or 0. after is seen by the next player, and outcome too;
 * extra_turn is 1 when the mover goes on and the game is not over. */
typedef struct {
    kg_position after;
    kg_outcome outcome;
    int32_t lifted, captures, tuz, extra_turn;
    uint8_t drops[KG_MAX_STONES + 1], lies[KG_MAX_STONES + 1];
    uint8_t captured[2], taken[2];
} kg_sowing;

typedef struct kg_kernel kg_kernel;

KG_API uint32_t kg_version(void);
KG_API uint64_t kg_kernel_bytes(void);
KG_API int32_t kg_kernel_init(kg_kernel *kernel, const kg_rules *rules);
KG_API void kg_start(const kg_kernel *kernel, kg_position *position);
/* 0, or KG_BAD_POSITION: too many stones, holes that do not exist, a tuz that may not be there. */
KG_API int32_t kg_check(const kg_kernel *kernel, const kg_position *position);
/* Bit h is set when hole h may be sown; 0 when the game is over. */
KG_API uint32_t kg_legal(const kg_kernel *kernel, const kg_position *position);
/* Sows; answers 1 when the same side goes on, 0 when the turn passes, or a refusal below 0. */
KG_API int32_t kg_play(const kg_kernel *kernel, const kg_position *position, int32_t hole, kg_position *after);
/* As kg_play, and tells every stone. */
KG_API int32_t kg_tell(const kg_kernel *kernel, const kg_position *position, int32_t hole, kg_sowing *told);
/* The termination; outcome may be null. */
KG_API int32_t kg_outcome_of(const kg_kernel *kernel, const kg_position *position, kg_outcome *outcome);
/* Sows the holes one after the other and writes after each ply the position, the legal holes, whether the same side
 * goes on, and the outcome. Answers the number of plies played, fewer than count when one is refused. */
KG_API int32_t kg_trace(const kg_kernel *kernel, const kg_position *start, const uint8_t *holes, int32_t count,
                        kg_position *positions, uint16_t *legal, uint8_t *extra, kg_outcome *outcomes);
/* Sequences of exactly depth plies. With bulk the last ply is counted by its legal holes, else it is sown. */
KG_API uint64_t kg_perft(const kg_kernel *kernel, const kg_position *position, int32_t depth, int32_t bulk);
/* Replays a text of one game a line, each a digit a ply, from the start of the game. Blanks around a line and empty
 * lines are skipped. Reads from *offset, fills at most capacity results, moves *offset on, answers how many. */
KG_API uint64_t kg_replay(const kg_kernel *kernel, const char *text, uint64_t length, uint64_t *offset,
                          kg_replayed *results, uint64_t capacity);

#endif
