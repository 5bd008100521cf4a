/* The address of an engine's stop flag, which a page sets in memory that it shares with the search. */
#include "search.h"

KG_API int32_t *kg_engine_flag(kg_engine *engine) {
    return &engine->stop;
}
