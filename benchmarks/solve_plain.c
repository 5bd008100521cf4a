/* The plain way to the same table of mangala, for benchmarks/solve.py: positions as bytes, stones sown one by one,
 * values found by recursion and kept. Default rules. */
#include <stdint.h>
#include <string.h>

enum { HOLES = 6, UNKNOWN = -128 };
static uint64_t binomial[64][16];
static uint64_t block[32][32];
static int8_t *values;

static uint64_t number(const uint8_t *row) {
    uint64_t rank = 0;
    unsigned sum = 0;
    for (unsigned hole = 0; hole < HOLES - 1; hole++) {
        sum += row[hole];
        rank += binomial[sum + hole][hole + 1];
    }
    return rank;
}

static int total(const uint8_t *row) {
    int sum = 0;
    for (int hole = 0; hole < HOLES; hole++)
        sum += row[hole];
    return sum;
}

static int value(const uint8_t *own, const uint8_t *other) {
    const int mine = total(own), his = total(other);
    int8_t *entry =
        values + block[mine + his][mine] + number(own) * binomial[his + HOLES - 1][HOLES - 1] + number(other);
    if (*entry != UNKNOWN)
        return *entry;
    if (mine == 0 || his == 0)
        return *entry = (int8_t)(his - mine);
    int best = UNKNOWN;
    for (int hole = 0; hole < HOLES; hole++) {
        if (own[hole] == 0)
            continue;
        uint8_t ring[2 * HOLES + 1];
        memcpy(ring, own, HOLES);
        ring[HOLES] = 0;
        memcpy(ring + HOLES + 1, other, HOLES);
        int hand = ring[hole], at = hole;
        ring[hole] = 0;
        if (hand > 1) {
            ring[hole] = 1;
            hand--;
        }
        while (hand--) {
            at = at == 2 * HOLES ? 0 : at + 1;
            ring[at]++;
        }
        int gain = ring[HOLES];
        if (at > HOLES && ring[at] % 2 == 0) {
            gain += ring[at];
            ring[at] = 0;
        } else if (at < HOLES && ring[at] == 1 && ring[2 * HOLES - at]) {
            gain += 1 + ring[2 * HOLES - at];
            ring[at] = ring[2 * HOLES - at] = 0;
        }
        const int worth = at == HOLES ? gain + value(ring, ring + HOLES + 1) : gain - value(ring + HOLES + 1, ring);
        best = worth > best ? worth : best;
    }
    return *entry = (int8_t)best;
}

static void each(uint8_t *cells, int at, int left) {
    if (at == 2 * HOLES - 1) {
        cells[at] = (uint8_t)left;
        value(cells, cells + HOLES);
        return;
    }
    for (int stones = 0; stones <= left; stones++) {
        cells[at] = (uint8_t)stones;
        each(cells, at + 1, left - stones);
    }
}

uint64_t plain_table(int stones, int8_t *memory) {
    for (int n = 0; n < 64; n++)
        for (int k = 0; k < 16; k++)
            binomial[n][k] = k == 0 ? 1 : n == 0 ? 0 : binomial[n - 1][k - 1] + binomial[n - 1][k];
    uint64_t offset = 0;
    for (int all = 0; all <= stones; all++)
        for (int own = 0; own <= all; own++) {
            block[all][own] = offset;
            offset += binomial[own + 5][5] * binomial[all - own + 5][5];
        }
    values = memory;
    memset(memory, UNKNOWN, offset);
    uint8_t cells[2 * HOLES];
    for (int all = 0; all <= stones; all++)
        each(cells, 0, all);
    return offset;
}
