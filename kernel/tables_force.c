/* Pages read tables and work nothing out from them. */
#ifndef __wasm__

#include "tables_before.h"
#include "tables_build.h"
#include "tables_force.h"

enum { OWN = 1, OTHER = 2, BOTH = 3 };

typedef struct {
    const kg_tables *tables;
    const uint8_t *const *lower;
    uint8_t *marks, *asked;
    unsigned stones;
} force;

KG_INLINE unsigned packed_mark(const uint8_t *packed, uint64_t index) {
    return packed[index >> 2] >> 2 * (index & 3) & BOTH;
}

/* What follows a sowing, of the side to move there and of the other: what they are sure of, and their marks. */
KG_INLINE int after(const force *at, const kg_rules *rules, const kg_position *next, unsigned left, int *to_move,
                    int *waiting, unsigned *mark) {
    const kg_tables *tables = at->tables;
    *mark = BOTH;
    if (left == 0) {
        *to_move = *waiting = 0;
        return 1;
    }
    if (next->rest >> 32) { /* with a tuz every game ends */
        const uint8_t *pair = kg_tables_pair(tables, (unsigned)rules->holes, next, left);
        if (!pair)
            return 0;
        *to_move = ((int)left + pair[0] - 128) / 2;
        *waiting = (int)left - *to_move;
        return 1;
    }
    const kg_table *gains = &tables->table[tables->gains][left];
    if (!gains->data)
        return 0;
    const uint64_t index = kg_rank_rows(tables, (unsigned)rules->holes, &tables->shape[0][0], next, left);
    const uint8_t *pair = kg_table_pair(gains, index);
    *to_move = pair[0];
    *waiting = pair[1];
    if (left == at->stones) {
        *mark = __atomic_load_n(at->marks + index, __ATOMIC_RELAXED);
    } else {
        if (!at->lower[left])
            return 0;
        *mark = packed_mark(at->lower[left], index);
    }
    return 1;
}

/* The marks of a position as far as they follow from those of the positions that its sowings lead to; -1 where a table
 * is missing. No side can gain more than it is sure of, unless the other lets it. */
typedef int marked(const force *at, const kg_position *position, int own, int other);
KG_INLINE int mark_of(const force *at, const kg_rules *rules, const kg_position *position, int own, int other) {
    if (kg_ending(rules, position) != KG_ONGOING)
        return BOTH;
    unsigned found = OTHER;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        if (!kg_own_stones(position, hole))
            continue;
        kg_position next;
        const int again = kg_sow(rules, at->tables->kernel->rows, position, hole, &next);
        const unsigned left = at->stones - kg_own_store(&next) - kg_other_store(&next);
        int to_move, waiting;
        unsigned mark;
        if (!after(at, rules, &next, left, &to_move, &waiting, &mark))
            return -1;
        const int mine = again ? (int)kg_own_store(&next) + to_move : (int)kg_other_store(&next) + waiting;
        const int his = again ? (int)kg_other_store(&next) + waiting : (int)kg_own_store(&next) + to_move;
        if (!again)
            mark = (mark & OWN) << 1 | mark >> 1;
        if (mine == own)
            found |= mark & OWN;
        if (his == other && !(mark & OTHER))
            found &= ~(unsigned)OTHER;
        if (found == OWN)
            break;
    }
    return (int)found;
}

KG_INLINE int64_t sweep(const kg_rules *rules, marked *mark_of, const force *at, uint64_t from, uint64_t to) {
    const kg_tables *tables = at->tables;
    const kg_table *gains = &tables->table[tables->gains][at->stones];
    int64_t changed = 0;
    kg_position position;
    uint64_t stands = UINT64_MAX; /* the index of the position */
    if (!gains->data)
        return KG_TABLE_MISSING;
    for (uint64_t index = from; index < to; index++) {
        const unsigned known = __atomic_load_n(at->marks + index, __ATOMIC_RELAXED);
        if (known == BOTH || (at->asked && !__atomic_load_n(at->asked + index, __ATOMIC_RELAXED)))
            continue;
        if (stands > index || index - stands > 24)
            kg_tables_position(tables, (int32_t)at->stones, 0, index, &position);
        else
            for (; stands < index; stands++)
                kg_table_step(&tables->shape[0][0], (unsigned)rules->holes, 1, &position);
        stands = index;
        /* Taken off first: whoever changes what is read here asks again afterwards. */
        if (at->asked)
            __atomic_exchange_n(at->asked + index, 0, __ATOMIC_ACQ_REL);
        const uint8_t *pair = kg_table_pair(gains, index);
        const int found = mark_of(at, &position, pair[0], pair[1]);
        if (found < 0)
            return KG_TABLE_MISSING;
        if (!(found & ~(int)known))
            continue;
        __atomic_fetch_or(at->marks + index, (uint8_t)found, __ATOMIC_RELAXED);
        changed++;
        if (at->asked)
            kg_ask_before(tables, rules, &position, at->stones, at->asked);
    }
    return changed;
}

#define KG_FORCE_GAME(name, constant)                                                                             \
    static __attribute__((noinline)) int mark_##name(const force *at, const kg_position *position, int own,       \
                                                     int other) {                                                 \
        return mark_of(at, constant, position, own, other);                                                       \
    }                                                                                                             \
    static int64_t force_##name(const force *at, uint64_t from, uint64_t to) {                                    \
        return sweep(constant, mark_##name, at, from, to);                                                        \
    }
#define KG_FORCE_OF(name) KG_FORCE_GAME(name, &kg_rules_##name)
KG_EACH_GAME(KG_FORCE_OF)
KG_FORCE_GAME(any, &at->tables->kernel->rules)

KG_API int64_t kg_tables_force(const kg_tables *tables, int32_t layer, const uint8_t *const *lower, uint8_t *marks,
                               uint8_t *asked, uint64_t from, uint64_t to) {
    const force at = {.tables = tables, .lower = lower, .marks = marks, .asked = asked, .stones = (unsigned)layer};
    return KG_DISPATCH(tables->kernel, force, &at, from, to);
}

KG_API void kg_tables_pack_marks(const uint8_t *marks, uint64_t count, uint8_t *to) {
    for (uint64_t index = 0; index < count; index += 4) {
        unsigned byte = 0;
        for (uint64_t each = index; each < count && each < index + 4; each++)
            byte |= (marks[each] & (unsigned)BOTH) << 2 * (each & 3);
        to[index >> 2] = (uint8_t)byte;
    }
}

KG_API int32_t kg_tables_mark(const kg_tables *tables, const uint8_t *const *packed, const kg_position *position) {
    const unsigned stones = kg_board(position);
    return (int32_t)packed_mark(packed[stones], kg_rank_rows(tables, (unsigned)tables->kernel->rules.holes,
                                                             &tables->shape[0][0], position, stones));
}

KG_API void kg_tables_count_draws(const kg_tables *tables, int32_t layer, const uint8_t *packed, kg_draws *draws) {
    const kg_table *gains = &tables->table[tables->gains][layer];
    *draws = (kg_draws){0};
    /* Behind the positions in which the side to move has no stone, and the game is over. */
    for (uint64_t index = tables->offset[layer][1]; gains->data && index < gains->count; index++) {
        const uint8_t *pair = kg_table_pair(gains, index);
        const int unsure = layer - pair[0] - pair[1];
        draws->positions += (uint64_t)layer + 1;
        draws->drawn += (uint64_t)unsure + 1;
        if (unsure) {
            draws->decided += (uint64_t)unsure + 1;
            continue;
        }
        const unsigned mark = packed_mark(packed, index);
        draws->neither += mark == 0;
        draws->one_sided += mark == OWN || mark == OTHER;
        draws->open += mark != BOTH && pair[0] && pair[1];
    }
}

KG_API uint64_t kg_tables_list_draws(const kg_tables *tables, int32_t layer, const uint8_t *packed, int32_t open,
                                     uint64_t *from, uint64_t *indices, uint64_t capacity) {
    const kg_table *gains = &tables->table[tables->gains][layer];
    uint64_t found = 0, index = *from;
    if (index < tables->offset[layer][1])
        index = tables->offset[layer][1];
    for (; gains->data && index < gains->count && found < capacity; index++) {
        const uint8_t *pair = kg_table_pair(gains, index);
        if (pair[0] + pair[1] == layer && packed_mark(packed, index) != BOTH && (!open || (pair[0] && pair[1])))
            indices[found++] = index;
    }
    *from = index;
    return found;
}

#endif
