/* The table of mangala: numbering of rows and positions, and the forward loop that values a block. */
#include "solve.h"

KG_API uint64_t kg_solver_bytes(void) {
    return sizeof(kg_solver);
}

static void number_rows(kg_solver *solver) {
    for (unsigned k = 0; k < KG_SOLVE_HOLES; k++)
        for (unsigned sum = 0; sum <= KG_SOLVE_STONES; sum++) {
            uint64_t value = 1;
            for (unsigned factor = 0; factor <= k; factor++)
                value = value * (sum + factor) / (factor + 1);
            solver->steps[k][sum] = (uint32_t)value;
        }
    for (unsigned sum = 0; sum <= KG_SOLVE_STONES; sum++) {
        uint64_t value = 1;
        for (unsigned factor = 1; factor < KG_SOLVE_HOLES; factor++)
            value = value * (sum + factor) / factor;
        solver->rows[sum] = (uint32_t)value;
    }
}

/* The row after this one in the order of its total. Rows are bars among stones: the lowest bar that can move up by a
 * stone does, and all below it fall back. */
static uint64_t next_row(uint64_t row) {
    unsigned holes[KG_SOLVE_HOLES], k = 0;
    for (unsigned hole = 0; hole < KG_SOLVE_HOLES; hole++)
        holes[hole] = kg_byte(row, hole);
    /* Bar k stands between holes k and k + 1 and moves up when hole k + 1 holds a stone. */
    while (k + 1 < KG_SOLVE_HOLES && holes[k + 1] == 0)
        k++;
    if (k + 1 == KG_SOLVE_HOLES)
        return 0;
    holes[k + 1]--;
    const unsigned gathered = holes[0];
    if (k > 0) {
        holes[k] = gathered + 1;
        holes[0] = 0;
    } else {
        holes[0]++;
    }
    uint64_t word = 0;
    for (unsigned hole = 0; hole < KG_SOLVE_HOLES; hole++)
        word |= (uint64_t)holes[hole] << (8 * hole);
    return word;
}

KG_API int32_t kg_solver_init(kg_solver *solver, const kg_kernel *kernel) {
    const kg_rules *rules = &kernel->rules;
    if (rules->holes != KG_SOLVE_HOLES || rules->tuz || !rules->store_sown || rules->goal)
        return KG_BAD_RULES;
    kg_rules moves = kg_bare_rules(rules), usual = kg_bare_rules(&kg_rules_mangala);
    moves.sweep = usual.sweep; /* the sweep is no move, and stands in the solver */
    solver->kernel = kernel;
    solver->mangala = kg_same_rules(&moves, &usual);
    solver->sweep = rules->sweep;
    solver->ending = rules->ending;
    solver->parity = rules->sweep != KG_SWEEP_NOBODY;
    solver->table = 0;
    solver->stones = -1;
    number_rows(solver);
    uint64_t offset = 0;
    for (unsigned stones = 0; stones <= KG_TABLE_STONES; stones++)
        for (unsigned own = 0; own <= stones; own++) {
            solver->blocks[stones][own] = offset;
            offset += (uint64_t)solver->rows[own] * solver->rows[stones - own];
        }
    uint32_t at = 0;
    for (unsigned total = 0; total <= KG_TABLE_STONES; total++) {
        solver->first[total] = at;
        uint64_t row = (uint64_t)total << (8 * (KG_SOLVE_HOLES - 1));
        for (uint32_t rank = 0; rank < solver->rows[total]; rank++, row = next_row(row))
            solver->words[at++] = row;
    }
    solver->first[KG_TABLE_STONES + 1] = at;
    return 0;
}

static uint64_t choose(unsigned n, unsigned k) {
    uint64_t value = 1;
    for (unsigned factor = 1; factor <= k; factor++)
        value = value * (n - k + factor) / factor;
    return value;
}

KG_API uint64_t kg_table_bytes(int32_t stones) {
    return stones < 0 || stones > KG_TABLE_STONES ? 0 : choose((unsigned)stones + 12, 12);
}

KG_API int32_t kg_table_parts(int32_t stones) {
    return stones / 2 + 1;
}

KG_API uint64_t kg_table_part_entries(int32_t stones, int32_t part) {
    const unsigned a = (unsigned)part, b = (unsigned)(stones - part);
    return (a == b ? 1 : 2) * choose(a + 5, 5) * choose(b + 5, 5);
}

/* The value of a position whose children are valued. rules is a constant where the moves are the usual ones. */
KG_INLINE int best_of(const kg_rules *rules, const kg_solver *solver, const int8_t *table, uint64_t own, uint64_t other) {
    const kg_position position = {own, other, 0};
    if (kg_ending(rules, &position) != KG_ONGOING)
        return kg_swept(solver, kg_sum(own), kg_sum(other));
    int best = -128;
    for (unsigned hole = 0; hole < KG_SOLVE_HOLES; hole++) {
        if (kg_byte(own, hole) == 0)
            continue;
        kg_position after;
        const int again = kg_sow(rules, solver->kernel->rows, &position, hole, &after);
        const int to_come = table[kg_solve_index(solver, after.own, after.other)];
        const int value = again ? (int)kg_own_store(&after) + to_come : (int)kg_other_store(&after) - to_come;
        best = value > best ? value : best;
    }
    return best;
}

#define KG_FILL(name, record)                                                                                     \
    static void fill_##name(const kg_solver *solver, int8_t *table, unsigned a, unsigned b) {                     \
        const kg_rules *rules = record;                                                                           \
        const uint64_t *mine = solver->words + solver->first[a], *his = solver->words + solver->first[b];         \
        int8_t *ours = table + solver->blocks[a + b][a], *turned = table + solver->blocks[a + b][b];              \
        const uint64_t rows_a = solver->rows[a], rows_b = solver->rows[b];                                        \
        for (uint64_t i = 0; i < rows_a; i++) {                                                                   \
            /* A sowing inside a row leads to the turned position with an earlier row: it is valued by now. */    \
            const uint64_t last = a == b ? i + 1 : rows_b;                                                        \
            for (uint64_t j = 0; j < last; j++) {                                                                 \
                ours[i * rows_b + j] = (int8_t)best_of(rules, solver, table, mine[i], his[j]);                    \
                turned[j * rows_a + i] = (int8_t)best_of(rules, solver, table, his[j], mine[i]);                  \
            }                                                                                                     \
        }                                                                                                         \
    }

KG_FILL(mangala, &kg_rules_mangala)
KG_FILL(any, &solver->kernel->rules)

KG_API void kg_table_fill(const kg_solver *solver, int8_t *table, int32_t stones, int32_t part) {
    const unsigned a = (unsigned)part, b = (unsigned)(stones - part);
    if (solver->mangala)
        fill_mangala(solver, table, a, b);
    else
        fill_any(solver, table, a, b);
}

KG_API void kg_solver_attach(kg_solver *solver, const int8_t *table, int32_t stones) {
    solver->table = table;
    solver->stones = stones;
}

KG_API uint64_t kg_table_index(const kg_solver *solver, const kg_position *position) {
    return kg_solve_index(solver, position->own, position->other);
}

KG_API void kg_table_position(const kg_solver *solver, uint64_t index, kg_position *position) {
    unsigned stones = KG_TABLE_STONES, own = KG_TABLE_STONES;
    while (stones > 0 && solver->blocks[stones][0] > index)
        stones--;
    for (own = stones; own > 0 && solver->blocks[stones][own] > index; own--)
        ;
    index -= solver->blocks[stones][own];
    const unsigned other = stones - own;
    position->own = solver->words[solver->first[own] + index / solver->rows[other]];
    position->other = solver->words[solver->first[other] + index % solver->rows[other]];
    position->rest = 0;
}
