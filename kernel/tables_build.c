/* Pages read tables and do not build them. */
#ifndef __wasm__

#include "tables_build.h"
#include "tables_before.h"

/* What a sowing gives is looked up in the tables of lower layers, or, where all stones stayed on the board, among what
 * is being worked out. */
typedef struct {
    const kg_tables *tables;
    const kg_row *rows;
    uint8_t *low, *high; /* high is null in an exact unit */
    uint8_t *asked;      /* 1 for a position that is to be looked at again; null for all */
    uint64_t count;      /* of a plane */
    unsigned stones;
    const kg_table *gains; /* by layers, in the unit of gains; else null */
} work;

KG_INLINE uint8_t peek(const uint8_t *at) {
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

KG_INLINE void poke(uint8_t *at, uint8_t value) {
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

/* What the sweep gives the side to move more than the other, where play is over. */
KG_INLINE int swept(const kg_rules *rules, const kg_position *position) {
    const int difference = (int)kg_own_board(position) - (int)kg_other_board(position);
    return rules->sweep == KG_SWEEP_NOBODY ? 0 : rules->sweep == KG_SWEEP_EMPTIED ? -difference : difference;
}

KG_INLINE int tuz_count(const kg_position *position) {
    return (kg_byte(position->rest, 4) != 0) + (kg_byte(position->rest, 5) != 0);
}

KG_INLINE uint64_t place_in_layer(const work *at, const kg_rules *rules, const kg_position *position) {
    const kg_shape *shape = &at->tables->shape[kg_byte(position->rest, 4)][kg_byte(position->rest, 5)];
    if (position->rest >> 32)
        return kg_rank_path(at->tables, shape, position) + (shape->plane ? at->count : 0);
    return kg_rank_rows(at->tables, (unsigned)rules->holes, shape, position, at->stones);
}

/* low and high of the side to move (128 + lower, 128 - upper), 0 for endless, from all its sowings. Answers 0 where a
 * table is missing. The stores of the position must be empty. Each game has it once, as a function of its own that
 * what follows calls: copies in every loop would make compiling twice as long and nothing faster. */
typedef int valued(const work *at, const kg_position *position, int *low, int *high);
KG_INLINE int value(const work *at, const kg_rules *rules, const kg_position *position, int *low, int *high) {
    if (kg_ending(rules, position) != KG_ONGOING) {
        const int difference = swept(rules, position);
        *low = 128 + difference;
        *high = 128 - difference;
        return 1;
    }
    int most = 0, least = 255;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        if (!kg_own_stones(position, hole))
            continue;
        kg_position next;
        const int again = kg_sow(rules, at->rows, position, hole, &next);
        const int own = (int)kg_own_store(&next), other = (int)kg_other_store(&next);
        int his_low, his_high; /* seen from the player to move in next */
        /* With tuz_takes=no a new tuz leaves all stones on the board, and its units were worked out before. */
        const int made = rules->tuz && !rules->tuz_takes && tuz_count(&next) != tuz_count(position);
        if (own + other == 0 && !made) {
            const uint64_t index = place_in_layer(at, rules, &next);
            his_low = peek(at->low + index);
            his_high = at->high ? peek(at->high + index) : 256 - his_low;
        } else {
            const uint8_t *pair = kg_tables_pair(at->tables, (unsigned)rules->holes, &next,
                                                 at->stones - (unsigned)(own + other));
            if (!pair)
                return 0;
            his_low = pair[0];
            his_high = pair[1];
        }
        const int gain = again ? own - other : other - own;
        const int mine = again ? his_low : his_high, against = again ? his_high : his_low;
        /* 0 stays 0: whatever was gained before, what follows is endless. */
        const int lower = mine ? mine + gain : 0, upper = against ? against - gain : 0;
        most = lower > most ? lower : most;
        least = upper < least ? upper : least;
    }
    *low = most;
    *high = least;
    return 1;
}

/* The same for what each side is sure to gain: low is the side to move, high the other, and endless play gains
 * nothing. */
KG_INLINE int gain_value(const work *at, const kg_rules *rules, const kg_position *position, int *low, int *high) {
    if (kg_ending(rules, position) != KG_ONGOING) {
        const int emptied = rules->sweep == KG_SWEEP_EMPTIED;
        *low = (int)(emptied ? kg_other_board(position) : kg_own_board(position));
        *high = (int)(emptied ? kg_own_board(position) : kg_other_board(position));
        return 1;
    }
    int most = 0, least = 255;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        if (!kg_own_stones(position, hole))
            continue;
        kg_position next;
        const int again = kg_sow(rules, at->rows, position, hole, &next);
        const unsigned left = at->stones - kg_own_store(&next) - kg_other_store(&next);
        int to_move, waiting;
        if (next.rest >> 32) {
            /* With a tuz play ends, and every stone is gained by one side. */
            const uint8_t *pair = kg_tables_pair(at->tables, (unsigned)rules->holes, &next, left);
            if (!pair)
                return 0;
            to_move = ((int)left + pair[0] - 128) / 2;
            waiting = (int)left - to_move;
        } else {
            const uint64_t index =
                kg_rank_rows(at->tables, (unsigned)rules->holes, &at->tables->shape[0][0], &next, left);
            if (left == at->stones) {
                to_move = peek(at->low + index);
                waiting = peek(at->high + index);
            } else {
                if (!at->gains[left].data)
                    return 0;
                const uint8_t *pair = kg_table_pair(&at->gains[left], index);
                to_move = pair[0];
                waiting = pair[1];
            }
        }
        const int mine = again ? (int)kg_own_store(&next) + to_move : (int)kg_other_store(&next) + waiting;
        const int his = again ? (int)kg_other_store(&next) + waiting : (int)kg_own_store(&next) + to_move;
        most = mine > most ? mine : most;
        least = his < least ? his : least;
    }
    *low = most;
    *high = least;
    return 1;
}

/* The next way to lay the stones of these cells, in the order of ranks; 0 after the last. */
static __attribute__((noinline)) int next_row(uint8_t *bytes, const uint8_t *order, unsigned cells) {
    unsigned cell = 1;
    while (cell < cells && bytes[order[cell]] == 0)
        cell++;
    if (cell >= cells)
        return 0;
    const uint8_t first = bytes[order[0]];
    bytes[order[0]] = 0;
    bytes[order[cell]]--;
    bytes[order[cell - 1]] = (uint8_t)(first + 1);
    return 1;
}

static void first_row(uint8_t *bytes, const uint8_t *order, unsigned cells, unsigned stones) {
    for (unsigned cell = 0; cell < cells; cell++)
        bytes[order[cell]] = 0;
    bytes[order[cells - 1]] = (uint8_t)stones;
}

static void row_of(const kg_tables *tables, uint64_t rank, uint8_t *bytes, const uint8_t *order, unsigned cells,
                   unsigned stones) {
    unsigned before = stones; /* stones in the cells up to this one */
    for (unsigned cell = cells; cell-- > 0;) {
        unsigned less = 0; /* in the cells before it */
        if (cell) {
            less = before;
            while (tables->choose[cell - 1][less] > rank)
                less--;
            rank -= tables->choose[cell - 1][less];
        }
        bytes[order[cell]] = (uint8_t)(before - less);
        before = less;
    }
}

static const kg_shape *shape_of(const kg_tables *tables, int32_t unit, unsigned plane) {
    const unsigned won = tables->won[unit], lost = tables->lost[unit];
    return plane ? &tables->shape[lost][won] : &tables->shape[won][lost];
}

KG_API void kg_tables_position(const kg_tables *tables, int32_t layer, int32_t unit, uint64_t index,
                               kg_position *position) {
    const uint64_t count = kg_table_count(tables, layer, unit);
    const unsigned plane = index >= count, holes = (unsigned)tables->kernel->rules.holes;
    const unsigned won = tables->won[unit], lost = tables->lost[unit], stones = (unsigned)layer;
    const kg_shape *shape = shape_of(tables, unit, plane);
    *position = (kg_position){0, 0, plane ? (uint64_t)lost << 32 | (uint64_t)won << 40
                                          : (uint64_t)won << 32 | (uint64_t)lost << 40};
    uint8_t *bytes = (uint8_t *)position;
    index -= plane ? count : 0;
    if (won) {
        row_of(tables, index, bytes, shape->order, shape->cells, stones);
        return;
    }
    unsigned own = 0;
    while (tables->offset[layer][own + 1] <= index)
        own++;
    index -= tables->offset[layer][own];
    row_of(tables, index / tables->rows[stones - own], bytes, shape->order, holes, own);
    row_of(tables, index % tables->rows[stones - own], bytes, shape->order + holes, holes, stones - own);
}

/* Moves to the position with the next index of the same plane; 0 after the last. */
__attribute__((noinline)) int kg_table_step(const kg_shape *shape, unsigned holes, int rows, kg_position *position) {
    uint8_t *bytes = (uint8_t *)position;
    if (!rows)
        return next_row(bytes, shape->order, shape->cells);
    if (next_row(bytes, shape->order + holes, holes))
        return 1;
    const unsigned other = kg_other_board(position), own = kg_own_board(position);
    first_row(bytes, shape->order + holes, holes, other);
    if (next_row(bytes, shape->order, holes))
        return 1;
    if (other == 0)
        return 0;
    first_row(bytes, shape->order, holes, own + 1);
    first_row(bytes, shape->order + holes, holes, other - 1);
    return 1;
}

KG_API int32_t kg_table_tuz(const kg_tables *tables, int32_t unit) {
    return unit < 0 || unit >= tables->units ? -1 : (tables->won[unit] != 0) + (tables->lost[unit] != 0);
}

KG_API int32_t kg_table_exact(const kg_tables *tables, int32_t unit) {
    const kg_rules *rules = &tables->kernel->rules;
    if (tables->won[unit])
        return rules->tuz_takes && tables->won[unit] != tables->lost[unit];
    return !(unit && unit == tables->gains) && rules->store_sown && (rules->tuz_takes || !rules->tuz);
}

KG_API int32_t kg_table_tasks(const kg_tables *tables, int32_t layer, int32_t unit) {
    return tables->won[unit] ? 1 : layer / 2 + 1;
}

KG_INLINE int64_t fill_path(const kg_rules *rules, valued *value, const work *at, int32_t layer, int32_t unit) {
    const kg_shape *shape = shape_of(at->tables, unit, 0);
    kg_position position;
    kg_tables_position(at->tables, layer, unit, 0, &position);
    uint64_t index = 0;
    do {
        const kg_position turned = kg_turned(position);
        int low, high;
        if (!value(at, &position, &low, &high))
            return KG_TABLE_MISSING;
        at->low[index] = (uint8_t)low;
        if (!value(at, &turned, &low, &high))
            return KG_TABLE_MISSING;
        at->low[at->count + index] = (uint8_t)low;
        index++;
    } while (kg_table_step(shape, (unsigned)rules->holes, 0, &position));
    return 2 * (int64_t)index;
}

/* Without a tuz and where stores are sown, a sowing that keeps all stones on the board stays on the mover's side:
 * blocks with the same numbers of stones on the two sides depend on no other. One side's rows run outside, the
 * other's inside, and what is asked for has a lower place in one and the same place in the other. */
KG_INLINE int64_t fill_block(const kg_rules *rules, valued *value, const work *at, unsigned own) {
    const kg_tables *tables = at->tables;
    const unsigned holes = (unsigned)rules->holes, other = at->stones - own;
    const uint8_t *order = tables->shape[0][0].order;
    kg_position position = {0, 0, 0};
    uint8_t *bytes = (uint8_t *)&position;
    first_row(bytes, order, holes, own);
    int64_t done = 0;
    uint64_t i = 0;
    do {
        first_row(bytes, order + holes, holes, other);
        uint64_t j = 0;
        do {
            int low, high;
            if (!value(at, &position, &low, &high))
                return KG_TABLE_MISSING;
            at->low[tables->offset[at->stones][own] + i * tables->rows[other] + j] = (uint8_t)low;
            done++;
            if (own != other || i != j) {
                const kg_position turned = kg_turned(position);
                if (!value(at, &turned, &low, &high))
                    return KG_TABLE_MISSING;
                at->low[tables->offset[at->stones][other] + j * tables->rows[own] + i] = (uint8_t)low;
                done++;
            }
            j++;
        } while ((own != other || j <= i) && next_row(bytes, order + holes, holes));
        i++;
    } while (next_row(bytes, order, holes));
    return done;
}

KG_INLINE int64_t sweep(const kg_rules *rules, valued *value, const work *at, int32_t layer, int32_t unit,
                        uint64_t from, uint64_t to) {
    int64_t improved = 0;
    kg_position position;
    uint64_t stands = UINT64_MAX; /* the index of the position */
    const int settled = at->gains ? (int)at->stones : 256; /* nothing is left to be known */
    for (uint64_t index = from; index < to; index++) {
        const int low = at->low[index], high = at->high[index];
        if (low + high == settled || (at->asked && !peek(at->asked + index)))
            continue;
        if (stands > index || index - stands > 24 || index >= at->count)
            kg_tables_position(at->tables, layer, unit, index, &position);
        else
            for (; stands < index; stands++)
                kg_table_step(shape_of(at->tables, unit, 0), (unsigned)rules->holes, !at->tables->won[unit], &position);
        stands = index;
        /* Taken off first: whoever improves what is read here asks again afterwards. */
        if (at->asked)
            __atomic_exchange_n(at->asked + index, 0, __ATOMIC_ACQ_REL);
        int more_low, more_high;
        if (!(at->gains ? gain_value(at, rules, &position, &more_low, &more_high)
                        : value(at, &position, &more_low, &more_high)))
            return KG_TABLE_MISSING;
        if (more_low <= low && more_high <= high)
            continue;
        if (more_low > low)
            poke(at->low + index, (uint8_t)more_low);
        if (more_high > high)
            poke(at->high + index, (uint8_t)more_high);
        improved++;
        if (at->asked)
            kg_ask_before(at->tables, rules, &position, at->stones, at->asked);
    }
    return improved;
}

#define KG_TABLE_GAME(name, constant)                                                                             \
    static __attribute__((noinline)) int value_##name(const work *at, const kg_position *position, int *low,      \
                                                      int *high) {                                                \
        return value(at, constant, position, low, high);                                                          \
    }                                                                                                             \
    static int64_t path_##name(const work *at, int32_t layer, int32_t unit) {                                     \
        return fill_path(constant, value_##name, at, layer, unit);                                                \
    }                                                                                                             \
    static int64_t block_##name(const work *at, unsigned own) {                                                   \
        return fill_block(constant, value_##name, at, own);                                                       \
    }                                                                                                             \
    static int64_t sweep_##name(const work *at, int32_t layer, int32_t unit, uint64_t from, uint64_t to) {        \
        return sweep(constant, value_##name, at, layer, unit, from, to);                                          \
    }
#define KG_TABLE_OF(name) KG_TABLE_GAME(name, &kg_rules_##name)
KG_EACH_GAME(KG_TABLE_OF)
KG_TABLE_GAME(any, &at->tables->kernel->rules)

static work working(const kg_tables *tables, int32_t layer, int32_t unit, uint8_t *low, uint8_t *high,
                    uint8_t *asked) {
    return (work){.tables = tables, .rows = tables->kernel->rows, .low = low, .high = high, .asked = asked,
                  .count = kg_table_count(tables, layer, unit), .stones = (unsigned)layer,
                  .gains = unit && unit == tables->gains ? tables->table[unit] : 0};
}

KG_API int64_t kg_tables_fill(const kg_tables *tables, int32_t layer, int32_t unit, int32_t task, uint8_t *low) {
    const work at = working(tables, layer, unit, low, 0, 0);
    return tables->won[unit] ? KG_DISPATCH(tables->kernel, path, &at, layer, unit)
                             : KG_DISPATCH(tables->kernel, block, &at, (unsigned)task);
}

KG_API int64_t kg_tables_sweep(const kg_tables *tables, int32_t layer, int32_t unit, uint8_t *low, uint8_t *high,
                               uint8_t *asked, uint64_t from, uint64_t to) {
    const work at = working(tables, layer, unit, low, high, asked);
    return KG_DISPATCH(tables->kernel, sweep, &at, layer, unit, from, to);
}

KG_API void kg_tables_count_pairs(const uint8_t *low, const uint8_t *high, uint64_t count, uint64_t *counts) {
    for (uint64_t index = 0; index < count; index++)
        counts[low[index] + 256u * (uint8_t)(high ? high[index] : 256 - low[index])]++;
}

KG_API uint64_t kg_tables_pack(const uint8_t *low, const uint8_t *high, uint64_t count, const uint16_t *code,
                               uint32_t bits, uint8_t *to) {
    uint64_t held = 0, written = 0;
    uint32_t filled = 0;
    for (uint64_t index = 0; index < count; index++) {
        held |= (uint64_t)code[low[index] + 256u * (uint8_t)(high ? high[index] : 256 - low[index])] << filled;
        for (filled += bits; filled >= 8; filled -= 8, held >>= 8)
            to[written++] = (uint8_t)held;
    }
    if (filled)
        to[written++] = (uint8_t)held;
    return written;
}

KG_API uint64_t kg_tables_unsettled(const kg_tables *tables, int32_t layer, int32_t unit, uint64_t *from,
                                    uint64_t *indices, uint64_t capacity) {
    const kg_table *table = &tables->table[unit][layer];
    const uint64_t end = table->data ? table->count * (uint64_t)kg_table_planes(tables, unit) : 0;
    uint64_t found = 0, index = *from;
    for (; index < end && found < capacity; index++) {
        const uint8_t *pair = kg_table_pair(table, index);
        if (pair[0] + pair[1] != 256)
            indices[found++] = index;
    }
    *from = index;
    return found;
}

#endif
