/* Games side by side in arrays of the caller, for training and experiments, and one game in place. Nothing here
 * allocates; arrays have count entries unless told otherwise, and the caller fills in their addresses. */
#ifndef KORGOOL_BATCH_H
#define KORGOOL_BATCH_H

#include "rules.h"

/* How a game in a batch or a state ends beside the endings of the board. */
enum { KG_REPETITION = 5 };
/* What an action says where a game is over and stays so. */
enum { KG_NO_ACTION = -1 };
/* What kg_state_play answers when the path is full. */
enum { KG_NO_ROOM = -6 };

/* positions are seen by the side to move; turn is 0 where White moves, 1 where Black does. legal has a byte (1 or 0)
 * for each hole of each game. starts and first are the positions and turns that games begin with; kg_batch_reset reads
 * them, and so does a step that begins a game again. rewards are those of the side that made the latest ply: 1 for a
 * win, -1 for a loss, else 0. terminated is 1 where the latest step ended the game by the rules, truncated where it
 * reached most_plies; final, final_turn and final_stores (White's and Black's, after the sweep) are written there.
 * over is 1 where a game is over and waits for kg_batch_reset, which happens only without auto_reset. draws holds the
 * state of each game's random numbers.
 *
 * What repetition needs is not touched where the rules know none: seen holds the keys of the positions since a stone
 * last came into a store, entry slot * count + game of (most_plies + 1) * count, since how many a game has, filter a
 * bit for each. Stones only go forward, and what goes round passes every hole: so a position can come again only while
 * the stores stay as they are, and never once there is a tuz. */
typedef struct {
    kg_position *positions, *starts, *final;
    uint64_t *draws, *seen, *filter;
    int32_t *plies, *since;
    float *rewards;
    int16_t *final_stores;
    uint8_t *turn, *first, *final_turn, *legal, *over, *terminated, *truncated;
    uint64_t count;
    int32_t most_plies, auto_reset;
} kg_batch;

/* What a caller that lays the structures out itself can compare: kg_batch and kg_state together. */
KG_API uint64_t kg_batch_bytes(void);
/* Gives every game its own row of random numbers; game g of one seed draws the same in a batch of any size. */
KG_API void kg_batch_seed(kg_batch *batch, uint64_t seed);
/* The first position that no game can begin with (the wrong number of stones, a tuz that may not be there, a game that
 * is over), or -1. */
KG_API int64_t kg_batch_check(const kg_kernel *kernel, const kg_position *positions, uint64_t count);
/* Begins the games anew where which is not 0, or all where which is null. */
KG_API void kg_batch_reset(const kg_kernel *kernel, kg_batch *batch, const uint8_t *which);
/* Plays a hole, from 0, in every game; KG_NO_ACTION in those that are over. Answers -1, or the first game whose action
 * is refused, and then nothing has changed in any game. */
KG_API int64_t kg_batch_step(const kg_kernel *kernel, kg_batch *batch, const int64_t *actions);
/* Draws an action for every game, each legal one as likely; KG_NO_ACTION where there is none. */
KG_API void kg_batch_random(const kg_kernel *kernel, kg_batch *batch, int64_t *actions);
/* Writes positions as numbers from 0 to 1, in rows of kg_batch_width: own holes, other holes, own store, other store,
 * each as its part of all stones; then, where the rules have a tuz, a 1 for the own tuz among the other holes, and for
 * the other tuz among the own holes. */
KG_API void kg_batch_observe(const kg_kernel *kernel, const kg_position *positions, uint64_t count, float *rows);
KG_API int64_t kg_batch_width(const kg_kernel *kernel);

/* One game in place. path has room entries: the start and the position after each ply, the side to move in byte 6 of
 * rest and the hole that was sown, from 1, in byte 7. */
typedef struct {
    kg_position position;
    const kg_kernel *kernel;
    kg_position *path;
    int32_t plies, room, word, reserved;
} kg_state;

/* All three answer a word: bits 0 to 8 the legal holes, bit 9 the side to move, bits 10 to 12 the ending, also
 * KG_REPETITION. kg_state_begin takes the path's first entry as the start. kg_state_play answers a refusal below 0,
 * and then nothing has changed; kg_state_undo KG_OVER where nothing has been played. */
KG_API int32_t kg_state_begin(kg_state *state);
KG_API int32_t kg_state_play(kg_state *state, int32_t hole);
KG_API int32_t kg_state_undo(kg_state *state);

#endif
