/* Who can bring a drawn game to its end, in positions without a tuz of a game with a goal that is more than half of its
 * stones (toguz korgool, bestemshe).
 *
 * A side that is sure to gain g stones (the unit of gains) reaches them sooner or later, and the other may still be
 * able to go round for ever afterwards. A mark says of each side whether it can force that the game is over: that it
 * ends with g stones gained, or that it gains more than g, which is then the goal. Bit 0 is the side to move, bit 1
 * the other. Marks only ever appear, and never wrongly, so threads may work on different ranges at the same time.
 *
 * The marks of a layer in work are a byte for each position, those of finished ones two bits. */
#ifndef KORGOOL_TABLES_FORCE_H
#define KORGOOL_TABLES_FORCE_H

#include "tables_file.h"

/* Counts of one layer: positions with every content of the stores that leaves both sides below the goal, the side to
 * move having a move. */
typedef struct {
    uint64_t positions;
    uint64_t drawn;
    uint64_t decided;   /* drawn, though a side is not sure of half of all stones: endless play decides */
    uint64_t one_sided; /* drawn, both are sure of half, and one side alone can bring the game to an end */
    uint64_t neither;   /* drawn, both are sure of half, and neither can */
    uint64_t open;      /* of one_sided and neither: neither side has its half in the store yet */
} kg_draws;

/* Adds to the marks of the positions from `from` to before `to` that are asked for. Answers how many it changed, or
 * KG_TABLE_MISSING. `lower` holds the marks of the layers below, two bits each, by layers; without `asked` all
 * positions are looked at. */
KG_API int64_t kg_tables_force(const kg_tables *tables, int32_t layer, const uint8_t *const *lower, uint8_t *marks,
                               uint8_t *asked, uint64_t from, uint64_t to);
/* Packs the marks of a layer, four into a byte. `to` may be `marks`. */
KG_API void kg_tables_pack_marks(const uint8_t *marks, uint64_t count, uint8_t *to);
/* The mark of a position without a tuz, from the packed marks by layers, which must be there. */
KG_API int32_t kg_tables_mark(const kg_tables *tables, const uint8_t *const *packed, const kg_position *position);
/* Counts the positions of a layer from its packed marks. */
KG_API void kg_tables_count_draws(const kg_tables *tables, int32_t layer, const uint8_t *packed, kg_draws *draws);
/* Writes the indices, from *from on, of positions that are one_sided or neither, at most capacity of them; `open` asks
 * only for those where neither side has its half in the store. Moves *from on, answers how many. */
KG_API uint64_t kg_tables_list_draws(const kg_tables *tables, int32_t layer, const uint8_t *packed, int32_t open,
                                     uint64_t *from, uint64_t *indices, uint64_t capacity);

#endif
