/* Games for training. They start with random plies and stray now and then, so that no two are the same; a game is
 * played to its end also where rules without a goal are asked for, so that every position has a final difference. */
#ifndef __wasm__ /* a browser does not train */

#include "selfplay.h"

#include "random.h"
#include "search.h"

static int random_hole(uint64_t *state, uint32_t legal) {
    unsigned skip = kg_drawn_below(state, (unsigned)__builtin_popcount(legal));
    while (skip--)
        legal &= legal - 1;
    return __builtin_ctz(legal);
}

/* What KG_WIN adds to a value. */
static int won_by(int value) {
    return value > KG_WIN / 2 ? KG_WIN : value < -KG_WIN / 2 ? -KG_WIN : 0;
}

KG_API uint64_t kg_selfplay(kg_engine *engine, uint64_t seed, const kg_plan *plan, kg_sample *samples,
                            uint64_t capacity) {
    const kg_kernel *kernel = engine->kernel;
    kg_limits limits = {.seconds = -1, .nodes = plan->nodes, .depth = KG_MAX_DEPTH, .lines = 1};
    const unsigned half = (unsigned)(kernel->rules.holes * kernel->rules.stones);
    kg_position path[KG_LONGEST_GAME + 1];
    uint8_t sides[KG_LONGEST_GAME + 1], owner[KG_LONGEST_GAME];
    kg_outcome outcome;
    uint64_t state = seed, count = 0;
    state = kg_draw(&state);
    const int opening = 2 + (plan->opening > 2 ? (int)kg_drawn_below(&state, (unsigned)plan->opening - 1) : 0);
    int ply = 0;
    kg_engine_clear(engine);
    kg_start(kernel, path);
    sides[0] = 0;
    while (kg_outcome_of(kernel, path + ply, &outcome) == KG_ONGOING) {
        if (ply == KG_LONGEST_GAME || count == capacity)
            return 0;
        int hole = random_hole(&state, kg_legal(kernel, path + ply));
        if ((int)kg_drawn_below(&state, 65536) >= plan->stray && ply >= opening) {
            const int decided = kg_own_store(path + ply) > half || kg_other_store(path + ply) > half;
            limits.nodes = decided ? (plan->nodes + 7) / 8 : plan->nodes;
            kg_engine_begin(engine, path + ply, sides[ply], &limits, path, sides, ply);
            kg_engine_run(engine);
            const kg_line *line = engine->report.lines;
            const int value = line->value;
            hole = line->move;
            if (!decided) {
                owner[count] = sides[ply];
                samples[count++] = (kg_sample){.position = path[ply], .value = (int16_t)(value - won_by(value)),
                                               .ply = (uint8_t)(ply < 255 ? ply : 255), .move = (uint8_t)hole,
                                               .proven = (uint8_t)line->exact};
            }
        }
        const int again = kg_play(kernel, path + ply, hole, path + ply + 1);
        sides[ply + 1] = again ? sides[ply] : !sides[ply];
        ply++;
    }
    const int difference = outcome.stores[0] - outcome.stores[1];
    for (uint64_t at = 0; at < count; at++) {
        const int sign = owner[at] == sides[ply] ? 1 : -1;
        samples[at].difference = (int16_t)(sign * difference);
        samples[at].result = (int8_t)(sign * outcome.winner);
    }
    return count;
}

#endif
