/* Games side by side, and one game in place, for training and experiments. */
#ifndef __wasm__ /* a browser does neither */

#include "batch.h"

#include "random.h"

#include <stddef.h>

#define STORES UINT64_C(0xffff0000)
#define MARKS (UINT64_C(0xffff) << 48)

static inline kg_position marked(kg_position position, unsigned turn, unsigned number) {
    position.rest = (position.rest & ~MARKS) | (uint64_t)turn << 48 | (uint64_t)number << 56;
    return position;
}

static inline int same(const kg_position *a, const kg_position *b, uint64_t but) {
    return a->own == b->own && a->other == b->other && ((a->rest ^ b->rest) & ~but) == 0;
}

/* 64 bits of a position. Two different ones share them by chance in one of 2^64 pairs. */
KG_INLINE uint64_t key_of(const kg_position *position) {
    return kg_mixed(position->own * UINT64_C(0x9e3779b97f4a7c15) + position->other * UINT64_C(0xd6e8feb86659fd93) +
                    (position->rest & 0xffff) * UINT64_C(0xa0761d6478bd642f));
}

/* One of 64 bits, to tell at a glance that a position did not stand before. */
KG_INLINE uint64_t filter_bit(uint64_t key) {
    return UINT64_C(1) << (key >> 58);
}

/* Whether a position has now stood often enough. Sides alternate while no stone comes into a store, so the same side
 * moved in every other position that stood since then. */
static int repeated(uint64_t key, const uint64_t *seen, uint64_t count, int32_t since, int32_t threefold) {
    int32_t times = 1;
    for (int32_t slot = since - 2; slot >= 0; slot -= 2)
        times += seen[(uint64_t)slot * count] == key;
    return times >= threefold ? KG_REPETITION : KG_ONGOING;
}

KG_INLINE void write_legal(const kg_rules *rules, const kg_position *position, uint8_t *legal) {
    const uint64_t filled = kg_filled(position->own) >> 7;
    __builtin_memcpy(legal, &filled, (size_t)(rules->holes < 8 ? rules->holes : 8));
    if (rules->holes > 8)
        legal[8] = (position->rest & 0xff) != 0;
}

static void begin(const kg_kernel *kernel, const kg_batch *batch, uint64_t game) {
    batch->positions[game] = batch->starts[game];
    batch->turn[game] = batch->first[game];
    batch->plies[game] = 0;
    batch->over[game] = 0;
    if (kernel->rules.threefold) {
        batch->since[game] = 1;
        batch->seen[game] = key_of(batch->starts + game);
        batch->filter[game] = filter_bit(batch->seen[game]);
    }
}

/* Writes down how a game ended, and begins the next one or leaves it. */
static void end(const kg_kernel *kernel, const kg_batch *batch, uint64_t game, int ending, int again) {
    const kg_position *position = batch->positions + game;
    const unsigned turn = batch->turn[game];
    kg_outcome outcome;
    kg_outcome_of(kernel, position, &outcome);
    if (outcome.termination == KG_ONGOING) {
        outcome.stores[0] = (int32_t)kg_own_store(position);
        outcome.stores[1] = (int32_t)kg_other_store(position);
    }
    batch->rewards[game] = (float)(again ? outcome.winner : -outcome.winner);
    batch->terminated[game] = ending != KG_ONGOING;
    batch->truncated[game] = ending == KG_ONGOING;
    batch->final[game] = *position;
    batch->final_turn[game] = (uint8_t)turn;
    batch->final_stores[2 * game] = (int16_t)outcome.stores[turn];
    batch->final_stores[2 * game + 1] = (int16_t)outcome.stores[!turn];
    batch->over[game] = !batch->auto_reset;
    if (batch->auto_reset)
        begin(kernel, batch, game);
}

#define KG_BATCH_JOIN_(function, game) function##_##game
#define KG_BATCH_JOIN(function, game) KG_BATCH_JOIN_(function, game)
#define KG_LOOP(name) KG_BATCH_JOIN(name, KG_GAME_NAME)
#define KG_EACH_GAME_FILE "batch_game.h"
#define KG_ANY_RULES &kernel->rules
#include "each_game.h"
#undef KG_EACH_GAME_FILE
#undef KG_ANY_RULES

KG_API uint64_t kg_batch_bytes(void) {
    return sizeof(kg_batch) + sizeof(kg_state);
}

KG_API void kg_batch_seed(kg_batch *batch, uint64_t seed) {
    for (uint64_t game = 0; game < batch->count; game++)
        batch->draws[game] = kg_mixed(kg_mixed(seed + UINT64_C(0x9e3779b97f4a7c15)) + game);
}

KG_API void kg_batch_reset(const kg_kernel *kernel, kg_batch *batch, const uint8_t *which) {
    for (uint64_t game = 0; game < batch->count; game++) {
        if (which && !which[game])
            continue;
        begin(kernel, batch, game);
        batch->rewards[game] = 0;
        batch->terminated[game] = batch->truncated[game] = 0;
        write_legal(&kernel->rules, batch->positions + game, batch->legal + game * (unsigned)kernel->rules.holes);
    }
}

KG_API int64_t kg_batch_check(const kg_kernel *kernel, const kg_position *positions, uint64_t count) {
    const unsigned all = (unsigned)(2 * kernel->rules.holes * kernel->rules.stones);
    for (uint64_t game = 0; game < count; game++) {
        const kg_position *position = positions + game;
        const unsigned stored = kg_own_store(position) + kg_other_store(position);
        if (kg_check(kernel, position) || kg_legal(kernel, position) == 0 ||
            kg_own_board(position) + kg_other_board(position) + stored != all)
            return (int64_t)game;
    }
    return -1;
}

KG_API int64_t kg_batch_step(const kg_kernel *kernel, kg_batch *batch, const int64_t *actions) {
    const int64_t game = KG_DISPATCH(kernel, refused, kernel, batch, actions);
    if (game < 0)
        KG_DISPATCH(kernel, step, kernel, batch, actions);
    return game;
}

KG_API void kg_batch_random(const kg_kernel *kernel, kg_batch *batch, int64_t *actions) {
    KG_DISPATCH(kernel, random, kernel, batch, actions);
}

KG_API int64_t kg_batch_width(const kg_kernel *kernel) {
    return (kernel->rules.tuz ? 4 : 2) * kernel->rules.holes + 2;
}

KG_API void kg_batch_observe(const kg_kernel *kernel, const kg_position *positions, uint64_t count, float *rows) {
    KG_DISPATCH(kernel, observe, kernel, positions, count, rows);
}

/* What a caller is told of a game: see batch.h. */
static int32_t state_word(kg_state *state) {
    const kg_rules *rules = &state->kernel->rules;
    const kg_position *now = state->path + state->plies;
    const unsigned turn = kg_byte(now->rest, 6);
    int ending = kg_ending(rules, &state->position);
    if (!ending && rules->threefold) {
        const unsigned stored = kg_own_store(now) + kg_other_store(now);
        int32_t times = 1;
        for (const kg_position *known = now; known-- != state->path && times < rules->threefold;) {
            times += same(known, now, UINT64_C(0xff) << 56);
            if (kg_own_store(known) + kg_other_store(known) < stored)
                break;
        }
        if (times >= rules->threefold)
            ending = KG_REPETITION;
    }
    const uint32_t legal = ending ? 0 : kg_legal(state->kernel, &state->position);
    return state->word = (int32_t)(legal | turn << 9 | (unsigned)ending << 10);
}

KG_API int32_t kg_state_begin(kg_state *state) {
    state->plies = 0;
    state->position = marked(*state->path, 0, 0);
    return state_word(state);
}

KG_API int32_t kg_state_play(kg_state *state, int32_t hole) {
    if (state->word >> 10)
        return KG_OVER;
    if (state->plies + 1 >= state->room)
        return KG_NO_ROOM;
    const int again = kg_play(state->kernel, &state->position, hole, &state->position);
    if (again < 0)
        return again;
    const unsigned turn = (unsigned)(state->word >> 9 & 1) ^ (unsigned)!again;
    state->path[++state->plies] = marked(state->position, turn, (unsigned)hole + 1);
    return state_word(state);
}

KG_API int32_t kg_state_undo(kg_state *state) {
    if (state->plies == 0)
        return KG_OVER;
    state->position = marked(state->path[--state->plies], 0, 0);
    return state_word(state);
}

#endif
