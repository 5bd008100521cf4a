/* What only browsers need of the search. */
#include "search.h"

KG_API int32_t *kg_engine_flag(kg_engine *engine) {
    return &engine->stop;
}
