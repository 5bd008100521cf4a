/* Toguz korgool with a byte for each hole and a loop that drops stone by stone: what the kernel is measured against.
 * Written to be fast as far as the plain form allows: tuz stones are moved once after the loop, the side is an index,
 * nothing is looked up twice. */
#include <stdint.h>

typedef struct {
    uint8_t holes[18], stores[2], tuz[2]; /* tuz: index on the board of what each side owns, 255 for none */
    uint8_t side;
} board;

static void sow(const board *from, int hole, board *to) {
    *to = *from;
    const int side = from->side, base = 9 * side;
    int at = base + hole, stones = to->holes[at];
    to->holes[at] = 0;
    if (stones == 1)
        at = at == 17 ? 0 : at + 1;
    for (;;) {
        to->holes[at]++;
        if (--stones == 0)
            break;
        at = at == 17 ? 0 : at + 1;
    }
    for (int owner = 0; owner < 2; owner++) {
        const int tuz = to->tuz[owner];
        if (tuz != 255) {
            to->stores[owner] = (uint8_t)(to->stores[owner] + to->holes[tuz]);
            to->holes[tuz] = 0;
        }
    }
    const int there = at - (9 - base);
    if (there >= 0 && there < 9) {
        const int count = to->holes[at];
        if (count % 2 == 0) {
            to->stores[side] = (uint8_t)(to->stores[side] + count);
            to->holes[at] = 0;
        } else if (count == 3 && to->tuz[side] == 255 && there != 8 &&
                   (to->tuz[!side] == 255 || to->tuz[!side] != base + there)) {
            to->tuz[side] = (uint8_t)at;
            to->stores[side] = (uint8_t)(to->stores[side] + 3);
            to->holes[at] = 0;
        }
    }
    to->side = (uint8_t)!side;
}

static int over(const board *position) {
    return position->stores[0] >= 82 || position->stores[1] >= 82 ||
           (position->stores[0] == 81 && position->stores[1] == 81);
}

static uint64_t bulk(const board *position, int depth) {
    if (over(position))
        return 0;
    const uint8_t *row = position->holes + 9 * position->side;
    uint64_t count = 0;
    for (int hole = 0; hole < 9; hole++) {
        if (row[hole] == 0)
            continue;
        if (depth == 1) {
            count++;
        } else {
            board after;
            sow(position, hole, &after);
            count += bulk(&after, depth - 1);
        }
    }
    return count;
}

static uint64_t each(const board *position, int depth, uint64_t *digest) {
    if (over(position))
        return 0;
    const uint8_t *row = position->holes + 9 * position->side;
    uint64_t count = 0;
    for (int hole = 0; hole < 9; hole++) {
        if (row[hole] == 0)
            continue;
        board after;
        sow(position, hole, &after);
        if (depth > 1) {
            count += each(&after, depth - 1, digest);
        } else {
            count++;
            *digest += after.holes[hole] + after.stores[0];
        }
    }
    return count;
}

/* Sequences of exactly depth plies, at least 1, from the start; the last ply counted (counted = 1) or sown. */
__attribute__((visibility("default"))) uint64_t plain_perft(int depth, int counted) {
    board start = {.tuz = {255, 255}};
    for (int hole = 0; hole < 18; hole++)
        start.holes[hole] = 9;
    uint64_t digest = 0;
    const uint64_t count = counted ? bulk(&start, depth) : each(&start, depth, &digest);
    __asm__ volatile("" : : "r"(digest));
    return count;
}
