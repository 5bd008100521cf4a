/* What a look into the tables costs, measured where the search stands: positions in memory, in random order. */
#include "../kernel/tables.h"

KG_API int64_t probe_all(const kg_tables *tables, const kg_position *positions, uint64_t count) {
    int64_t sum = 0;
    for (uint64_t each = 0; each < count; each++) {
        int lower, upper;
        if (kg_tables_probe(tables, positions + each, &lower, &upper))
            sum += lower + upper;
    }
    return sum;
}

/* The same loop without the look: what it costs to read the positions. */
KG_API int64_t read_all(const kg_tables *tables, const kg_position *positions, uint64_t count) {
    int64_t sum = 0;
    for (uint64_t each = 0; each < count; each++)
        sum += kg_board(positions + each) <= (unsigned)tables->most;
    return sum;
}
