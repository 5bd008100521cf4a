/* What both workings-out of endless units share: going through positions in their order, and asking again for those
 * that a sowing leads from. */
#ifndef KORGOOL_TABLES_BEFORE_H
#define KORGOOL_TABLES_BEFORE_H

#include "tables.h"

/* Moves to the position with the next index of the same plane; 0 after the last. */
int kg_table_step(const kg_shape *shape, unsigned holes, int rows, kg_position *position);

/* Asks for every position from which a sowing that keeps all stones on the board leads to this one, without a tuz. A
 * sowing is taken back by subtracting its row; a hole that would hold less than nothing shows in its high bit. */
KG_INLINE void kg_ask_before(const kg_tables *tables, const kg_rules *rules, const kg_position *position,
                             unsigned all, uint8_t *asked) {
    const uint64_t high_bits = UINT64_C(0x8080808080808080);
    const kg_position after = kg_turned(*position);
    const kg_row *rows = tables->kernel->rows;
    const unsigned holes = (unsigned)rules->holes, around = 2 * holes;
    for (unsigned hole = 0; hole < holes; hole++) {
        const unsigned laps = kg_own_stones(&after, hole);
        const unsigned least = laps == 0 ? 1 : laps == 1 ? 2 : (laps - 1) * around + 1;
        const unsigned most = laps == 0 ? 1 : laps * around;
        for (unsigned stones = least; stones <= most && stones <= all; stones++) {
            const kg_row *row = rows + hole * (KG_MAX_STONES + 1) + stones;
            const kg_position before = {after.own - row->own, after.other - row->other, after.rest - row->rest};
            if ((before.own | before.other) & high_bits || before.rest & ~UINT64_C(0x7f7f))
                break;
            kg_position again;
            kg_sow(rules, rows, &before, hole, &again);
            if (again.own == position->own && again.other == position->other && again.rest == position->rest)
                __atomic_store_n(asked + kg_rank_rows(tables, holes, &tables->shape[0][0], &before, all), 1,
                                 __ATOMIC_RELEASE);
        }
    }
}

#endif
