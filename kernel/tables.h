/* Exact endings: tables of what is still to be gained, for every position with few stones on the board.
 *
 * A position is looked up by its stones on the board (the layer), by who owns which tuz (the unit) and by its rank
 * among the positions of both. The value is the store difference still to come for the side to move when both play
 * perfectly to the very end, without a stop at the goal: lower is what it can force when endless play is the worst
 * for it, upper when it is the best for it. With the difference d of the stores as they stand, and endless play a
 * draw, the game ends with the middle one of d + lower, 0 and d + upper (docs/tables.md proves it). Where play must
 * end, both are one.
 *
 * A game that stops at a goal asks one thing more where play may be endless: a side that reaches the goal has won,
 * and nothing that comes later is a draw. So a last unit, gains, holds for positions without a tuz how many stones
 * each side can be sure to gain sooner or later.
 *
 * Everything here reads memory that the caller hands in and keeps; many threads may probe at once. */
#ifndef KORGOOL_TABLES_H
#define KORGOOL_TABLES_H

#include "rules.h"

enum {
    KG_TABLE_VERSION = 1,
    KG_TABLE_STONES = 64, /* the largest layer */
    KG_TABLE_UNITS = 56,  /* no tuz, 9 holes, 45 pairs of holes, gains: the most that any option gives */
    KG_TABLE_CELLS = 2 * KG_MAX_HOLES,
    /* lower is minus this where the opponent can go on for ever, upper is this where the mover can */
    KG_TABLE_ENDLESS = 512
};
/* What kg_tables_attach answers when it refuses. */
enum {
    KG_TABLE_FOREIGN = -20, /* no table file */
    KG_TABLE_NEWER = -21,   /* of another version of the format */
    KG_TABLE_RULES = -22,   /* of another game or other options */
    KG_TABLE_SHORT = -23,   /* truncated, or longer than it says */
    KG_TABLE_DAMAGED = -24  /* a checksum does not fit */
};

/* Where the holes stand in the order of a unit, as byte offsets into a kg_position, and which plane of the unit holds
 * the positions: 0 when the side to move is the first of the pair of owners, 1 when it is the second. */
typedef struct {
    uint8_t unit, plane, cells, known;
    uint8_t order[KG_TABLE_CELLS];
} kg_shape;

/* The values of one unit in one layer: entries of `bits` bits, which name pairs of bytes in the palette: 128 + lower
 * and 128 - upper, where 0 is endless. data is null where nothing is attached. */
typedef struct {
    const uint8_t *data, *palette;
    uint64_t count; /* of one plane */
    uint32_t bits, colours;
} kg_table;

typedef struct kg_tables {
    const kg_kernel *kernel;
    int32_t most;  /* stones of the largest layer of which anything is attached */
    int32_t units; /* of these rules */
    int32_t gains; /* the number of the unit that holds gains, or 0 */
    uint64_t choose[KG_TABLE_CELLS][KG_TABLE_STONES + 2];           /* C(stones + cell, cell + 1) */
    uint64_t rows[KG_TABLE_STONES + 1];                             /* ways to lay so many stones on one side */
    uint64_t offset[KG_TABLE_STONES + 1][KG_TABLE_STONES + 2];      /* by layer and the mover's stones, no tuz */
    kg_shape shape[KG_MAX_HOLES + 1][KG_MAX_HOLES + 1];             /* by own tuz and other tuz */
    uint8_t won[KG_TABLE_UNITS], lost[KG_TABLE_UNITS];              /* the tuz of plane 0 of each unit */
    kg_table table[KG_TABLE_UNITS][KG_TABLE_STONES + 1];
} kg_tables;

/* Bytes of kg_tables, for callers that do not compile this file. */
KG_API uint64_t kg_tables_bytes(void);
/* Prepares empty tables of the kernel's game. The kernel must stay where it is. */
KG_API void kg_tables_init(kg_tables *tables, const kg_kernel *kernel);
/* Reads one table file (a layer with 0, 1 or 2 tuz) that lies in memory, at a multiple of 8, and must stay there. All
 * checksums are tested first. Answers its layer, or one of the refusals above; then nothing was attached. */
KG_API int32_t kg_tables_attach(kg_tables *tables, const uint8_t *bytes, uint64_t length);
/* As kg_tables_probe, kg_tables_gains and kg_tables_value below, for callers that do not compile this file. */
KG_API int32_t kg_tables_look(const kg_tables *tables, const kg_position *position, int32_t *lower, int32_t *upper);
KG_API int32_t kg_tables_sure(const kg_tables *tables, const kg_position *position, int32_t *own, int32_t *other);
KG_API int32_t kg_tables_final(const kg_tables *tables, const kg_position *position, int32_t *difference);

KG_INLINE unsigned kg_board(const kg_position *position) {
    return kg_own_board(position) + kg_other_board(position);
}

/* The rank of a position without tuz: by the mover's stones, then by their row, then by the other row. */
KG_INLINE uint64_t kg_rank_rows(const kg_tables *tables, unsigned holes, const kg_shape *shape,
                                const kg_position *position, unsigned stones) {
    const uint8_t *bytes = (const uint8_t *)position;
    uint64_t own = 0, other = 0;
    unsigned a = 0, b = 0;
    for (unsigned cell = 0; cell + 1 < holes; cell++) {
        a += bytes[shape->order[cell]];
        b += bytes[shape->order[holes + cell]];
        own += tables->choose[cell][a];
        other += tables->choose[cell][b];
    }
    a += bytes[shape->order[holes - 1]];
    return tables->offset[stones][a] + own * tables->rows[stones - a] + other;
}

/* The rank of a position with a tuz. The holes stand in the order of sowing after the tuz, and a rank falls whenever
 * stones move on towards it: no sowing that keeps all stones on the board leads to a higher one. */
KG_INLINE uint64_t kg_rank_path(const kg_tables *tables, const kg_shape *shape, const kg_position *position) {
    const uint8_t *bytes = (const uint8_t *)position;
    uint64_t rank = 0;
    unsigned stones = 0;
    for (unsigned cell = 0; cell + 1 < shape->cells; cell++) {
        stones += bytes[shape->order[cell]];
        rank += tables->choose[cell][stones];
    }
    return rank;
}

KG_INLINE const uint8_t *kg_table_pair(const kg_table *table, uint64_t index) {
    const uint64_t bit = index * table->bits;
    const uint8_t *at = table->data + (bit >> 3);
    const uint32_t word = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    return table->palette + 2 * ((word >> (bit & 7)) & ((1u << table->bits) - 1));
}

/* The pair of bytes of a position with this many stones on the board, or null where no table holds it. */
KG_INLINE const uint8_t *kg_tables_pair(const kg_tables *tables, unsigned holes, const kg_position *position,
                                        unsigned stones) {
    const unsigned won = kg_byte(position->rest, 4), lost = kg_byte(position->rest, 5);
    const kg_shape *shape = &tables->shape[won][lost];
    const kg_table *table = &tables->table[shape->unit][stones];
    if (!table->data)
        return 0;
    if (won | lost)
        return kg_table_pair(table, kg_rank_path(tables, shape, position) + (shape->plane ? table->count : 0));
    return kg_table_pair(table, kg_rank_rows(tables, holes, shape, position, stones));
}

/* 1 and the bounds of the store difference still to come for the side to move, or 0 where no table holds the position.
 * The stores as they stand do not matter and are not included. The position must be one of this game (kg_check). */
static inline int kg_tables_probe(const kg_tables *tables, const kg_position *position, int *lower, int *upper) {
    const unsigned stones = kg_board(position);
    if ((int)stones > tables->most)
        return 0;
    const uint8_t *pair = kg_tables_pair(tables, (unsigned)tables->kernel->rules.holes, position, stones);
    if (!pair)
        return 0;
    *lower = pair[0] ? (int)pair[0] - 128 : -KG_TABLE_ENDLESS;
    *upper = pair[1] ? 128 - (int)pair[1] : KG_TABLE_ENDLESS;
    return 1;
}

/* What both sides can be sure to gain, where endless play is possible and the game has a goal; 0 where none is kept. */
static inline int kg_tables_gains(const kg_tables *tables, const kg_position *position, int *own, int *other) {
    const unsigned stones = kg_board(position);
    if ((int)stones > tables->most || !tables->gains || position->rest >> 32)
        return 0;
    const kg_table *table = &tables->table[tables->gains][stones];
    if (!table->data)
        return 0;
    const uint8_t *pair = kg_table_pair(table, kg_rank_rows(tables, (unsigned)tables->kernel->rules.holes,
                                                            &tables->shape[0][0], position, stones));
    *own = pair[0];
    *other = pair[1];
    return 1;
}

enum { KG_TABLE_UNKNOWN = 0, KG_TABLE_EXACT = 1, KG_TABLE_WON = 2, KG_TABLE_LOST = 3 };

/* The final store difference for the side to move of a game that is not over, endless play being a draw
 * (KG_TABLE_EXACT). KG_TABLE_WON and KG_TABLE_LOST: one side is sure to reach the goal, but the other can go on for
 * ever afterwards, so that there is no final difference; then it is set to 1 or -1, which is a bound. */
static inline int kg_tables_value(const kg_tables *tables, const kg_position *position, int *difference) {
    int lower, upper, own, other;
    if (!kg_tables_probe(tables, position, &lower, &upper))
        return KG_TABLE_UNKNOWN;
    const int mine = (int)kg_own_store(position), his = (int)kg_other_store(position);
    const int low = mine - his + lower, high = mine - his + upper, goal = tables->kernel->rules.goal;
    *difference = low > 0 ? low : high < 0 ? high : 0;
    if (low > 0 || high < 0 || low == high || !goal)
        return KG_TABLE_EXACT;
    const int rest = (int)kg_board(position);
    if (mine + rest < goal && his + rest < goal)
        return KG_TABLE_EXACT;
    /* With more stones than a game has, both could reach the goal, and who is first would matter. */
    if (mine + his + rest > 2 * goal - 1 || !kg_tables_gains(tables, position, &own, &other))
        return KG_TABLE_UNKNOWN;
    *difference = mine + own >= goal ? 1 : his + other >= goal ? -1 : 0;
    return *difference > 0 ? KG_TABLE_WON : *difference < 0 ? KG_TABLE_LOST : KG_TABLE_EXACT;
}

#endif
