/* Positions are numbered as they are found; a table of numbers, open addressing, finds them again by all their bytes.
 *
 * Inside a layer the two values are the least and the greatest fixed point of one system of equations: begun with the
 * worst and the best, and improved until a pass changes nothing. Each pass is one more ply of foresight at least. */
#include "solve_graph.h"

#include "rules.h"

typedef struct {
    uint32_t to;
    int16_t gain;
    uint16_t again;
} edge;

struct kg_graph {
    const kg_kernel *kernel;
    const kg_tables *tables;
    uint64_t capacity, room, slots, count, moves, explored, passes;
    uint64_t layers[KG_MAX_STONES + 2];
    int32_t layer, sorted;
    kg_position *positions;
    uint64_t *first;
    edge *edges;
    uint32_t *table, *order;
    int16_t *lower, *upper;
};

static uint64_t slots_for(uint64_t positions) {
    uint64_t slots = 1024;
    while (slots < positions + positions / 2)
        slots *= 2;
    return slots;
}

static uint64_t rounded(uint64_t bytes) {
    return (bytes + 63) / 64 * 64;
}

KG_API uint64_t kg_graph_bytes(uint64_t positions, uint64_t moves) {
    if (positions < 1 || moves < 1 || positions >= UINT32_MAX || moves >= UINT64_C(1) << 40)
        return 0;
    return rounded(sizeof(kg_graph)) + rounded(positions * sizeof(kg_position)) + rounded((positions + 1) * 8) +
           rounded(moves * sizeof(edge)) + rounded(slots_for(positions) * 4) + rounded(positions * 4) +
           2 * rounded(positions * 2);
}

KG_API int32_t kg_graph_init(kg_graph *graph, const kg_kernel *kernel, uint64_t positions, uint64_t moves) {
    if (kernel->rules.goal)
        return KG_BAD_RULES;
    uint8_t *at = (uint8_t *)graph + rounded(sizeof(kg_graph));
    graph->kernel = kernel;
    graph->capacity = positions;
    graph->room = moves;
    graph->slots = slots_for(positions);
    graph->positions = (kg_position *)(void *)at;
    at += rounded(positions * sizeof(kg_position));
    graph->first = (uint64_t *)(void *)at;
    at += rounded((positions + 1) * 8);
    graph->edges = (edge *)(void *)at;
    at += rounded(moves * sizeof(edge));
    graph->table = (uint32_t *)(void *)at;
    at += rounded(graph->slots * 4);
    graph->order = (uint32_t *)(void *)at;
    at += rounded(positions * 4);
    graph->lower = (int16_t *)(void *)at;
    at += rounded(positions * 2);
    graph->upper = (int16_t *)(void *)at;
    return 0;
}

KG_API void kg_graph_tables(kg_graph *graph, const kg_tables *tables) {
    graph->tables = tables;
}

/* Whether an ended game, or a table, tells the values. */
static int told(const kg_graph *graph, const kg_position *board, int *lower, int *upper) {
    const kg_rules *rules = &graph->kernel->rules;
    if (kg_ending(rules, board) != KG_ONGOING) {
        const int left = (int)kg_own_board(board) - (int)kg_other_board(board);
        *lower = *upper = rules->sweep == KG_SWEEP_OWNER ? left : rules->sweep == KG_SWEEP_EMPTIED ? -left : 0;
        return 1;
    }
    if (!graph->tables || !kg_tables_probe(graph->tables, board, lower, upper))
        return 0;
    *lower = *lower == -KG_TABLE_ENDLESS ? -KG_ENDLESS : *lower;
    *upper = *upper == KG_TABLE_ENDLESS ? KG_ENDLESS : *upper;
    return 1;
}

/* Holes and tuz: the bytes of rest that hold the stores are left out. */
static kg_position board_of(const kg_position *position) {
    return (kg_position){position->own, position->other, position->rest & ~UINT64_C(0xffff0000)};
}

static uint64_t slot_of(const kg_graph *graph, const kg_position *board) {
    uint64_t hash = board->own * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32 ^ board->other) * UINT64_C(0xd1b54a32d192ed03);
    hash = (hash ^ hash >> 29 ^ board->rest) * UINT64_C(0x94d049bb133111eb);
    return (hash ^ hash >> 31) & (graph->slots - 1);
}

/* The number of a board plus 1, or 0; *slot is then where it would be noted. */
static uint32_t number_of(const kg_graph *graph, const kg_position *board, uint64_t *slot) {
    uint64_t at = slot_of(graph, board);
    for (uint32_t number; (number = graph->table[at]) != 0; at = (at + 1) & (graph->slots - 1)) {
        const kg_position *listed = graph->positions + number - 1;
        if (listed->own == board->own && listed->other == board->other && listed->rest == board->rest)
            return number;
    }
    *slot = at;
    return 0;
}

/* The number plus 1 of a board that is listed from now on, or 0 when there is no room. */
static uint32_t listed(kg_graph *graph, const kg_position *board) {
    uint64_t slot = 0;
    const uint32_t known = number_of(graph, board, &slot);
    if (known || graph->count == graph->capacity)
        return known;
    graph->positions[graph->count++] = *board;
    return graph->table[slot] = (uint32_t)graph->count;
}

KG_API int32_t kg_graph_add(kg_graph *graph, const kg_position *position) {
    const kg_position board = board_of(position);
    return listed(graph, &board) != 0;
}

static unsigned stones_of(const kg_position *board) {
    return kg_own_board(board) + kg_other_board(board);
}

KG_API int32_t kg_graph_explore(kg_graph *graph, uint64_t limit) {
    const kg_rules *rules = &graph->kernel->rules;
    graph->sorted = 0;
    for (; graph->explored < graph->count; graph->explored++) {
        if (limit-- == 0)
            return 0;
        const kg_position board = graph->positions[graph->explored];
        const uint64_t first = graph->moves;
        graph->first[graph->explored] = first;
        graph->first[graph->explored + 1] = first;
        int lower, upper;
        if (told(graph, &board, &lower, &upper))
            continue;
        for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
            if (kg_own_stones(&board, hole) == 0)
                continue;
            kg_position after;
            const int again = kg_sow(rules, graph->kernel->rows, &board, hole, &after);
            const int gain = (int)kg_own_store(&after) - (int)kg_other_store(&after);
            const kg_position next = board_of(&after);
            const uint32_t number = graph->moves < graph->room ? listed(graph, &next) : 0;
            if (number == 0) {
                graph->moves = first;
                return -1;
            }
            graph->edges[graph->moves++] =
                (edge){number - 1, (int16_t)(again ? gain : -gain), (uint16_t)again};
        }
        graph->first[graph->explored + 1] = graph->moves;
    }
    return 1;
}

/* Numbers in the order of stones on the board, those found last before those found first: they are nearer the end. */
static void sort(kg_graph *graph) {
    for (unsigned layer = 0; layer <= KG_MAX_STONES + 1; layer++)
        graph->layers[layer] = 0;
    for (uint64_t at = 0; at < graph->count; at++)
        graph->layers[stones_of(graph->positions + at) + 1]++;
    for (unsigned layer = 1; layer <= KG_MAX_STONES + 1; layer++)
        graph->layers[layer] += graph->layers[layer - 1];
    /* layers[n] is where layer n begins; filling moves it to its end, which is where the next one begins. */
    for (uint64_t at = graph->count; at-- > 0;)
        graph->order[graph->layers[stones_of(graph->positions + at)]++] = (uint32_t)at;
    for (unsigned layer = KG_MAX_STONES + 1; layer > 0; layer--)
        graph->layers[layer] = graph->layers[layer - 1];
    graph->layers[0] = 0;
    for (uint64_t at = 0; at < graph->count; at++) {
        const kg_position *board = graph->positions + at;
        int lower = -KG_ENDLESS, upper = KG_ENDLESS;
        told(graph, board, &lower, &upper);
        graph->lower[at] = (int16_t)lower;
        graph->upper[at] = (int16_t)upper;
    }
    graph->layer = 0;
    graph->sorted = 1;
}

/* A gain before play without end is no gain. */
static int with_gain(int value, int gain) {
    return value <= -KG_ENDLESS || value >= KG_ENDLESS ? value : value + gain;
}

KG_API int32_t kg_graph_value(kg_graph *graph) {
    if (!graph->sorted)
        sort(graph);
    while (graph->layer <= KG_MAX_STONES && graph->layers[graph->layer] == graph->layers[graph->layer + 1])
        graph->layer++;
    if (graph->layer > KG_MAX_STONES)
        return 1;
    int changed = 0;
    for (uint64_t place = graph->layers[graph->layer]; place < graph->layers[graph->layer + 1]; place++) {
        const uint32_t at = graph->order[place];
        if (graph->lower[at] == graph->upper[at] || graph->first[at] == graph->first[at + 1])
            continue;
        int lower = -KG_ENDLESS, upper = -KG_ENDLESS;
        for (uint64_t move = graph->first[at]; move < graph->first[at + 1]; move++) {
            const edge *next = graph->edges + move;
            const int worst = next->again ? graph->lower[next->to] : -graph->upper[next->to];
            const int best = next->again ? graph->upper[next->to] : -graph->lower[next->to];
            const int least = with_gain(worst, next->gain), most = with_gain(best, next->gain);
            lower = least > lower ? least : lower;
            upper = most > upper ? most : upper;
        }
        changed |= lower != graph->lower[at] || upper != graph->upper[at];
        graph->lower[at] = (int16_t)lower;
        graph->upper[at] = (int16_t)upper;
    }
    graph->passes++;
    graph->layer += !changed;
    return 0;
}

KG_API int32_t kg_graph_bounds(const kg_graph *graph, const kg_position *position, int32_t *lower, int32_t *upper) {
    const kg_position board = board_of(position);
    uint64_t slot = 0;
    const uint32_t number = number_of(graph, &board, &slot);
    if (number == 0)
        return 0;
    *lower = graph->lower[number - 1];
    *upper = graph->upper[number - 1];
    return 1;
}

KG_API uint64_t kg_graph_positions(const kg_graph *graph) {
    return graph->count;
}

KG_API uint64_t kg_graph_passes(const kg_graph *graph) {
    return graph->passes;
}

KG_API uint64_t kg_graph_endless(const kg_graph *graph) {
    uint64_t count = 0;
    for (uint64_t at = 0; at < graph->count; at++)
        count += graph->lower[at] != graph->upper[at];
    return count;
}
