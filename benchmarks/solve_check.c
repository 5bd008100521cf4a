/* Checks a proof of mangala: `cc -O2 -o solve_check benchmarks/solve_check.c && ./solve_check FOLDER`.
 *
 * Written apart from the solver: nothing of the kernel is used, stones are sown one by one. FOLDER holds `table` and
 * `proof` as `korgool solve --prove FOLDER` writes them. Two things are checked.
 *
 * 1. The table. Positions stand in it by stones on the board, then by stones of the side to move, then by his row, then
 *    by the other row; of two rows of as many stones the one comes first that has more stones in the highest hole in
 *    which they differ. Every entry must be the best of what its moves lead to, by the entries there. As no play comes
 *    back, one pass shows all of them right.
 * 2. The claims. Each must follow from an ended game, the table, the stones that lie there, or other claims, all of
 *    them nearer to the end. Then the claims about the positions after the first moves are compared with what the
 *    first line of the proof says. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HOLES = 6, MOST = 48, TABLE_MOST = 26, THREE_HOLES = 1 << 15 };
typedef unsigned char cell;
typedef struct {
    cell own[HOLES], other[HOLES];
} board;

static int sweep_emptied, sweep_owner, extra_turn, extra_single, empty_capture, stones_most;
static const int8_t *table;
static uint64_t table_size;

static void fail(const char *what) {
    fprintf(stderr, "solve_check: %s\n", what);
    exit(1);
}

static void *need(size_t size) {
    void *memory = calloc(size, 1);
    if (!memory)
        fail("there is not enough memory");
    return memory;
}

/* ---- the game, from its text ---- */

static int sum(const cell *row) {
    return row[0] + row[1] + row[2] + row[3] + row[4] + row[5];
}

/* Sows one hole. Answers the stones gained; *again tells whether the same player goes on. after is seen by the one who
 * sowed. */
static int sow(const board *before, int hole, board *after, int *again) {
    cell ring[2 * HOLES + 1];
    int gained;
    memcpy(ring, before->own, sizeof before->own);
    ring[HOLES] = 0;
    memcpy(ring + HOLES + 1, before->other, sizeof before->other);
    int hand = ring[hole], at = hole;
    const int single = hand == 1;
    ring[hole] = 0;
    if (!single) {
        ring[hole] = 1;
        hand--;
    }
    while (hand > 0) {
        at = at == 2 * HOLES ? 0 : at + 1;
        ring[at]++;
        hand--;
    }
    *again = at == HOLES && extra_turn && (!single || extra_single);
    gained = ring[HOLES];
    if (at > HOLES && ring[at] % 2 == 0) {
        gained += ring[at];
        ring[at] = 0;
    }
    if (at < HOLES && empty_capture && ring[at] == 1 && ring[2 * HOLES - at] > 0) {
        gained += 1 + ring[2 * HOLES - at];
        ring[at] = ring[2 * HOLES - at] = 0;
    }
    memcpy(after->own, ring, sizeof after->own);
    memcpy(after->other, ring + HOLES + 1, sizeof after->other);
    return gained;
}

static int over(const board *position) {
    return sum(position->own) == 0 || sum(position->other) == 0;
}

static int swept(const board *position) {
    const int left = sum(position->own) - sum(position->other);
    return sweep_owner ? left : sweep_emptied ? -left : 0;
}

static board turned(const board *position) {
    board answer;
    memcpy(answer.own, position->other, sizeof answer.own);
    memcpy(answer.other, position->own, sizeof answer.other);
    return answer;
}

/* How far the stones on the board are from the stores; with as many stones it falls with every sowing. */
static int distance(const board *position) {
    int far = 0;
    for (int hole = 0; hole < HOLES; hole++)
        far += (HOLES - hole) * (position->own[hole] + position->other[hole]);
    return far;
}

/* ---- numbering ---- */

static uint64_t ways[HOLES + 1][MOST + 1]; /* rows of so many holes with exactly so many stones */
static uint64_t block[TABLE_MOST + 1][TABLE_MOST + 1];
/* The place of a row among those of its total is the sum of two numbers: one by the first three holes, one by how many
 * stones these hold and the next two. That this is so is seen for every row when they are listed. */
static int32_t near_part[THREE_HOLES], far_part[THREE_HOLES];
static cell (*rows[TABLE_MOST + 1])[HOLES];

static void count_ways(void) {
    ways[0][0] = 1;
    for (int holes = 1; holes <= HOLES; holes++)
        for (int total = 0; total <= MOST; total++)
            for (int last = 0; last <= total; last++)
                ways[holes][total] += ways[holes - 1][total - last];
}

static int packed(int a, int b, int c) {
    return a | b << 5 | c << 10;
}

static uint32_t place(const cell *row) {
    return (uint32_t)(near_part[packed(row[0], row[1], row[2])] +
                      far_part[packed(row[0] + row[1] + row[2], row[3], row[4])]);
}

static void list_rows(void) {
    uint64_t offset = 0;
    for (int total = 0; total <= stones_most; total++)
        rows[total] = need((size_t)ways[HOLES][total] * sizeof *rows[total]);
    for (int pass = 0; pass < 3; pass++)
        for (int total = 0; total <= stones_most; total++) {
            uint32_t count = 0;
            for (int f = total; f >= 0; f--)
                for (int e = total - f; e >= 0; e--)
                    for (int d = total - f - e; d >= 0; d--)
                        for (int c = total - f - e - d; c >= 0; c--)
                            for (int b = total - f - e - d - c; b >= 0; b--, count++) {
                                const int a = total - f - e - d - c - b, three = a + b + c;
                                const cell row[HOLES] = {(cell)a, (cell)b, (cell)c, (cell)d, (cell)e, (cell)f};
                                memcpy(rows[total][count], row, sizeof row);
                                if (pass == 0 && b == 0 && c == 0)
                                    far_part[packed(a, d, e)] = (int32_t)count;
                                if (pass == 1 && d == 0 && e == 0)
                                    near_part[packed(a, b, c)] = (int32_t)count - far_part[packed(three, 0, 0)];
                                if (pass == 2 && place(row) != count)
                                    fail("the rows are not numbered as they should be");
                            }
        }
    for (int total = 0; total <= stones_most; total++)
        for (int own = 0; own <= total; own++) {
            block[total][own] = offset;
            offset += ways[HOLES][own] * ways[HOLES][total - own];
        }
    if (offset != table_size)
        fail("the table has another size than its stones ask for");
}

static int looked_up(const board *position) {
    const int own = sum(position->own), other = sum(position->other);
    return table[block[own + other][own] + place(position->own) * ways[HOLES][other] +
                 place(position->other)];
}

static uint32_t number_of_row(const cell *row) {
    int left = sum(row);
    uint64_t number = 0;
    for (int total = 0; total < left; total++)
        number += ways[HOLES][total];
    for (int hole = HOLES - 1; hole > 0; hole--) {
        for (int more = left; more > row[hole]; more--)
            number += ways[hole][left - more];
        left -= row[hole];
    }
    return (uint32_t)number;
}

static void row_of_number(uint64_t number, cell *row) {
    int left = 0;
    while (left <= MOST && number >= ways[HOLES][left])
        number -= ways[HOLES][left++];
    if (left > MOST)
        fail("a claim is about no position");
    for (int hole = HOLES - 1; hole > 0; hole--) {
        int more = left;
        while (number >= ways[hole][left - more])
            number -= ways[hole][left - more--];
        row[hole] = (cell)more;
        left -= more;
    }
    row[0] = (cell)left;
}

static uint64_t key_of(const board *position) {
    return (uint64_t)number_of_row(position->own) << 25 | number_of_row(position->other);
}

/* ---- the table ---- */

static void check_table(void) {
    uint64_t index = 0;
    for (int total = 0; total <= stones_most; total++) {
        for (int own = 0; own <= total; own++)
            for (uint64_t i = 0; i < ways[HOLES][own]; i++)
                for (uint64_t j = 0; j < ways[HOLES][total - own]; j++, index++) {
                    board position, after;
                    memcpy(position.own, rows[own][i], sizeof position.own);
                    memcpy(position.other, rows[total - own][j], sizeof position.other);
                    int best = -100, again;
                    if (own == 0 || own == total) {
                        best = swept(&position);
                    } else {
                        for (int hole = 0; hole < HOLES; hole++) {
                            if (position.own[hole] == 0)
                                continue;
                            const int gained = sow(&position, hole, &after, &again);
                            const board next = turned(&after);
                            const int value = again ? gained + looked_up(&after) : gained - looked_up(&next);
                            best = value > best ? value : best;
                        }
                    }
                    if (table[index] != best) {
                        fprintf(stderr, "solve_check: entry %llu says %d and should say %d\n",
                                (unsigned long long)index, table[index], best);
                        exit(1);
                    }
                }
        if (total > 16)
            fprintf(stderr, "table: %d of %d stones agree\n", total, stones_most);
    }
}

/* ---- the claims ---- */

static uint64_t *claims, slots, claim_count;
static uint8_t *claim_moves;

static uint64_t slot_of(uint64_t key) {
    uint64_t at = (key ^ key >> 23) * UINT64_C(0x2545f4914f6cdd1d) >> 7;
    for (at &= slots - 1; claims[at] && claims[at] >> 14 != key; at = (at + 1) & (slots - 1))
        ;
    return at;
}

/* Bounds that stand without the list, or in it. */
static void bounds(const board *position, int *lower, int *upper) {
    const int stones = sum(position->own) + sum(position->other);
    if (over(position)) {
        *lower = *upper = swept(position);
        return;
    }
    if (stones <= stones_most) {
        *lower = *upper = looked_up(position);
        return;
    }
    *lower = -stones;
    *upper = stones;
    const uint64_t word = claims[slot_of(key_of(position))];
    if (!word)
        return;
    const int low = (int)(word & 127) - 64, high = (int)(word >> 7 & 127) - 64;
    *lower = low > *lower ? low : *lower;
    *upper = high < *upper ? high : *upper;
}

/* What a move is worth at least and at most, by the bounds of the position after it. */
static void worth(const board *position, int hole, int *least, int *most) {
    board after;
    int again, lower, upper;
    const int gained = sow(position, hole, &after, &again);
    board next = again ? after : turned(&after);
    const int before = sum(position->own) + sum(position->other), now = sum(next.own) + sum(next.other);
    if (now > before || (now == before && distance(&next) >= distance(position)))
        fail("a sowing leads nowhere nearer to the end");
    bounds(&next, &lower, &upper);
    *least = again ? gained + lower : gained - upper;
    *most = again ? gained + upper : gained - lower;
}

static void check_claim(uint64_t word, int hole) {
    board position;
    int least, most;
    row_of_number(word >> 39, position.own);
    row_of_number(word >> 14 & 0x1ffffff, position.other);
    const int low = (int)(word & 127), high = (int)(word >> 7 & 127);
    if (over(&position))
        fail("a claim is about an ended game");
    if (low) {
        if (hole >= HOLES || position.own[hole] == 0)
            fail("a claim rests on a hole that is empty");
        worth(&position, hole, &least, &most);
        if (least < low - 64)
            fail("a lower claim is not supported by its move");
    }
    if (high < 127) {
        for (hole = 0; hole < HOLES; hole++) {
            if (position.own[hole] == 0)
                continue;
            worth(&position, hole, &least, &most);
            if (most > high - 64)
                fail("an upper claim is not supported by every move");
        }
    }
}

/* ---- files ---- */

static uint8_t *read_file(const char *folder, const char *name, uint64_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        fail("FOLDER/table or FOLDER/proof cannot be read");
    *size = (uint64_t)ftell(file);
    rewind(file);
    uint8_t *data = need(*size + 1);
    if (fread(data, 1, *size, file) != *size)
        fail("a file cannot be read");
    fclose(file);
    return data;
}

static const char *field(const char *head, const char *name) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", name);
    const char *at = strstr(head, quoted);
    if (!at)
        fail("the first line of the proof lacks a field");
    return at + strlen(quoted);
}

/* The position text: `north/south white black S|N number`, north from his last hole down to his first. */
static board read_position(const char *text, int *difference) {
    cell side[2][HOLES] = {{0}};
    int stores[2];
    const char *at = text + 1;
    for (int row = 0; row < 2; row++) {
        for (int hole = 0; hole < HOLES;) {
            char *end;
            const long number = strtol(at, &end, 10);
            const int empty = *end != 'S';
            for (long count = empty ? number : 1; count > 0 && hole < HOLES; count--, hole++)
                side[row][row == 0 ? HOLES - 1 - hole : hole] = (cell)(empty ? 0 : number);
            if (end == at || number < 1)
                fail("the position of the proof cannot be read");
            at = end + !empty + 1;
        }
    }
    char mover;
    if (sscanf(at, "%d %d %c", &stores[0], &stores[1], &mover) != 3)
        fail("the position of the proof cannot be read");
    const int white = mover == 'S';
    board position;
    memcpy(position.own, side[white], sizeof position.own);
    memcpy(position.other, side[!white], sizeof position.other);
    *difference = white ? stores[0] - stores[1] : stores[1] - stores[0];
    return position;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: solve_check FOLDER\n");
        return 2;
    }
    uint64_t size, proof_size;
    const clock_t began = clock();
    table = (const int8_t *)read_file(arguments[1], "table", &table_size);
    uint8_t *proof = read_file(arguments[1], "proof", &proof_size);
    char *head = (char *)proof, *line = memchr(proof, '\n', proof_size);
    if (!line)
        fail("the proof has no first line");
    *line = 0;
    if (strncmp(field(head, "format"), "\"korgool-proof-1\"", 17) || atoi(field(head, "holes")) != HOLES ||
        strncmp(field(head, "tuz"), "false", 5) || strncmp(field(head, "store_sown"), "true", 4) ||
        strncmp(field(head, "ending"), "\"side_empty\"", 12))
        fail("the proof is of another format or game");
    sweep_emptied = !strncmp(field(head, "sweep"), "\"emptied\"", 9);
    sweep_owner = !strncmp(field(head, "sweep"), "\"owner\"", 7);
    extra_turn = !strncmp(field(head, "extra_turn"), "true", 4);
    extra_single = !strncmp(field(head, "extra_turn_single"), "true", 4);
    empty_capture = !strncmp(field(head, "empty_capture"), "true", 4);
    const char *at = strstr(head, "\"position\"");
    stones_most = at ? atoi(field(at, "stones")) : -1;
    if (stones_most < 0 || stones_most > TABLE_MOST)
        fail("the table has a number of stones that cannot be");
    claim_count = strtoull(field(head, "positions"), 0, 10);
    size = (uint64_t)(line + 1 - head);
    if (proof_size != size + 9 * claim_count)
        fail("the proof has another length than its first line says");

    count_ways();
    list_rows();
    check_table();
    printf("the table of %d stones holds: %llu positions, %.0f seconds\n", stones_most,
           (unsigned long long)table_size, (double)(clock() - began) / CLOCKS_PER_SEC);

    slots = 1024;
    while (slots < 2 * claim_count)
        slots *= 2;
    claims = need(slots * 8);
    claim_moves = need(slots);
    for (uint64_t i = 0; i < claim_count; i++) {
        uint64_t word;
        memcpy(&word, proof + size + 8 * i, 8);
        const uint64_t slot = slot_of(word >> 14);
        if (!word || claims[slot])
            fail("a position stands twice in the proof");
        claims[slot] = word;
        claim_moves[slot] = proof[size + 8 * claim_count + i];
    }
    uint64_t lower_claims = 0, upper_claims = 0;
    for (uint64_t slot = 0; slot < slots; slot++)
        if (claims[slot]) {
            check_claim(claims[slot], claim_moves[slot]);
            lower_claims += (claims[slot] & 127) != 0;
            upper_claims += (claims[slot] >> 7 & 127) != 127;
        }
    printf("the proof holds: %llu positions, %llu lower and %llu upper claims\n", (unsigned long long)claim_count,
           (unsigned long long)lower_claims, (unsigned long long)upper_claims);

    int stores, best = -100;
    const board start = read_position(field(head, "position"), &stores);
    const char *moves = strstr(head, "\"moves\"");
    for (int hole = 0; hole < HOLES; hole++) {
        char name[4];
        int least, most;
        snprintf(name, sizeof name, "%d", hole + 1);
        if (start.own[hole] == 0)
            continue;
        worth(&start, hole, &least, &most);
        const int said = atoi(field(moves ? moves : "", name)) - stores;
        if (least != said || most != said)
            fail("a first move is not proven to be worth what the proof says");
        printf("move %d: %+d\n", hole + 1, said + stores);
        best = said > best ? said : best;
    }
    if (best + stores != atoi(field(strstr(head, "\"position\""), "difference")))
        fail("the start is not worth what the proof says");
    printf("value %+d, sweep %s, %.0f seconds in all\n", best + stores,
           sweep_emptied ? "emptied" : sweep_owner ? "owner" : "nobody", (double)(clock() - began) / CLOCKS_PER_SEC);
    return 0;
}
