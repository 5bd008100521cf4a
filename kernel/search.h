/* What the parts of the search share: the engine's memory, its table, its clock. */
#ifndef KORGOOL_SEARCH_H
#define KORGOOL_SEARCH_H

#include "engine.h"
#include "evaluate.h"
#include "network.h"
#include "rules.h"
#include "tables.h"

enum { KG_WAYS = 4, KG_POLL = 2048, KG_DEEPEST = 240, KG_PATH = KG_MAX_HISTORY + KG_DEEPEST + 2, KG_COUNTS = 32 };
/* Pruning, as games decided (benchmarks/strength.md); lengths in KG_UNITs. A node with so few plies left whose evaluation
 * passes the window by its margin is cut off, a move that with what it takes stays below it is left out; late moves are
 * first searched less deep, nodes that the table does not know too; the window of an iteration is so far around the value
 * before; a capture at the horizon is looked at when it could still matter. */
enum {
    KG_STATIC_DEPTH = 6, KG_STATIC_MARGIN = 48, KG_STATIC_PLY = 32,
    KG_FUTILE_DEPTH = 3, KG_FUTILE_PLY = 32,
    KG_LATE_DEPTH = 4, KG_LATE_MOVE = 2, KG_LATER_DEPTH = 8, KG_LATER_MOVE = 6,
    KG_UNKNOWN_DEPTH = 6, KG_WINDOW_DEPTH = 6, KG_WINDOW = 64,
    KG_CAPTURES = 3, KG_CAPTURE_MARGIN = 4 * KG_UNIT,
};
/* Beyond this a value speaks of a game that is decided. */
enum { KG_CERTAIN = KG_WIN - 256 * KG_UNIT };
enum { KG_LOWER = 1, KG_UPPER = 2, KG_EXACT = 3 };
enum { KG_UNSEEN = -KG_INFINITE };

/* A table entry: value (16 bits), depth (8), move + 1 (4), bound (2), proven (1), age (8), and the whole key, mixed with
 * them: threads share a table without locks, and an entry that two of them wrote at once is nobody's. */
typedef struct {
    uint64_t mixed, data;
} kg_entry;

/* A position on the way to the present one. since is the first place on the path with as many stones in the stores:
 * before it, nothing can be the same. */
typedef struct {
    kg_position position;
    int32_t side, since;
} kg_place;

struct kg_engine {
    const kg_kernel *kernel;
    const kg_weights *weights;
    const kg_network *network; /* null for the evaluation by hand */
    kg_network_path network_path;
    const kg_tables *tables; /* or null */
    uint64_t clusters; /* a power of two, or 0 for no table */
    int32_t stop;      /* written by other threads */
    int32_t pruning, aborted, age, helper, decisive, playout, repetition, root_at, top, depth, more;
    kg_limits limits;
    double begun, deadline;
    uint64_t nodes, check_at, salt;
    uint64_t unproven; /* grows with each leaf that is a guess */
    kg_report report;
    kg_place path[KG_PATH];
    uint8_t killers[KG_DEEPEST + 1][2];
    int32_t history[KG_MAX_HOLES][KG_COUNTS];
    uint8_t pv[KG_DEEPEST + 2][KG_DEEPEST + 2];
    int32_t pv_length[KG_DEEPEST + 2];
    kg_entry *table; /* its own, or that of the engine it helps */
    _Alignas(64) kg_entry memory[];
};

double kg_clock(void);

/* The value of a position without looking ahead. */
KG_INLINE int kg_value(const kg_engine *engine, const kg_rules *rules, const kg_position *position) {
    return engine->network ? kg_network_value(engine->network, engine->network_path, position)
                           : kg_estimate(engine->weights, rules, position);
}

/* The table key. The salt keeps apart what was found under another reading of the end of the game. */
KG_INLINE uint64_t kg_hash(const kg_position *position, uint64_t salt) {
    uint64_t hash = (position->own ^ UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = ((hash ^ hash >> 32) + position->other) * UINT64_C(0x94d049bb133111eb);
    hash = ((hash ^ hash >> 29) + position->rest) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32 ^ salt;
}

KG_INLINE kg_entry *kg_cluster(kg_engine *engine, uint64_t key) {
    return engine->table + (key & (engine->clusters - 1)) * KG_WAYS;
}

KG_INLINE uint64_t kg_packed(int value, int depth, int move, int bound, int proven, int age) {
    return (uint64_t)(uint16_t)value | (uint64_t)depth << 16 | (uint64_t)(move + 1) << 24 | (uint64_t)bound << 28 |
           (uint64_t)proven << 30 | (uint64_t)age << 32;
}

KG_INLINE int kg_entry_value(uint64_t data) { return (int16_t)(uint16_t)data; }
KG_INLINE int kg_entry_depth(uint64_t data) { return (int)(data >> 16 & 255); }
KG_INLINE int kg_entry_move(uint64_t data) { return (int)(data >> 24 & 15) - 1; }
KG_INLINE int kg_entry_bound(uint64_t data) { return (int)(data >> 28 & 3); }
KG_INLINE int kg_entry_proven(uint64_t data) { return (int)(data >> 30 & 1); }
KG_INLINE int kg_entry_age(uint64_t data) { return (int)(data >> 32 & 255); }

/* The entry's data, or 0. */
KG_INLINE uint64_t kg_probe(kg_engine *engine, uint64_t key) {
    if (engine->clusters) {
        const kg_entry *entry = kg_cluster(engine, key);
        for (int way = 0; way < KG_WAYS; way++) {
            const uint64_t data = __atomic_load_n(&entry[way].data, __ATOMIC_RELAXED);
            if ((__atomic_load_n(&entry[way].mixed, __ATOMIC_RELAXED) ^ data) == key)
                return data;
        }
    }
    return 0;
}

static inline void kg_save(kg_engine *engine, uint64_t key, uint64_t data) {
    if (!engine->clusters)
        return;
    kg_entry *entry = kg_cluster(engine, key), *worst = entry;
    int lowest = 1 << 20;
    for (int way = 0; way < KG_WAYS; way++, entry++) {
        const uint64_t kept = __atomic_load_n(&entry->data, __ATOMIC_RELAXED);
        if (kept == 0 || (__atomic_load_n(&entry->mixed, __ATOMIC_RELAXED) ^ kept) == key) {
            worst = entry;
            break;
        }
        const int worth = kg_entry_depth(kept) - 8 * ((engine->age - kg_entry_age(kept)) & 255);
        if (worth < lowest) {
            lowest = worth;
            worst = entry;
        }
    }
    __atomic_store_n(&worst->mixed, key ^ data, __ATOMIC_RELAXED);
    __atomic_store_n(&worst->data, data, __ATOMIC_RELAXED);
}

/* How far an evaluation must pass the window to be believed with so many plies left. */
KG_INLINE int kg_margin(int depth) {
    return KG_STATIC_MARGIN + KG_STATIC_PLY * depth;
}

/* Whether a move that takes so many stones is given up unseen with so many plies left, since the evaluation lies too far
 * below the window; best is then at least what was hoped for. */
KG_INLINE int kg_futile(int seen, int gain, int depth, int alpha, int *best) {
    const int hope = seen + gain * KG_UNIT + KG_FUTILE_PLY * depth;
    if (seen == KG_UNSEEN || depth > KG_FUTILE_DEPTH || *best <= -KG_CERTAIN || hope > alpha)
        return 0;
    *best = hope > *best ? hope : *best;
    return 1;
}

/* Plies less for a late move: two or four, since values swing between odd and even depths. */
KG_INLINE int kg_reduction(int depth, int index) {
    if (depth < KG_LATE_DEPTH || index < KG_LATE_MOVE)
        return 0;
    return depth >= KG_LATER_DEPTH && index >= KG_LATER_MOVE ? 4 : 2;
}

/* How the move has done before, wherever it was tried. */
KG_INLINE int32_t *kg_experience(kg_engine *engine, unsigned hole, unsigned stones) {
    return &engine->history[hole][stones < KG_COUNTS ? stones : KG_COUNTS - 1];
}

KG_INLINE void kg_learn(kg_engine *engine, const kg_position *position, unsigned hole, int weight) {
    int32_t *experience = kg_experience(engine, hole, kg_own_stones(position, hole));
    *experience += weight - *experience / 64;
}

int kg_poll(kg_engine *engine);

/* Counts one sowing; true when the search must end before it. */
KG_INLINE int kg_spend(kg_engine *engine) {
    if (engine->nodes >= engine->check_at && kg_poll(engine))
        return 1;
    engine->nodes++;
    return 0;
}

KG_INLINE unsigned kg_stored(const kg_position *position) {
    return kg_own_store(position) + kg_other_store(position);
}

int kg_is_repeated(const kg_engine *engine, const kg_position *position, int side);

/* Whether the position stood on the path before, so that a player may claim a draw (WNG-TK §V). */
KG_INLINE int kg_repeats(const kg_engine *engine, const kg_position *position, int side) {
    const kg_place *top = engine->path + engine->top;
    return engine->repetition && top->since < engine->top && kg_stored(position) == kg_stored(&top->position) &&
           kg_is_repeated(engine, position, side);
}

KG_INLINE void kg_push(kg_engine *engine, const kg_position *position, int side) {
    const kg_place *from = engine->path + engine->top;
    kg_place *to = engine->path + ++engine->top;
    to->position = *position;
    to->side = side;
    to->since = kg_stored(position) == kg_stored(&from->position) ? from->since : engine->top;
}

#endif
