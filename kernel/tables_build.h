/* Working out one unit of one layer, for callers that spread the work over threads.
 *
 * The caller holds one byte (exact units) or two for each position of both planes: low is 128 + lower and high is 128
 * - upper, both 0 at the beginning, which says "anything may be". Where play inside the layer must end (an exact
 * unit), one pass in the right order gives low, and there is no high. Elsewhere kg_tables_sweep is called over all
 * positions until nothing changes: both bytes only ever grow, and never beyond the truth, so threads may sweep
 * different ranges at the same time, and it does not matter who reads what first. */
#ifndef KORGOOL_TABLES_BUILD_H
#define KORGOOL_TABLES_BUILD_H

#include "tables_file.h"

enum { KG_TABLE_MISSING = -30 }; /* a lower layer that is needed is not attached */

/* How many tuz stand in a unit, 0 to 2, or -1 behind the last unit. */
KG_API int32_t kg_table_tuz(const kg_tables *tables, int32_t unit);
/* 1 where one pass does it: no sowing that keeps all stones on the board can lead back. */
KG_API int32_t kg_table_exact(const kg_tables *tables, int32_t unit);
/* Tasks of an exact unit that do not touch each other. */
KG_API int32_t kg_table_tasks(const kg_tables *tables, int32_t layer, int32_t unit);
/* Does one task. Answers the positions valued, or KG_TABLE_MISSING. */
KG_API int64_t kg_tables_fill(const kg_tables *tables, int32_t layer, int32_t unit, int32_t task, uint8_t *low);
/* Improves what is known of the positions from `from` to before `to`, counted through both planes. Answers how many it
 * improved, or KG_TABLE_MISSING. With `asked`, a byte for each position of a unit without tuz, only those are looked at
 * whose byte is 1; it becomes 0, and 1 in all positions from which a sowing leads to an improved one. When no byte is 1
 * any more the unit is ready; a sweep without `asked` that improves nothing proves it. */
KG_API int64_t kg_tables_sweep(const kg_tables *tables, int32_t layer, int32_t unit, uint8_t *low, uint8_t *high,
                               uint8_t *asked, uint64_t from, uint64_t to);
/* The position of an index, counted through both planes; stores are empty. */
KG_API void kg_tables_position(const kg_tables *tables, int32_t layer, int32_t unit, uint64_t index,
                               kg_position *position);
/* Counts how often each pair low + 256 * high occurs, adding to counts[65536]. high may be null (exact). */
KG_API void kg_tables_count_pairs(const uint8_t *low, const uint8_t *high, uint64_t count, uint64_t *counts);
/* Packs count entries of bits bits; code[65536] gives the entry of each pair. Answers the bytes written. */
KG_API uint64_t kg_tables_pack(const uint8_t *low, const uint8_t *high, uint64_t count, const uint16_t *code,
                               uint32_t bits, uint8_t *to);
/* Writes the next indices (through both planes), from *from on, of attached positions where the bounds differ, at most
 * capacity of them; moves *from on and answers how many. */
KG_API uint64_t kg_tables_unsettled(const kg_tables *tables, int32_t layer, int32_t unit, uint64_t *from,
                                    uint64_t *indices, uint64_t capacity);
/* Writes the indices, from *from to before to, of attached positions without tuz that are drawn by endless play alone
 * when the stores hold own (the mover's) and other stones, at most capacity of them; moves *from on, answers how
 * many. */
KG_API uint64_t kg_tables_drawn(const kg_tables *tables, int32_t layer, int32_t own, int32_t other, uint64_t *from,
                                uint64_t to, uint64_t *indices, uint64_t capacity);

#endif
