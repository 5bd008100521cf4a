/* Nor do they look for cycles. */
#ifndef __wasm__

#include "tables_build.h"

/* Whether a game that is not over is drawn, and by endless play alone: neither side can force an end that is as good
 * for it as a draw. Where both can be sure of so much that nothing remains, the game with a goal ends, and with
 * equal stores. */
static int is_endless_draw(const kg_tables *tables, const kg_position *position) {
    int difference, lower, upper, own, other;
    if (!kg_tables_probe(tables, position, &lower, &upper))
        return 0;
    const int stores = (int)kg_own_store(position) - (int)kg_other_store(position);
    return stores + lower < 0 && stores + upper > 0 &&
           kg_tables_value(tables, position, &difference) == KG_TABLE_EXACT &&
           (!kg_tables_gains(tables, position, &own, &other) || own + other < (int)kg_board(position));
}

KG_API uint64_t kg_tables_drawn(const kg_tables *tables, int32_t layer, int32_t own, int32_t other, uint64_t *from,
                                uint64_t to, uint64_t *indices, uint64_t capacity) {
    const kg_rules *rules = &tables->kernel->rules;
    const kg_table *table = &tables->table[0][layer];
    uint64_t found = 0, index = *from;
    for (; table->data && index < to && found < capacity; index++) {
        /* Only these can be, and they are few: the position itself is worked out for nothing else. */
        const uint8_t *pair = kg_table_pair(table, index);
        const int lower = pair[0] ? (int)pair[0] - 128 : -KG_TABLE_ENDLESS;
        const int upper = pair[1] ? 128 - (int)pair[1] : KG_TABLE_ENDLESS;
        if (own - other + lower >= 0 || own - other + upper <= 0)
            continue;
        kg_position position;
        kg_tables_position(tables, layer, 0, index, &position);
        position.rest |= (uint64_t)own << 16 | (uint64_t)other << 24;
        if (kg_ending(rules, &position) == KG_ONGOING && is_endless_draw(tables, &position))
            indices[found++] = index;
    }
    *from = index;
    return found;
}

#endif
