/* What the parts of the search share: the engine's memory, its table, its clock. */
#ifndef KORGOOL_SEARCH_H
#define KORGOOL_SEARCH_H

#include "engine.h"
#include "evaluate.h"
#include "network.h"
#include "rules.h"
#include "tables.h"

enum { KG_WAYS = 4, KG_POLL = 2048, KG_DEEPEST = 240, KG_PATH = KG_MAX_HISTORY + KG_DEEPEST + 2, KG_COUNTS = 32 };
#ifndef KG_EVAL_ORDER
#define KG_EVAL_ORDER 99
#endif
#ifndef KG_EVAL_WEIGHT
#define KG_EVAL_WEIGHT 128
#endif
#ifndef KG_LMR_DEPTH
#define KG_LMR_DEPTH 99
#endif
#ifndef KG_LMR_BASE
#define KG_LMR_BASE 0.0
#endif
#ifndef KG_LMR_DIV
#define KG_LMR_DIV 2.0
#endif
#ifndef KG_LMR_WIDE
#define KG_LMR_WIDE 1
#endif
#ifndef KG_LMR_GAIN
#define KG_LMR_GAIN 99
#endif
#ifndef KG_RFP_DEPTH
#define KG_RFP_DEPTH 6
#endif
#ifndef KG_RFP_A
#define KG_RFP_A 48
#endif
#ifndef KG_RFP_B
#define KG_RFP_B 32
#endif
#ifndef KG_RAZOR_DEPTH
#define KG_RAZOR_DEPTH 0
#endif
#ifndef KG_RAZOR_A
#define KG_RAZOR_A 200
#endif
#ifndef KG_RAZOR_B
#define KG_RAZOR_B 64
#endif
#ifndef KG_NULL
#define KG_NULL 0
#endif
#ifndef KG_NULL_DEPTH
#define KG_NULL_DEPTH 4
#endif
#ifndef KG_NULL_MARGIN
#define KG_NULL_MARGIN 0
#endif
#ifndef KG_NULL_LESS
#define KG_NULL_LESS 2
#endif
#ifndef KG_NULL_DIV
#define KG_NULL_DIV 6
#endif
#ifndef KG_PC
#define KG_PC 0
#endif
#ifndef KG_PC_DEPTH
#define KG_PC_DEPTH 5
#endif
#ifndef KG_PC_GATE
#define KG_PC_GATE 64
#endif
#ifndef KG_PC_MARGIN
#define KG_PC_MARGIN 96
#endif
#ifndef KG_PC_LEFT
#define KG_PC_LEFT 4
#endif
#ifndef KG_ER
#define KG_ER 0
#endif
#ifndef KG_ER_A
#define KG_ER_A 32
#endif
#ifndef KG_ER_DEPTH
#define KG_ER_DEPTH 3
#endif
#ifndef KG_ER_MOST
#define KG_ER_MOST 3
#endif
#ifndef KG_TEMPO
#define KG_TEMPO 0
#endif
#ifndef KG_LMR_EVEN
#define KG_LMR_EVEN 0
#endif
#ifndef KG_LMR_D2
#define KG_LMR_D2 4
#endif
#ifndef KG_LMR_D4
#define KG_LMR_D4 8
#endif
#ifndef KG_LMR_I4
#define KG_LMR_I4 6
#endif
#ifndef KG_LMR_PV
#define KG_LMR_PV 0
#endif
#ifndef KG_QS
#define KG_QS 0
#endif
#ifndef KG_QS_PLIES
#define KG_QS_PLIES 1
#endif
#ifndef KG_QS_TUZ
#define KG_QS_TUZ 0
#endif
#ifndef KG_QS_MARGIN
#define KG_QS_MARGIN 2
#endif
#ifndef KG_IIR
#define KG_IIR 0
#endif
#ifndef KG_ASPIRE
#define KG_ASPIRE 64
#endif

enum { KG_CERTAIN = KG_WIN - 256 * KG_UNIT };
enum { KG_LOWER = 1, KG_UPPER = 2, KG_EXACT = 3 };

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
    int32_t pruning, passed, aborted, age, helper, decisive, playout, repetition, root_at, top, depth, more;
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

KG_INLINE int kg_rfp(int depth) { return KG_RFP_A + KG_RFP_B * depth; }
KG_INLINE int kg_razor(int depth) { return KG_RAZOR_A + KG_RAZOR_B * depth; }
KG_INLINE int kg_pc_left(int depth) { const int left = depth - KG_PC_LEFT; return left > 1 ? left : 1; }
KG_INLINE int kg_pc_margin(int depth) { (void)depth; return KG_PC_MARGIN; }

/* Natural logarithms of 0 to 15, times 256. */
KG_INLINE int kg_log(int number) {
    static const int16_t logs[16] = {0, 0, 177, 281, 355, 412, 459, 498, 532, 562, 589, 614, 636, 657, 676, 693};
    return number < 16 ? logs[number] : 177 + logs[number / 2 < 16 ? number / 2 : 15];
}

KG_INLINE int kg_reduction(int depth, int index, int wide, int gain, int again) {
    (void)again;
    int less = (int)(KG_LMR_BASE * 256) + (int)(kg_log(depth) * kg_log(index + 1) / (256 * KG_LMR_DIV));
    less = less < 0 ? 0 : less >> 8;
    less -= (wide && KG_LMR_WIDE) + (gain >= KG_LMR_GAIN);
    if (KG_LMR_EVEN)
        less = depth >= KG_LMR_D2 && index >= KG_LMR_EVEN && gain < KG_LMR_GAIN ? depth >= KG_LMR_D4 && index >= KG_LMR_I4 ? 4 : 2 : 0;
    if (KG_LMR_EVEN && wide && KG_LMR_PV)
        less = less > 2 ? 2 : 0;
    if (less > depth - 2)
        less = depth - 2;
    return less < 0 ? 0 : less;
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
