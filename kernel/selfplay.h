/* Games of the engine with itself, as training wants them. */
#ifndef KORGOOL_SELFPLAY_H
#define KORGOOL_SELFPLAY_H

#include "engine.h"

enum { KG_LONGEST_GAME = 400 };

/* What a game is made of: nodes for each move, the most random plies at its start (the number is drawn from 2 to that)
 * and how many of 65,536 later plies are random too. */
typedef struct {
    uint64_t nodes;
    int32_t opening, stray;
} kg_plan;

/* One position that was searched: the value found, in KG_UNITs with KG_WIN left out, the difference of the stores when
 * the game was over, in stones, and who won; all as the side to move sees it. proven is set where the search came to
 * the end of every line; plies are counted from the start of the game. */
typedef struct {
    kg_position position;
    int16_t value, difference;
    uint8_t ply, move;
    int8_t result;
    uint8_t proven;
} kg_sample;

/* Plays one game that the seed decides and writes its searched positions, at most capacity. Answers how many; 0 for a
 * game without an end. The engine forgets what it knew. */
KG_API uint64_t kg_selfplay(kg_engine *engine, uint64_t seed, const kg_plan *plan, kg_sample *samples,
                            uint64_t capacity);

#endif
