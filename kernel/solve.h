/* Mangala solved: a table of every position with few stones on the board, and a search above it.
 *
 * The game is acyclic. A sowing that does not reach the store moves stones of the mover's own row towards that store,
 * and one that does, or that captures, leaves fewer stones on the board. So positions are valued by stones on the
 * board (layers), in them by the totals of the two rows (blocks), in them by the places of the stones: one forward
 * loop each, without iteration. What lies in the stores cannot matter to the play to come, as nothing but the empty
 * side ends a set; values are differences of stones still to be gained, the side to move first.
 *
 * All memory is the caller's. A solver may be read by many threads; one searcher belongs to one thread at a time, but
 * several searchers may share one transposition table, whose entries are single words. */
#ifndef KORGOOL_SOLVE_H
#define KORGOOL_SOLVE_H

#include "rules.h"

enum { KG_SOLVE_HOLES = 6, KG_SOLVE_STONES = 48, KG_TABLE_STONES = 26 };
/* Rows of six holes with at most KG_TABLE_STONES stones: C(32, 6). */
enum { KG_TABLE_ROWS = 906192 };

typedef struct kg_solver kg_solver;
typedef struct kg_searcher kg_searcher;

KG_API uint64_t kg_solver_bytes(void);
/* The kernel must live as long as the solver. KG_BAD_RULES: a game that has cycles, or is not played on six holes, or
 * stops before a side is empty. */
KG_API int32_t kg_solver_init(kg_solver *solver, const kg_kernel *kernel);
/* Entries, a byte each, of the layers of 0 to stones stones; 0 where stones is not 0 to KG_TABLE_STONES. */
KG_API uint64_t kg_table_bytes(int32_t stones);
/* Layer stones consists of this many parts, which may be filled at the same time, once all lower layers are filled. */
KG_API int32_t kg_table_parts(int32_t stones);
KG_API uint64_t kg_table_part_entries(int32_t stones, int32_t part);
KG_API void kg_table_fill(const kg_solver *solver, int8_t *table, int32_t stones, int32_t part);
/* Lets searches use the layers up to stones, all of them filled. */
KG_API void kg_solver_attach(kg_solver *solver, const int8_t *table, int32_t stones);
/* The place of a position in the table; every position that the table holds has one. Stores are not looked at. */
KG_API uint64_t kg_table_index(const kg_solver *solver, const kg_position *position);
/* The position of an index below kg_table_bytes(KG_TABLE_STONES). */
KG_API void kg_table_position(const kg_solver *solver, uint64_t index, kg_position *position);

/* A searcher with a transposition table of entries words, a power of two from 2^13 on, zeroed at first. */
KG_API uint64_t kg_searcher_bytes(void);
KG_API int32_t kg_searcher_init(kg_searcher *searcher, const kg_solver *solver, uint64_t *words, uint64_t entries);
/* Whether the side to move gains at least target stones more than the opponent from the position on. Writes a bound that
 * shows it: at least target, and then a lower bound of the value, or less, and then an upper bound. Answers 1, or 0
 * when it was stopped or has visited limit positions before it knew (0: no limit). */
KG_API int32_t kg_searcher_test(kg_searcher *searcher, const kg_position *position, int32_t target, uint64_t limit,
                                int32_t *bound);
/* What is known of a position without a search: bounds of its value, equal where it is exact. */
KG_API void kg_searcher_known(const kg_searcher *searcher, const kg_position *position, int32_t *lower, int32_t *upper);
KG_API uint64_t kg_searcher_nodes(const kg_searcher *searcher);
KG_API void kg_searcher_stop(kg_searcher *searcher);
/* The number of a position among all with at most 48 stones, below 2^50; the other way round, its holes. */
KG_API uint64_t kg_solve_key(const kg_solver *solver, const kg_position *position);
KG_API void kg_solve_position(const kg_solver *solver, uint64_t key, kg_position *position);
/* The linear evaluation that orders moves, in sixteenths of a stone. */
KG_API int32_t kg_solve_estimate(const kg_position *position);

struct kg_solver {
    const kg_kernel *kernel;
    int32_t mangala; /* whether the moves are those of the default rules, so that they may be compiled in */
    int32_t sweep, ending, parity;
    const int8_t *table;
    int32_t stones, reserved;
    /* steps[k][s] is C(s + k, k + 1): rows are numbered by their prefix sums, stones farther along first. */
    uint32_t steps[KG_SOLVE_HOLES][KG_SOLVE_STONES + 1];
    uint32_t rows[KG_SOLVE_STONES + 1];
    uint64_t blocks[KG_TABLE_STONES + 1][KG_TABLE_STONES + 1];
    /* The rows of each total in their order, the totals one after the other. */
    uint32_t first[KG_TABLE_STONES + 2];
    uint64_t words[KG_TABLE_ROWS];
};

struct kg_searcher {
    const kg_solver *solver;
    uint64_t *words;
    uint64_t nodes, limit;
    int32_t bits, aborted;
    volatile int32_t stop;
    int32_t reserved;
};

/* Byte k holds the stones of holes 0 to k. */
KG_INLINE uint64_t kg_prefixes(uint64_t row) {
    return row * UINT64_C(0x010101010101);
}

/* The number of a row among those of its total. A stone moved along makes it smaller. */
KG_INLINE uint32_t kg_row_rank(const kg_solver *solver, uint64_t prefixes) {
    uint32_t rank = kg_byte(prefixes, 0);
    rank += solver->steps[1][kg_byte(prefixes, 1)];
    rank += solver->steps[2][kg_byte(prefixes, 2)];
    rank += solver->steps[3][kg_byte(prefixes, 3)];
    return rank + solver->steps[4][kg_byte(prefixes, 4)];
}

KG_INLINE uint64_t kg_solve_index(const kg_solver *solver, uint64_t own, uint64_t other) {
    const uint64_t mine = kg_prefixes(own), his = kg_prefixes(other);
    const unsigned a = kg_byte(mine, 5), b = kg_byte(his, 5);
    return solver->blocks[a + b][a] + (uint64_t)kg_row_rank(solver, mine) * solver->rows[b] + kg_row_rank(solver, his);
}

/* The stones to come in a position with an empty side; only if that ends the game, see kg_ending. */
KG_INLINE int kg_swept(const kg_solver *solver, unsigned own, unsigned other) {
    const int left = (int)own - (int)other;
    return solver->sweep == KG_SWEEP_OWNER ? left : solver->sweep == KG_SWEEP_EMPTIED ? -left : 0;
}

#endif
