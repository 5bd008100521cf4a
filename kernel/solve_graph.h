/* Endings of any game, cycles and all: every position that can be reached is listed, and valued layer by layer.
 *
 * Stores are left out; a value is the difference of stones still to be gained, the side to move first. Endless play has
 * no such difference. So a position has two values: the lower one as if endless play were lost without measure for the
 * side to move, the upper one as if it were won. Where they differ, a player may choose endless play, and what that is
 * worth decides, see kg_graph_bounds. */
#ifndef KORGOOL_SOLVE_GRAPH_H
#define KORGOOL_SOLVE_GRAPH_H

#include "tables.h"

/* A bound that no stones reach: the side concerned cannot force the game to end. */
enum { KG_ENDLESS = 1000 };

typedef struct kg_graph kg_graph;

/* Bytes for a graph of at most so many positions and moves; 0 where they are too many or too few. */
KG_API uint64_t kg_graph_bytes(uint64_t positions, uint64_t moves);
/* The memory must be zeroed. The kernel must live as long as the graph and its rules have no goal: KG_BAD_RULES. */
KG_API int32_t kg_graph_init(kg_graph *graph, const kg_kernel *kernel, uint64_t positions, uint64_t moves);
/* Lets endgame tables of the same game tell the values of positions, behind which nothing is listed then. Null for none;
 * to be called before the first kg_graph_explore. */
KG_API void kg_graph_tables(kg_graph *graph, const kg_tables *tables);
/* Lists the position, and what follows from it at the next call of kg_graph_explore. 1, or 0 when there is no room. */
KG_API int32_t kg_graph_add(kg_graph *graph, const kg_position *position);
/* Looks at up to limit listed positions. 1 when all are done, 0 when there are more, -1 when there is no room. */
KG_API int32_t kg_graph_explore(kg_graph *graph, uint64_t limit);
/* Goes once through the positions of the lowest layer that is not valued yet. 1 when all are, else 0. */
KG_API int32_t kg_graph_value(kg_graph *graph);
/* The two values of a listed position of a valued graph; 0 when it is not listed. With a difference of the stores, the
 * game as a whole is worth lower plus it if that is above 0, upper plus it if that is below 0, and else 0, where
 * endless play is a draw: whoever would lose otherwise chooses it, if they can. */
KG_API int32_t kg_graph_bounds(const kg_graph *graph, const kg_position *position, int32_t *lower, int32_t *upper);
KG_API uint64_t kg_graph_positions(const kg_graph *graph);
/* Passes through layers so far, and valued positions of which the values differ. */
KG_API uint64_t kg_graph_passes(const kg_graph *graph);
KG_API uint64_t kg_graph_endless(const kg_graph *graph);

#endif
