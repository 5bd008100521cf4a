/* Plays at random through every function of the kernel, in memory from malloc, where a sanitizer sees each stray byte.
 * `driver` prints what it did; `driver overrun` does what must never happen, to show that the sanitizer looks. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../batch.c"
#include "../device.c"
#include "../evaluate.c"
#include "../network.c"
#include "../network_paths.c"
#include "../perft.c"
#include "../platform.c"
#include "../prospects.c"
#include "../reasons.c"
#include "../replay.c"
#include "../rules.c"
#include "../search.c"
#include "../selfplay.c"
#include "../trace.c"

static uint64_t state = 1;

static unsigned below(unsigned bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % bound;
}

static void *zeroed(size_t size) {
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (memory == NULL)
        exit(2);
    return memset(memory, 0, size);
}

static void fail(const char *what) {
    fprintf(stderr, "driver: %s\n", what);
    exit(1);
}

static kg_rules random_rules(void) {
    kg_rules rules = *kg_rules_of[below(KG_ANY)];
    if (below(3) == 0) {
        int32_t *choice = &rules.holes;
        for (int at = 0; at < KG_CHOICES; at++)
            choice[at] = (int32_t)below(kg_most_of_choice[at] < 4 ? (unsigned)kg_most_of_choice[at] + 1 : 4);
        rules.holes = 1 + (int)below(9);
        rules.stones = (int)below(127u / (unsigned)rules.holes + 1);
        rules.goal = below(2) ? 0 : (int)below(200);
        rules.recurrence = (int)below(3) * 40;
    }
    return rules;
}

/* A position of at most 255 stones, tuz and all; not every one is allowed. */
static kg_position random_position(const kg_rules *rules) {
    uint8_t bytes[24] = {0};
    unsigned left = below(256);
    while (left) {
        const unsigned stones = 1 + below(left < 40 ? left : 40), hole = below((unsigned)rules->holes + 1);
        const unsigned side = below(2);
        const unsigned at = hole == (unsigned)rules->holes ? 18 + side : hole < 8 ? 8 * side + hole : 16 + side;
        bytes[at] = (uint8_t)(bytes[at] + stones);
        left -= stones;
    }
    for (unsigned side = 0; side < 2; side++) {
        const unsigned number = below((unsigned)rules->holes + 1);
        if (rules->tuz && below(2) && number) {
            bytes[20 + side] = (uint8_t)number;
            if (rules->tuz_takes)
                bytes[number - 1 < 8 ? 8 * !side + number - 1 : 16 + !side] = 0;
        }
    }
    kg_position position;
    memcpy(&position, bytes, sizeof position);
    return position;
}

static unsigned total(const kg_position *position) {
    return kg_own_board(position) + kg_other_board(position) + kg_stored(position);
}

/* Plays to the end or to 200 plies, checks that no stone is lost, and traces the same game. */
static unsigned play_out(const kg_kernel *kernel, kg_position position) {
    const kg_position start = position;
    const unsigned stones = total(&position);
    uint8_t *holes = zeroed(200);
    kg_reason *reasons = zeroed(KG_MAX_REASONS * sizeof *reasons);
    int32_t plies = 0;
    kg_outcome outcome;
    while (plies < 200) {
        const uint32_t legal = kg_legal(kernel, &position);
        if ((kg_outcome_of(kernel, &position, &outcome) != KG_ONGOING) != (legal == 0))
            fail("legal holes and the outcome disagree");
        if (legal == 0)
            break;
        unsigned hole = below(9);
        while (!(legal >> hole & 1))
            hole = (hole + 1) % 9;
        uint8_t line[8], better[8];
        for (int at = 0; at < 8; at++) {
            line[at] = (uint8_t)below(10);
            better[at] = (uint8_t)below(10);
        }
        line[0] = (uint8_t)hole;
        better[0] = (uint8_t)hole; /* a move that can be played, so that all is looked at */
        const int32_t length = 1 + (int32_t)below(8), other = (int32_t)below(9), length_of_better = 1 + (int32_t)below(8);
        const int32_t said = kg_reasons(kernel, &position, line, length, better, other, reasons);
        better[0] = (uint8_t)below(9);
        const int32_t faults = kg_faults(kernel, &position, line, length, better, length_of_better, reasons);
        if (said < 0 || said > KG_MAX_REASONS || faults > KG_MAX_REASONS)
            fail("the reasons for a move do not fit");
        kg_sowing told;
        const int32_t again = kg_tell(kernel, &position, (int32_t)hole, &told);
        if (again < 0 || kg_play(kernel, &position, (int32_t)hole, &position) != again)
            fail("a legal hole was refused");
        if (memcmp(&told.after, &position, sizeof position) != 0)
            fail("the sowing told leads elsewhere");
        if (total(&position) != stones || kg_check(kernel, &position))
            fail("a sowing made no position");
        holes[plies++] = (uint8_t)hole;
    }
    for (int32_t hole = -3; hole < 12; hole++) {
        kg_position after;
        const int played = kg_play(kernel, &position, hole, &after) >= 0;
        const int allowed = hole >= 0 && hole < 9 && (kg_legal(kernel, &position) >> hole & 1) != 0;
        if (played != allowed)
            fail("an illegal hole was played");
    }
    kg_position *positions = malloc(sizeof *positions * (size_t)(plies + 1));
    uint16_t *legal = malloc(sizeof *legal * (size_t)(plies + 1));
    uint8_t *extra = malloc((size_t)(plies + 1));
    kg_outcome *outcomes = malloc(sizeof *outcomes * (size_t)(plies + 1));
    if (!positions || !legal || !extra || !outcomes)
        exit(2);
    if (kg_trace(kernel, &start, holes, plies, positions, legal, extra, outcomes) != plies)
        fail("the trace ends early");
    if (plies && memcmp(&positions[plies - 1], &position, sizeof position) != 0)
        fail("the trace leads elsewhere");
    free(holes);
    free(reasons);
    free(positions);
    free(legal);
    free(extra);
    free(outcomes);
    return (unsigned)plies;
}

static uint64_t search(const kg_kernel *kernel, const kg_position *position) {
    const uint64_t table = below(4) ? (uint64_t)below(1 << 16) : 0;
    kg_engine *engine = zeroed(kg_engine_bytes(table));
    kg_engine_init(engine, kernel, table);
    const int32_t count = (int32_t)below(700);
    kg_position *history = malloc(sizeof *history * (size_t)(count + 1));
    uint8_t *sides = malloc((size_t)(count + 1));
    if (!history || !sides)
        exit(2);
    for (int32_t at = 0; at < count; at++) {
        history[at] = *position;
        history[at].own += below(2);
        sides[at] = (uint8_t)below(2);
    }
    uint64_t nodes = 0;
    for (int round = 0; round < 2; round++) {
        const kg_limits limits = {.seconds = below(3) ? -1.0 : 0.01, .nodes = 1 + below(5000),
                                  .depth = below(2) ? 100 : 1 + (int32_t)below(8), .lines = 1 + (int32_t)below(9),
                                  .exact_depth = (int32_t)below(2)};
        if (kg_engine_begin(engine, position, (int32_t)below(2), &limits, history, sides, count) == KG_OVER)
            break;
        if (below(8) == 0)
            kg_engine_stop(engine);
        kg_engine_run(engine);
        kg_report report;
        kg_engine_report(engine, &report);
        const uint32_t legal = kg_legal(kernel, position);
        if (report.nodes > limits.nodes || report.count < 1 || report.count > limits.lines)
            fail("the search passed its limits");
        for (int32_t line = 0; line < report.count; line++)
            if (!(legal >> report.lines[line].move & 1) || report.lines[line].length < 1)
                fail("the search tells an illegal move");
        nodes += report.nodes;
    }
    if (below(4) == 0)
        kg_engine_clear(engine);
    free(history);
    free(sides);
    free(engine);
    return nodes;
}

/* A network of random numbers for the rules, in memory of just its size; the outputs it stores are those it gives. */
static kg_network *random_network(const kg_rules *rules, uint64_t *length) {
    static const uint32_t widths[] = {64, 128, 192};
    kg_network head = {.magic = "KORGOOLN", .version = KG_NETWORK_VERSION};
    head.rules = kg_write_rules(rules, &head.later);
    head.rules.goal = head.rules.threefold = head.rules.recurrence = 0;
    head.hidden = widths[below(3)];
    head.buckets = 1 + below(KG_BUCKETS);
    head.tuz_rows = rules->tuz ? KG_TUZ_ROWS : 1;
    head.checks = 1 + below(5);
    for (int board = 0; board < 256; board++)
        head.bucket[board] = (uint8_t)below(head.buckets);
    for (int at = 0; at < KG_HEADS * KG_BUCKETS; at++)
        head.scales[at / KG_BUCKETS][at % KG_BUCKETS] =
            (kg_scale){(int32_t)below(5000) - 2500, (int32_t)below(1u << 31) - (1 << 30)};
    const uint64_t numbers = rows_of(&head) * head.hidden;
    *length = sizeof head + numbers * sizeof(int16_t) + head.checks * sizeof(kg_network_check);
    kg_network *network = zeroed(*length);
    *network = head;
    network->bytes = (uint32_t)*length;
    int16_t *number = (int16_t *)(network + 1);
    const unsigned spread = below(2) ? 65535 : 200;
    for (uint64_t at = 0; at < numbers; at++)
        number[at] = (int16_t)((int)below(spread) - (int)spread / 2);
    kg_network_check *check = (kg_network_check *)(number + numbers);
    for (uint32_t at = 0; at < head.checks; at++, check++) {
        check->position = random_position(rules);
        const unsigned board = kg_own_board(&check->position) + kg_other_board(&check->position);
        for (int output = 0; output < KG_HEADS; output++)
            check->outputs[output] =
                kg_network_output(network, kg_network_choose(network, KG_PORTABLE), &check->position, output, board);
    }
    network->checksum = checksum_of((const uint8_t *)network + 24, *length - 24);
    return network;
}

/* Searches and plays with a network, and offers damaged ones. */
static uint64_t learned(const kg_kernel *kernel) {
    uint64_t length;
    kg_network *network = random_network(&kernel->rules, &length);
    kg_engine *engine = zeroed(kg_engine_bytes(1 << 14));
    kg_engine_init(engine, kernel, 1 << 14);
    if (kg_engine_network(engine, network, length))
        fail("a network was refused");
    const kg_plan plan = {.nodes = 1 + below(40), .opening = (int32_t)below(9), .stray = (int32_t)below(20000)};
    const uint64_t capacity = below(KG_LONGEST_GAME + 1);
    kg_sample *samples = zeroed((capacity + 1) * sizeof *samples);
    const uint64_t played = kg_selfplay(engine, below(1u << 31), &plan, samples, capacity);
    if (played > capacity)
        fail("more samples than there is room for");
    double chances[3];
    kg_engine_chances(engine, &samples->position, (int32_t)below(9000) - 4500, (int32_t)below(60) - 5, chances);
    if (!(chances[0] >= 0 && chances[1] >= 0 && chances[2] >= 0 && chances[0] + chances[2] < 1.0001))
        fail("chances that cannot be");
    if (kg_engine_network(engine, NULL, 0))
        fail("the evaluation by hand was refused");
    uint8_t *bytes = (uint8_t *)network;
    bytes[below((unsigned)(below(2) ? sizeof *network : length))] ^= (uint8_t)(1u << below(8));
    if (below(2))
        network->checksum = checksum_of(bytes + 24, length - 24);
    if (kg_engine_network(engine, network, length) == 0)
        kg_selfplay(engine, 1, &plan, samples, capacity);
    if (kg_engine_network(engine, network, below((unsigned)length)) == 0)
        fail("a network cut off was taken");
    free(network);
    free(engine);
    free(samples);
    return played;
}

static uint64_t replay(const kg_kernel *kernel) {
    static const char letters[] = "123456789123456789123456789\n\r 0x\xff";
    const uint64_t length = below(300), capacity = 1 + below(4);
    char *text = malloc(length + 1);
    kg_replayed *results = malloc(sizeof *results * capacity);
    if (!text || !results)
        exit(2);
    for (uint64_t at = 0; at < length; at++)
        text[at] = letters[below(sizeof letters)];
    uint64_t offset = 0, games = 0;
    while (offset < length) {
        const uint64_t found = kg_replay(kernel, text, length, &offset, results, capacity);
        for (uint64_t index = 0; index < found; index++)
            if (results[index].start + results[index].length > length)
                fail("a line outside the text");
        games += found;
    }
    free(text);
    free(results);
    return games;
}

static void *filled(uint64_t count, size_t size) {
    return zeroed(count * size + 1);
}

/* Plays games side by side, each array as long as it must be, and the first of them in place beside it. */
static uint64_t side_by_side(const kg_kernel *kernel) {
    const uint64_t count = 1 + below(5), holes = (uint64_t)kernel->rules.holes;
    kg_batch batch = {.count = count, .most_plies = (int32_t)(1 + below(120)), .auto_reset = (int32_t)below(2)};
    batch.positions = filled(count, sizeof(kg_position));
    batch.starts = filled(count, sizeof(kg_position));
    batch.final = filled(count, sizeof(kg_position));
    if (kernel->rules.threefold)
        batch.seen = filled(((uint64_t)batch.most_plies + 1) * count, sizeof(uint64_t));
    batch.draws = filled(count, sizeof(uint64_t));
    batch.filter = filled(count, sizeof(uint64_t));
    batch.plies = filled(count, sizeof(int32_t));
    batch.since = filled(count, sizeof(int32_t));
    batch.rewards = filled(count, sizeof(float));
    batch.final_stores = filled(2 * count, sizeof(int16_t));
    uint8_t **bytes[] = {&batch.turn, &batch.first,      &batch.final_turn,
                         &batch.over, &batch.terminated, &batch.truncated};
    for (unsigned at = 0; at < sizeof bytes / sizeof *bytes; at++)
        *bytes[at] = filled(count, 1);
    batch.legal = filled(count, holes);
    const uint64_t width = (uint64_t)kg_batch_width(kernel);
    float *rows = filled(count * width, sizeof(float));
    int64_t *actions = filled(count, sizeof(int64_t));
    for (uint64_t game = 0; game < count; game++) {
        do
            batch.starts[game] = random_position(&kernel->rules);
        while (kg_check(kernel, batch.starts + game) || kg_legal(kernel, batch.starts + game) == 0);
        batch.first[game] = (uint8_t)below(2);
    }
    if (kg_batch_check(kernel, batch.starts, batch.count) >= (int64_t)count)
        fail("a position beyond the last one was refused");
    kg_batch_seed(&batch, below(1u << 31));
    kg_batch_reset(kernel, &batch, NULL);
    kg_state state = {.kernel = kernel, .room = batch.most_plies + 1};
    state.path = filled((uint64_t)state.room, sizeof(kg_position));
    *state.path = *batch.starts;
    state.path->rest |= (uint64_t)*batch.first << 48;
    int32_t word = kg_state_begin(&state);
    uint64_t plies = 0;
    for (unsigned step = 0; step < 200; step++) {
        kg_batch_random(kernel, &batch, actions);
        const int64_t hole = *actions, wrong = (int64_t)below((unsigned)count), right = actions[wrong];
        actions[wrong] = below(2) ? -2 - (int64_t)below(99) : (int64_t)(holes + below(300));
        if (kg_batch_step(kernel, &batch, actions) != wrong)
            fail("a batch took an action that there is not");
        actions[wrong] = right;
        if (kg_batch_step(kernel, &batch, actions) != -1)
            fail("a batch refused a legal action");
        kg_batch_observe(kernel, batch.positions, batch.count, rows);
        plies += count;
        if (hole != KG_NO_ACTION && !(word >> 10)) {
            word = kg_state_play(&state, (int32_t)hole);
            const kg_position *stands = *batch.terminated || *batch.truncated ? batch.final : batch.positions;
            if (word < 0 || (word >> 10 != 0) != *batch.terminated || memcmp(stands, &state.position, sizeof *stands))
                fail("a game in place goes another way");
            if (*batch.terminated || *batch.truncated)
                break;
        }
    }
    if (!(word >> 10) && state.plies + 1 == state.room && kg_state_play(&state, 0) != KG_NO_ROOM)
        fail("a path without room took a ply");
    while (kg_state_undo(&state) >= 0)
        continue;
    if (memcmp(&state.position, batch.starts, sizeof state.position))
        fail("taking back did not lead to the start");
    for (unsigned at = 0; at < sizeof bytes / sizeof *bytes; at++)
        free(*bytes[at]);
    void *others[] = {batch.positions, batch.starts, batch.final, batch.seen,  batch.draws,
                      batch.filter, batch.plies, batch.since, batch.rewards, batch.final_stores,
                      batch.legal, rows, actions, state.path};
    for (unsigned at = 0; at < sizeof others / sizeof *others; at++)
        free(others[at]);
    return plies;
}

int main(int count, char **arguments) {
    kg_kernel *kernel = zeroed(sizeof *kernel);
    if (count > 1 && strcmp(arguments[1], "overrun") == 0) {
        kernel->rules = *kg_rules_of[0];
        /* Behind what was allocated, which is more than the kernel where that is no whole number of lines of memory. */
        kg_position *outside = (kg_position *)(void *)((char *)kernel + (sizeof *kernel + 63) / 64 * 64);
        return (int)kg_legal(kernel, outside);
    }
    const unsigned rounds = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 3000;
    uint64_t plies = 0, nodes = 0, games = 0, sequences = 0, samples = 0, batched = 0;
    for (unsigned round = 0; round < rounds; round++) {
        const kg_rules rules = random_rules();
        if (kg_kernel_init(kernel, &rules) != 0)
            fail("rules that should do were refused");
        kg_position position;
        kg_start(kernel, &position);
        for (int again = 0; again < 6; again++) {
            if (kg_check(kernel, &position) == 0) {
                plies += play_out(kernel, position);
                sequences += kg_perft(kernel, &position, (int32_t)below(4), (int32_t)below(2));
                nodes += search(kernel, &position);
            }
            position = random_position(&rules);
        }
        games += replay(kernel);
        if (rules.stones && rules.threefold != 1)
            batched += side_by_side(kernel);
        if (round % 20 == 0)
            samples += learned(kernel);
    }
    kg_rules bad = *kg_rules_of[0];
    bad.holes = 10;
    if (kg_kernel_init(kernel, &bad) != KG_BAD_RULES || kg_version() != KG_VERSION)
        fail("bad rules were taken");
    free(kernel);
    printf("%llu plies, %llu nodes, %llu lines of text, %llu sequences, %llu samples, %llu steps\n", (unsigned long long)plies,
           (unsigned long long)nodes, (unsigned long long)games, (unsigned long long)sequences,
           (unsigned long long)samples, (unsigned long long)batched);
    return 0;
}
