/* Iterative deepening over the alpha-beta of search_game.h, with its limits, lines and report. */
#include "search.h"

#define KG_JOIN_(a, b) a##_##b
#define KG_JOIN(a, b) KG_JOIN_(a, b)
#define KG_GAME(name) KG_JOIN(name, KG_GAME_NAME)

#define KG_EACH_GAME_FILE "search_game.h"
#define KG_ANY_RULES &engine->kernel->rules
#include "each_game.h"

/* Stones on the board up to which a decided game is played out for its exact difference. */
enum { KG_PLAYOUT = 20 };

/* Nodes are never passed; before time and stop, the first ply is finished, so that there is a move to play. */
int kg_poll(kg_engine *engine) {
    const kg_limits *limits = &engine->limits;
    const int timely = __atomic_load_n(&engine->stop, __ATOMIC_RELAXED) ||
                       (limits->seconds >= 0 && kg_clock() >= engine->deadline);
    if ((limits->nodes && engine->nodes >= limits->nodes) || (timely && engine->depth > 1 + (engine->helper & 1)))
        engine->aborted = 1;
    engine->check_at = engine->nodes + KG_POLL;
    if (engine->limits.nodes && engine->check_at > engine->limits.nodes)
        engine->check_at = engine->limits.nodes;
    return engine->aborted;
}

/* On the path since the root once is enough: who can go round can go round again. Before the root it must lie within
 * the recurrence, or have stood there so often that this time is the last one needed. */
int kg_is_repeated(const kg_engine *engine, const kg_position *position, int side) {
    const kg_rules *rules = &engine->kernel->rules;
    int times = 1;
    for (int at = engine->top; at >= engine->path[engine->top].since; at--) {
        const kg_place *place = engine->path + at;
        if (place->side != side || place->position.own != position->own || place->position.other != position->other ||
            place->position.rest != position->rest)
            continue;
        times++;
        if (at >= engine->root_at || engine->top + 1 - at <= 2 * rules->recurrence ||
            (rules->threefold && times >= rules->threefold))
            return 1;
    }
    return 0;
}

static uint64_t clusters_in(uint64_t table_bytes) {
    uint64_t clusters = 1;
    while (clusters * 2 * KG_WAYS * sizeof(kg_entry) <= table_bytes)
        clusters *= 2;
    return clusters * KG_WAYS * sizeof(kg_entry) <= table_bytes ? clusters : 0;
}

KG_API uint64_t kg_engine_bytes(uint64_t table_bytes) {
    return sizeof(kg_engine) + clusters_in(table_bytes) * KG_WAYS * sizeof(kg_entry);
}

KG_API void kg_engine_init(kg_engine *engine, const kg_kernel *kernel, uint64_t table_bytes) {
    engine->kernel = kernel;
    engine->weights = kg_weights_for(kernel);
    engine->clusters = clusters_in(table_bytes);
    engine->table = engine->memory;
}

KG_API void kg_engine_tables(kg_engine *engine, const kg_tables *tables) {
    engine->tables = tables && tables->most ? tables : 0;
    kg_engine_clear(engine);
}

KG_API void kg_engine_help(kg_engine *helper, const kg_engine *owner, int32_t number) {
    helper->clusters = owner->clusters;
    helper->table = owner->table;
    helper->age = owner->age;
    helper->helper = number;
}

KG_API void kg_engine_clear(kg_engine *engine) {
    if (!engine->helper)
        for (uint64_t at = 0; at < engine->clusters * KG_WAYS; at++)
            engine->table[at] = (kg_entry){0, 0};
    for (int hole = 0; hole < KG_MAX_HOLES; hole++)
        for (int count = 0; count < KG_COUNTS; count++)
            engine->history[hole][count] = 0;
    engine->age = 0;
}

KG_API int32_t kg_engine_begin(kg_engine *engine, const kg_position *position, int32_t side, const kg_limits *limits,
                               const kg_position *history, const uint8_t *sides, int32_t count) {
    const kg_rules *rules = &engine->kernel->rules;
    const uint32_t legal = kg_legal(engine->kernel, position);
    __atomic_store_n(&engine->stop, 0, __ATOMIC_RELAXED);
    engine->begun = kg_clock();
    engine->deadline = engine->begun + limits->seconds;
    engine->limits = *limits;
    engine->nodes = engine->check_at = engine->unproven = 0;
    engine->aborted = engine->depth = engine->more = 0;
    engine->pruning = !limits->exact_depth;
    engine->report.count = 0;
    engine->report.nodes = 0;
    if (legal == 0)
        return KG_OVER;
    const unsigned board = kg_own_board(position) + kg_other_board(position);
    /* A goal of no more than half the stones is a game of its own: playing on might turn it round. */
    engine->decisive = 2 * rules->goal > (int)(board + kg_stored(position));
    engine->playout = engine->decisive && board <= KG_PLAYOUT;
    engine->salt = engine->playout ? UINT64_C(0xa0761d6478bd642f) : 0;
    engine->repetition = rules->threefold > 0 || rules->recurrence > 0;
    if (!engine->helper)
        engine->age = (engine->age + 1) & 255;
    engine->top = -1;
    for (int at = count > KG_MAX_HISTORY ? count - KG_MAX_HISTORY : 0; at <= count; at++) {
        kg_place *place = engine->path + ++engine->top;
        *place = (kg_place){at < count ? history[at] : *position, at < count ? sides[at] : side, engine->top};
        if (engine->top && kg_stored(&place->position) == kg_stored(&place[-1].position))
            place->since = place[-1].since;
    }
    engine->root_at = engine->top;
    for (int ply = 0; ply <= KG_DEEPEST; ply++)
        engine->killers[ply][0] = engine->killers[ply][1] = 0;
    int32_t lines = 0;
    for (int hole = 0; hole < rules->holes && lines < limits->lines; hole++)
        if (legal >> hole & 1)
            engine->report.lines[lines++] =
                (kg_line){.move = hole, .value = kg_value(engine, rules, position), .length = 1, .pv = {(uint8_t)hole}};
    engine->report.count = lines;
    engine->more = 1;
    engine->depth = engine->helper & 1; /* every other helper is a ply ahead */
    return 0;
}

/* The first lines by value, the best first. */
static void sort_lines(kg_report *report, int count) {
    for (int at = 1; at < count; at++)
        for (int to = at; to && report->lines[to].value > report->lines[to - 1].value; to--) {
            const kg_line swap = report->lines[to];
            report->lines[to] = report->lines[to - 1];
            report->lines[to - 1] = swap;
        }
}

KG_API int32_t kg_engine_step(kg_engine *engine) {
    if (!engine->more)
        return 0;
    const int depth = ++engine->depth;
    uint32_t excluded = 0;
    int all_exact = 1, known = 0;
    kg_line found[KG_MAX_LINES];
    for (int index = 0; index < engine->report.count && !engine->aborted; index++) {
        kg_line line = engine->report.lines[index];
        const int done = KG_DISPATCH(engine->kernel, root, engine, depth, excluded, &line);
        if (!done)
            break;
        excluded |= UINT32_C(1) << line.move;
        all_exact &= line.exact;
        found[known++] = line;
    }
    /* An interrupted iteration tells of its best move so far: the first one it looked at was the best before. Several
     * lines are kept comparable instead, all of one depth; after the first ply there may be fewer of them. */
    const int lines = engine->report.count;
    if (known && !(engine->aborted && depth > 1 && lines > 1)) {
        for (int index = 0; index < known; index++)
            engine->report.lines[index] = found[index];
        sort_lines(&engine->report, known);
    }
    if (depth == 1 + (engine->helper & 1))
        engine->report.count = known ? known : 1;
    const int wanted = engine->limits.depth;
    const int deepest = wanted > 0 && wanted < KG_DEEPEST ? wanted : KG_DEEPEST;
    engine->more = !engine->aborted && depth < deepest && !all_exact;
    return engine->more;
}

KG_API void kg_engine_run(kg_engine *engine) {
    while (kg_engine_step(engine)) {
    }
}

KG_API void kg_engine_stop(kg_engine *engine) {
    __atomic_store_n(&engine->stop, 1, __ATOMIC_RELAXED);
}

/* What is told of a value. That of a game which is decided, but for the last stones, has KG_WIN in it. */
static int32_t told(const kg_engine *engine, const kg_position *position, const kg_line *line) {
    const int32_t value = line->value, won = value > KG_CERTAIN ? KG_WIN : value < -KG_CERTAIN ? -KG_WIN : 0;
    return line->exact ? value : won + kg_engine_told(engine, position, value - won, line->depth);
}

KG_API void kg_engine_report(const kg_engine *engine, kg_report *report) {
    *report = engine->report;
    report->nodes = engine->nodes;
    report->seconds = kg_clock() - engine->begun;
    report->finished = !engine->more;
    const kg_position *position = &engine->path[engine->root_at].position;
    for (int at = 0; at < report->count; at++) {
        /* lines of other depths, or proven ones, are told by other factors: their order stays */
        const int32_t value = told(engine, position, report->lines + at);
        report->lines[at].value = at && value > report->lines[at - 1].value ? report->lines[at - 1].value : value;
    }
}

KG_API int32_t kg_engine_evaluate(const kg_engine *engine, const kg_position *position) {
    return kg_value(engine, &engine->kernel->rules, position);
}
