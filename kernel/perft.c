/* Counts of sequences of plies, by which implementations of the rules are compared. */
#include "rules.h"

/* Once for each game, with its rules constant and the holes unrolled, so that their shifts and table rows are constants
 * too. The last ply has a loop of its own. The digest depends on every position reached: no compiler may leave out the
 * last sowing. */
#define KG_EACH_HOLE(hole) _Pragma("GCC unroll 9") for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++)
#define KG_PERFT(name, record)                                                                                   \
    static uint64_t bulk_##name(const kg_kernel *kernel, const kg_position *position, int32_t depth) {           \
        const kg_rules *rules = record;                                                                          \
        if (kg_ending(rules, position) != KG_ONGOING)                                                            \
            return 0;                                                                                            \
        if (depth == 1)                                                                                          \
            return kg_own_filled(rules, position);                                                               \
        uint64_t count = 0;                                                                                      \
        KG_EACH_HOLE(hole) {                                                                                     \
            if (kg_own_stones(position, hole) == 0)                                                              \
                continue;                                                                                        \
            kg_position after;                                                                                   \
            kg_sow(rules, kernel->rows, position, hole, &after);                                                 \
            if (depth > 2)                                                                                       \
                count += bulk_##name(kernel, &after, depth - 1);                                                 \
            else if (kg_ending(rules, &after) == KG_ONGOING)                                                     \
                count += kg_own_filled(rules, &after);                                                           \
        }                                                                                                        \
        return count;                                                                                            \
    }                                                                                                            \
    static uint64_t each_##name(const kg_kernel *kernel, const kg_position *position, int32_t depth,             \
                                uint64_t *digest) {                                                              \
        const kg_rules *rules = record;                                                                          \
        if (kg_ending(rules, position) != KG_ONGOING)                                                            \
            return 0;                                                                                            \
        uint64_t count = 0, mixed = 0;                                                                           \
        kg_position after;                                                                                       \
        if (depth > 1) {                                                                                         \
            KG_EACH_HOLE(hole) {                                                                                 \
                if (kg_own_stones(position, hole) == 0)                                                          \
                    continue;                                                                                    \
                kg_sow(rules, kernel->rows, position, hole, &after);                                             \
                count += each_##name(kernel, &after, depth - 1, digest);                                         \
            }                                                                                                    \
            return count;                                                                                        \
        }                                                                                                        \
        KG_EACH_HOLE(hole) {                                                                                     \
            if (kg_own_stones(position, hole) == 0)                                                              \
                continue;                                                                                        \
            kg_sow(rules, kernel->rows, position, hole, &after);                                                 \
            count++;                                                                                             \
            mixed += after.own ^ after.other ^ after.rest;                                                       \
        }                                                                                                        \
        *digest += mixed;                                                                                        \
        return count;                                                                                            \
    }                                                                                                            \
    static uint64_t perft_##name(const kg_kernel *kernel, const kg_position *position, int32_t depth,            \
                                 int32_t bulk) {                                                                 \
        uint64_t digest = 0;                                                                                     \
        const uint64_t count = bulk ? bulk_##name(kernel, position, depth)                                       \
                                    : each_##name(kernel, position, depth, &digest);                             \
        __asm__ volatile("" : : "r"(digest));                                                                    \
        return count;                                                                                            \
    }

#define KG_PERFT_OF(name) KG_PERFT(name, &kg_rules_##name)
KG_EACH_GAME(KG_PERFT_OF)
KG_PERFT(any, &kernel->rules)

KG_API uint64_t kg_perft(const kg_kernel *kernel, const kg_position *position, int32_t depth, int32_t bulk) {
    return depth <= 0 ? 1 : KG_DISPATCH(kernel, perft, kernel, position, depth, bulk);
}
