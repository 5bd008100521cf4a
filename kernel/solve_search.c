/* Null-window search above the table of mangala.
 *
 * An entry of the transposition table is one word: the part of the position's number that its place does not tell, two
 * bounds and the work they took. Place and rest together are the whole number, so no entry ever speaks for another
 * position, and threads that share the table see each entry whole or not at all. */
#include "solve.h"

#include "solve_weights.h"

enum { KEY_BITS = 50, VALUE_BITS = 7, VALUE_ZERO = 64, WORK_BITS = 6, CLUSTER = 8, LEAST_BITS = 10 };
enum { ABORTED = 127, CHECK_NODES = 1024 };
/* What a stone gained counts when moves are ordered, where one hoped for counts 16. Three times as much needs a seventh
 * of the positions: it brings the table nearer too. */
enum { GAINED = 48 };

static const uint64_t key_mask = (UINT64_C(1) << KEY_BITS) - 1;

KG_API uint64_t kg_searcher_bytes(void) {
    return sizeof(kg_searcher);
}

KG_API int32_t kg_searcher_init(kg_searcher *searcher, const kg_solver *solver, uint64_t *words, uint64_t entries) {
    int bits = 0;
    while (entries >> (bits + 1))
        bits++;
    bits -= 3;
    if (entries & (entries - 1) || bits < LEAST_BITS)
        return KG_BAD_RULES;
    *searcher = (kg_searcher){.solver = solver, .words = words, .bits = bits};
    return 0;
}

KG_INLINE uint64_t key_of(const kg_solver *solver, uint64_t own, uint64_t other) {
    const uint64_t mine = kg_prefixes(own), his = kg_prefixes(other);
    const uint64_t a = kg_row_rank(solver, mine) + solver->steps[5][kg_byte(mine, 5)];
    const uint64_t b = kg_row_rank(solver, his) + solver->steps[5][kg_byte(his, 5)];
    return a << 25 | b;
}

KG_API uint64_t kg_solve_key(const kg_solver *solver, const kg_position *position) {
    return key_of(solver, position->own, position->other);
}

static uint64_t row_of(const kg_solver *solver, uint32_t rank) {
    uint64_t row = 0;
    unsigned above = 0;
    for (int k = KG_SOLVE_HOLES - 1; k >= 0; k--) {
        unsigned sum = KG_SOLVE_STONES;
        while (solver->steps[k][sum] > rank)
            sum--;
        rank -= solver->steps[k][sum];
        if (k < KG_SOLVE_HOLES - 1)
            row |= (uint64_t)(above - sum) << (8 * (k + 1));
        above = sum;
    }
    return row | above;
}

KG_API void kg_solve_position(const kg_solver *solver, uint64_t key, kg_position *position) {
    *position = (kg_position){row_of(solver, (uint32_t)(key >> 25) & 0x1ffffff),
                              row_of(solver, (uint32_t)key & 0x1ffffff), 0};
}

/* Each step can be undone, so different numbers stay different. */
KG_INLINE uint64_t mixed(uint64_t key) {
    key = (key * UINT64_C(0x9e3779b97f4a7c15)) & key_mask;
    key ^= key >> 25;
    key = (key * UINT64_C(0xd1b54a32d192ed03)) & key_mask;
    return key ^ key >> 25;
}

KG_INLINE uint64_t *cluster_of(const kg_searcher *searcher, uint64_t mix) {
    return searcher->words + (mix >> (KEY_BITS - searcher->bits)) * CLUSTER;
}

/* An empty word is 0: an entry never is, as its bounds are kept above 0. */
KG_INLINE int find(const kg_searcher *searcher, uint64_t mix, int *lower, int *upper) {
    uint64_t *words = cluster_of(searcher, mix);
    const int low = KEY_BITS - searcher->bits;
    const uint64_t rest = mix & ((UINT64_C(1) << low) - 1);
    for (int at = 0; at < CLUSTER; at++) {
        const uint64_t word = __atomic_load_n(words + at, __ATOMIC_RELAXED);
        if (word != 0 && word >> (64 - low) == rest) {
            *lower = (int)(word & 127) - VALUE_ZERO;
            *upper = (int)(word >> VALUE_BITS & 127) - VALUE_ZERO;
            return 1;
        }
    }
    return 0;
}

static void keep(kg_searcher *searcher, uint64_t mix, int lower, int upper, uint64_t work) {
    uint64_t *words = cluster_of(searcher, mix), *place = words;
    const int low = KEY_BITS - searcher->bits;
    const uint64_t rest = mix & ((UINT64_C(1) << low) - 1);
    uint64_t effort = 0, least = ~UINT64_C(0);
    while (work >> effort && effort < (1 << WORK_BITS) - 1)
        effort++;
    for (int at = 0; at < CLUSTER; at++) {
        const uint64_t word = __atomic_load_n(words + at, __ATOMIC_RELAXED);
        if (word != 0 && word >> (64 - low) == rest) {
            const int known_lower = (int)(word & 127) - VALUE_ZERO;
            const int known_upper = (int)(word >> VALUE_BITS & 127) - VALUE_ZERO;
            lower = lower > known_lower ? lower : known_lower;
            upper = upper < known_upper ? upper : known_upper;
            const uint64_t known_effort = word >> (2 * VALUE_BITS) & ((1 << WORK_BITS) - 1);
            effort = effort > known_effort ? effort : known_effort;
            place = words + at;
            break;
        }
        const uint64_t worth = word == 0 ? 0 : 1 + (word >> (2 * VALUE_BITS) & ((1 << WORK_BITS) - 1));
        if (worth < least) {
            least = worth;
            place = words + at;
        }
    }
    const uint64_t word = rest << (64 - low) | effort << (2 * VALUE_BITS) |
                          (uint64_t)(upper + VALUE_ZERO) << VALUE_BITS | (uint64_t)(lower + VALUE_ZERO);
    __atomic_store_n(place, word, __ATOMIC_RELAXED);
}

KG_INLINE int estimate(uint64_t own, uint64_t other) {
    int value = 0;
    for (unsigned hole = 0; hole < KG_SOLVE_HOLES; hole++)
        value += kg_solve_own[hole][kg_byte(own, hole)] + kg_solve_other[hole][kg_byte(other, hole)];
    return value;
}

KG_API int32_t kg_solve_estimate(const kg_position *position) {
    return estimate(position->own, position->other);
}

typedef struct {
    uint64_t own, other, mix;
    int gain, again, stones, hope;
} child;

/* A bound of the value that shows whether it reaches target: fail-soft. ABORTED when the search was ended. */
#define KG_SEARCH(name, record)                                                                                   \
    static int search_##name(kg_searcher *searcher, uint64_t own, uint64_t other, uint64_t mix, int stones,       \
                             int target) {                                                                        \
        const kg_solver *solver = searcher->solver;                                                               \
        const kg_rules *rules = record;                                                                           \
        const uint64_t before = searcher->nodes++;                                                                \
        if (before % CHECK_NODES == 0 && (searcher->stop || (searcher->limit && before >= searcher->limit)))      \
            searcher->aborted = 1;                                                                                \
        if (searcher->aborted)                                                                                    \
            return ABORTED;                                                                                       \
        const kg_position position = {own, other, 0};                                                             \
        child children[KG_SOLVE_HOLES];                                                                           \
        int count = 0, best = -VALUE_ZERO;                                                                        \
        for (int hole = KG_SOLVE_HOLES - 1; hole >= 0; hole--) {                                                  \
            if (kg_byte(own, (unsigned)hole) == 0)                                                                \
                continue;                                                                                         \
            kg_position after;                                                                                    \
            const int again = kg_sow(rules, solver->kernel->rows, &position, (unsigned)hole, &after);             \
            const int gain = (int)(again ? kg_own_store(&after) : kg_other_store(&after));                        \
            const int left = stones - gain;                                                                       \
            int exact = VALUE_ZERO;                                                                               \
            if (kg_ending(rules, &after) != KG_ONGOING)                                                           \
                exact = kg_swept(solver, kg_sum(after.own), kg_sum(after.other));                                 \
            else if (left <= solver->stones)                                                                      \
                exact = solver->table[kg_solve_index(solver, after.own, after.other)];                            \
            if (exact != VALUE_ZERO) {                                                                            \
                const int value = again ? gain + exact : gain - exact;                                            \
                best = value > best ? value : best;                                                               \
                continue;                                                                                         \
            }                                                                                                     \
            if (gain + left < target) {                                                                           \
                best = gain + left > best ? gain + left : best;                                                   \
                continue;                                                                                         \
            }                                                                                                     \
            const uint64_t next = mixed(key_of(solver, after.own, after.other));                                  \
            __builtin_prefetch(cluster_of(searcher, next));                                                       \
            children[count++] = (child){after.own, after.other, next, gain, again, left, 0};                      \
        }                                                                                                         \
        if (best < target) {                                                                                      \
            int open = 0;                                                                                         \
            for (int at = 0; at < count; at++) {                                                                  \
                child next = children[at];                                                                        \
                int lower = -VALUE_ZERO, upper = VALUE_ZERO;                                                      \
                if (find(searcher, next.mix, &lower, &upper)) {                                                   \
                    const int least = next.again ? next.gain + lower : next.gain - upper;                         \
                    const int most = next.again ? next.gain + upper : next.gain - lower;                          \
                    if (least >= target) {                                                                        \
                        best = least > best ? least : best;                                                       \
                        break;                                                                                    \
                    }                                                                                             \
                    if (most < target) {                                                                          \
                        best = most > best ? most : best;                                                         \
                        continue;                                                                                 \
                    }                                                                                             \
                }                                                                                                 \
                const int hope = estimate(next.own, next.other);                                                  \
                next.hope = GAINED * next.gain + (next.again ? hope : -hope);                                         \
                int place = open++;                                                                               \
                for (; place > 0 && children[place - 1].hope < next.hope; place--)                                \
                    children[place] = children[place - 1];                                                        \
                children[place] = next;                                                                           \
            }                                                                                                     \
            for (int at = 0; at < open && best < target; at++) {                                                  \
                const child *next = children + at;                                                                \
                const int wanted = next->again ? target - next->gain : next->gain - target + 1;                   \
                const int bound = search_##name(searcher, next->own, next->other, next->mix, next->stones,        \
                                                wanted);                                                          \
                if (bound == ABORTED)                                                                             \
                    return ABORTED;                                                                               \
                const int value = next->again ? next->gain + bound : next->gain - bound;                          \
                best = value > best ? value : best;                                                               \
            }                                                                                                     \
        }                                                                                                         \
        const int lower = best >= target ? best : -stones, upper = best >= target ? stones : best;                \
        keep(searcher, mix, lower, upper, searcher->nodes - before);                                              \
        return best;                                                                                              \
    }

KG_SEARCH(mangala, &kg_rules_mangala)
KG_SEARCH(any, &solver->kernel->rules)

KG_API void kg_searcher_known(const kg_searcher *searcher, const kg_position *position, int32_t *lower,
                              int32_t *upper) {
    const kg_solver *solver = searcher->solver;
    const unsigned own = kg_sum(position->own), other = kg_sum(position->other);
    const kg_position board = {position->own, position->other, 0};
    int low = -(int)(own + other), high = (int)(own + other);
    if (kg_ending(&solver->kernel->rules, &board) != KG_ONGOING)
        low = high = kg_swept(solver, own, other);
    else if ((int)(own + other) <= solver->stones)
        low = high = solver->table[kg_solve_index(solver, board.own, board.other)];
    else
        find(searcher, mixed(key_of(solver, board.own, board.other)), &low, &high);
    *lower = low;
    *upper = high;
}

KG_API int32_t kg_searcher_test(kg_searcher *searcher, const kg_position *position, int32_t target, uint64_t limit,
                                int32_t *bound) {
    const kg_solver *solver = searcher->solver;
    int32_t lower, upper;
    searcher->stop = 0;
    searcher->aborted = 0;
    searcher->limit = limit ? searcher->nodes + limit : 0;
    const int stones = (int)(kg_sum(position->own) + kg_sum(position->other));
    if (stones > KG_SOLVE_STONES)
        return KG_BAD_POSITION;
    kg_searcher_known(searcher, position, &lower, &upper);
    if (lower >= target || upper < target) {
        *bound = lower >= target ? lower : upper;
        return 1;
    }
    const uint64_t mix = mixed(key_of(solver, position->own, position->other));
    *bound = solver->mangala ? search_mangala(searcher, position->own, position->other, mix, stones, target)
                             : search_any(searcher, position->own, position->other, mix, stones, target);
    return *bound != ABORTED;
}

KG_API uint64_t kg_searcher_nodes(const kg_searcher *searcher) {
    return searcher->nodes;
}

KG_API void kg_searcher_stop(kg_searcher *searcher) {
    searcher->stop = 1;
}
