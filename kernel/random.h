/* Random numbers that a seed decides, the same on every machine. */
#ifndef KORGOOL_RANDOM_H
#define KORGOOL_RANDOM_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t kg_mixed(uint64_t word) {
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

static inline uint64_t kg_draw(uint64_t *state) {
    return kg_mixed(*state += UINT64_C(0x9e3779b97f4a7c15));
}

static inline unsigned kg_drawn_below(uint64_t *state, unsigned bound) {
    return (unsigned)((kg_draw(state) >> 32) * bound >> 32);
}

#endif
