/* Claims stand in a table of words under open addressing; those that still need support lie on a stack. A claim may be
 * made stronger after it was supported: it is put on the stack again. */
#include "solve_proof.h"

enum { VALUE_ZERO = 64, NO_UPPER = 127, NO_LOWER = 0 };
enum { LOWER = 1, UPPER = 2 };

struct kg_proof {
    kg_searcher *searcher;
    uint64_t slots, count, waiting, room;
    uint64_t *words, *stack;
    uint8_t *moves;
};

KG_API uint64_t kg_proof_bytes(uint64_t slots) {
    if (slots < 1024 || slots & (slots - 1) || slots > UINT64_C(1) << 36)
        return 0;
    return 64 + sizeof(kg_proof) + slots * 8 + slots + slots * 4;
}

KG_API int32_t kg_proof_init(kg_proof *proof, kg_searcher *searcher, uint64_t slots) {
    proof->searcher = searcher;
    proof->slots = slots;
    proof->room = slots / 2;
    proof->words = (uint64_t *)(void *)(((uintptr_t)(proof + 1) + 7) / 8 * 8);
    proof->stack = proof->words + slots;
    proof->moves = (uint8_t *)(proof->stack + slots / 2);
    return 0;
}

static uint64_t slot_of(const kg_proof *proof, uint64_t key) {
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 31;
    uint64_t at = hash & (proof->slots - 1);
    while (proof->words[at] != 0 && proof->words[at] >> 14 != key)
        at = (at + 1) & (proof->slots - 1);
    return at;
}

static uint64_t word_of(uint64_t key, int lower, int upper) {
    return key << 14 | (uint64_t)upper << 7 | (uint64_t)lower;
}

/* Whether a claim in a word is at least as strong as the bounds, each shifted by 64. */
static int says(uint64_t word, int lower, int upper) {
    return word != 0 && (int)(word & 127) >= lower && (int)(word >> 7 & 127) <= upper;
}

/* 1, or 0 when there is no room. */
static int claim(kg_proof *proof, uint64_t key, int lower, int upper) {
    const uint64_t at = slot_of(proof, key), known = proof->words[at];
    if (says(known, lower, upper))
        return 1;
    if (proof->waiting == proof->room || (known == 0 && proof->count >= proof->slots / 4 * 3))
        return 0;
    int need = 0, had_lower = NO_LOWER, had_upper = NO_UPPER;
    if (known) {
        had_lower = (int)(known & 127);
        had_upper = (int)(known >> 7 & 127);
    }
    if (lower > had_lower) {
        need |= LOWER;
        had_lower = lower;
    }
    if (upper < had_upper) {
        need |= UPPER;
        had_upper = upper;
    }
    proof->count += known == 0;
    proof->words[at] = word_of(key, had_lower, had_upper);
    proof->stack[proof->waiting++] = key << 2 | (uint64_t)need;
    return 1;
}

KG_API int32_t kg_proof_claim(kg_proof *proof, const kg_position *position, int32_t lower, int32_t upper) {
    return claim(proof, kg_solve_key(proof->searcher->solver, position), lower + VALUE_ZERO, upper + VALUE_ZERO);
}

typedef struct {
    kg_position after;
    uint64_t key;
    int gain, again, left, leaf, exact, hope;
    unsigned hole;
} step;

static int steps_of(const kg_solver *solver, const kg_position *position, step *steps) {
    const kg_rules *rules = &solver->kernel->rules;
    const int stones = (int)(kg_sum(position->own) + kg_sum(position->other));
    int count = 0;
    for (unsigned hole = 0; hole < KG_SOLVE_HOLES; hole++) {
        if (kg_byte(position->own, hole) == 0)
            continue;
        step next = {.hole = hole};
        next.again = kg_sow(rules, solver->kernel->rows, position, hole, &next.after);
        next.gain = (int)(next.again ? kg_own_store(&next.after) : kg_other_store(&next.after));
        next.left = stones - next.gain;
        next.after.rest = 0;
        if (kg_ending(rules, &next.after) != KG_ONGOING) {
            next.leaf = 1;
            next.exact = kg_swept(solver, kg_sum(next.after.own), kg_sum(next.after.other));
        } else if (next.left <= solver->stones) {
            next.leaf = 1;
            next.exact = solver->table[kg_solve_index(solver, next.after.own, next.after.other)];
        } else {
            next.key = kg_solve_key(solver, &next.after);
        }
        const int hope = kg_solve_estimate(&next.after);
        next.hope = 48 * next.gain + (next.again ? hope : -hope);
        int place = count++;
        for (; place > 0 && steps[place - 1].hope < next.hope; place--)
            steps[place] = steps[place - 1];
        steps[place] = next;
    }
    return count;
}

/* The claim about the position after a step that shows its move to be worth at least, or at most, a value. */
static int claim_after(kg_proof *proof, const step *next, int value, int at_least) {
    const int rest = next->again ? value - next->gain : next->gain - value;
    const int lower = at_least == next->again;
    return claim(proof, next->key, lower ? rest + VALUE_ZERO : NO_LOWER, lower ? NO_UPPER : rest + VALUE_ZERO);
}

static int known_after(const kg_proof *proof, const step *next, int value) {
    const uint64_t word = proof->words[slot_of(proof, next->key)];
    const int rest = next->again ? value - next->gain : next->gain - value;
    return next->again ? says(word, rest + VALUE_ZERO, NO_UPPER) : says(word, NO_LOWER, rest + VALUE_ZERO);
}

/* 1, 0 when there is no room, -2 when the claim is wrong. */
static int support_lower(kg_proof *proof, const kg_position *position, uint64_t at, int value) {
    step steps[KG_SOLVE_HOLES];
    const int count = steps_of(proof->searcher->solver, position, steps);
    for (int i = 0; i < count; i++) {
        const step *next = steps + i;
        const int worst = next->leaf ? next->exact : next->again ? -next->left : next->left;
        if ((next->again ? next->gain + worst : next->gain - worst) >= value ||
            (!next->leaf && known_after(proof, next, value))) {
            proof->moves[at] = (uint8_t)next->hole;
            return 1;
        }
    }
    /* What the searcher knows first, then what it finds. */
    for (int search = 0; search < 2; search++) {
        for (int i = 0; i < count; i++) {
            const step *next = steps + i;
            if (next->leaf)
                continue;
            int32_t lower, upper, bound;
            kg_searcher_known(proof->searcher, &next->after, &lower, &upper);
            if (search && next->again) {
                kg_searcher_test(proof->searcher, &next->after, value - next->gain, 0, &bound);
                lower = bound > lower ? bound : lower;
                if (bound < value - next->gain)
                    continue;
            } else if (search) {
                kg_searcher_test(proof->searcher, &next->after, next->gain - value + 1, 0, &bound);
                if (bound > next->gain - value)
                    continue;
                upper = bound;
            }
            if ((next->again ? next->gain + lower : next->gain - upper) >= value) {
                proof->moves[at] = (uint8_t)next->hole;
                return claim_after(proof, next, value, 1);
            }
        }
    }
    return -2;
}

static int support_upper(kg_proof *proof, const kg_position *position, int value) {
    step steps[KG_SOLVE_HOLES];
    const int count = steps_of(proof->searcher->solver, position, steps);
    for (int i = 0; i < count; i++) {
        const step *next = steps + i;
        const int best = next->leaf ? next->exact : next->again ? next->left : -next->left;
        if ((next->again ? next->gain + best : next->gain - best) <= value)
            continue;
        if (next->leaf)
            return -2;
        const int done = claim_after(proof, next, value, 0);
        if (done != 1)
            return done;
    }
    return 1;
}

KG_API int32_t kg_proof_run(kg_proof *proof, uint64_t limit) {
    const uint64_t before = kg_searcher_nodes(proof->searcher);
    uint64_t looked = 0;
    while (proof->waiting) {
        if (looked++ + kg_searcher_nodes(proof->searcher) - before > limit)
            return 0;
        const uint64_t top = proof->stack[--proof->waiting], key = top >> 2;
        const uint64_t at = slot_of(proof, key);
        const uint64_t word = proof->words[at];
        kg_position position;
        kg_solve_position(proof->searcher->solver, key, &position);
        int done = 1;
        if (top & LOWER)
            done = support_lower(proof, &position, at, (int)(word & 127) - VALUE_ZERO);
        if (done == 1 && top & UPPER)
            done = support_upper(proof, &position, (int)(word >> 7 & 127) - VALUE_ZERO);
        if (done != 1)
            return done == 0 ? -1 : done;
    }
    return 1;
}

KG_API uint64_t kg_proof_positions(const kg_proof *proof) {
    return proof->count;
}

KG_API void kg_proof_gather(kg_proof *proof, const uint64_t **words, const uint8_t **moves) {
    uint64_t count = 0;
    for (uint64_t at = 0; at < proof->slots; at++)
        if (proof->words[at]) {
            proof->words[count] = proof->words[at];
            proof->moves[count++] = proof->moves[at];
        }
    *words = proof->words;
    *moves = proof->moves;
}
