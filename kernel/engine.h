/* The public side of the search.
 *
 * Values are whole numbers, KG_UNIT of them a stone: the expected final difference of the stores for the side to move,
 * as if the game were played out. A won game adds KG_WIN, a lost one takes it off, so that a certain win, however small,
 * passes any hope; a draw is 0. */
#ifndef KORGOOL_ENGINE_H
#define KORGOOL_ENGINE_H

#include "korgool.h"

enum { KG_UNIT = 32, KG_WIN = 16000, KG_INFINITE = 32000 };
/* KG_MAX_DEPTH is the length of a line told; the search goes deeper. */
enum { KG_MAX_DEPTH = 100, KG_MAX_LINES = KG_MAX_HOLES, KG_MAX_HISTORY = 512 };

/* Bounds of a search; 0 nodes or a negative time is no bound. exact_depth switches pruning and reductions off and makes
 * the table answer for its own depth only: then a search to a fixed depth finds the value of plain minimax, whatever was
 * searched before. */
typedef struct {
    double seconds;
    uint64_t nodes;
    int32_t depth, lines, exact_depth, reserved;
} kg_limits;

/* One first move with what follows. depth is 0 where no search of it was finished; exact tells that every leaf behind
 * the value was an ended game, so that no deeper search changes it. */
typedef struct {
    int32_t move, value, depth, exact, length;
    uint8_t pv[KG_MAX_DEPTH];
} kg_line;

typedef struct {
    uint64_t nodes;
    double seconds;
    int32_t count, finished;
    kg_line lines[KG_MAX_LINES];
} kg_report;

typedef struct kg_engine kg_engine;
struct kg_tables;

/* Bytes of memory for an engine with a table of at most table_bytes. It must be zeroed and aligned to 64 bytes. */
KG_API uint64_t kg_engine_bytes(uint64_t table_bytes);
/* The kernel must live as long as the engine. */
KG_API void kg_engine_init(kg_engine *engine, const kg_kernel *kernel, uint64_t table_bytes);
/* Use endgame tables (tables.h) of the same game from now on, or none with null. They must live as long as the engine
 * and may be given to many. */
KG_API void kg_engine_tables(kg_engine *engine, const struct kg_tables *tables);
/* Let an engine without a table of its own help with the next search of another of the same kernel, from a thread of
 * its own: call this after the owner's kg_engine_begin, then begin, step and stop the helper as any engine. number is
 * 1 for the first helper. */
KG_API void kg_engine_help(kg_engine *helper, const kg_engine *owner, int32_t number);
/* Forget everything learned from earlier searches. */
KG_API void kg_engine_clear(kg_engine *engine);
/* Start a search. history holds count earlier positions, oldest first, each as its own side to move saw it, and sides
 * (0 or 1) who that was; side is that of the position. Only repetition needs them. Answers 0, or KG_OVER. */
KG_API int32_t kg_engine_begin(kg_engine *engine, const kg_position *position, int32_t side, const kg_limits *limits,
                               const kg_position *history, const uint8_t *sides, int32_t count);
/* Search one ply deeper. Answers 1 while a further step may follow, 0 when the search is over. */
KG_API int32_t kg_engine_step(kg_engine *engine);
/* Step until the search is over. */
KG_API void kg_engine_run(kg_engine *engine);
/* End the running search as soon as may be, from any thread. The flag stands until the next kg_engine_begin. */
KG_API void kg_engine_stop(kg_engine *engine);
/* Where the flag lies that kg_engine_stop sets to 1, for those who share the memory and cannot call. */
KG_API int32_t *kg_engine_flag(kg_engine *engine);
KG_API void kg_engine_report(const kg_engine *engine, kg_report *report);
/* What the engine thinks of a position without looking ahead, in KG_UNITs for the side to move. */
KG_API int32_t kg_engine_evaluate(const kg_engine *engine, const kg_position *position);

#endif
