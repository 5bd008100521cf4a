/* The rules in words: a sowing is three additions of a table row, a turn a swap of words. Inlined into every loop that
 * plays, once for each game with its rules constant, so that a choice not taken costs nothing. */
#ifndef KORGOOL_RULES_H
#define KORGOOL_RULES_H

#include "korgool.h"

#define KG_INLINE static inline __attribute__((always_inline))

enum { KG_ROWS = KG_MAX_HOLES * (KG_MAX_STONES + 1), KG_STORE = 2 * KG_MAX_HOLES };

/* What sowing one hole with one count adds to the words (the lifted stones taken off), and where the last stone falls.
 * The place is 0 to 8 for an own hole, 9 to 17 for one of the opponent, KG_STORE for the own store. mask (255 or 0) and
 * shift find that hole in the opponent's word, mask8 (255 or 0) the ninth hole there: a capture then needs no branch. */
typedef struct {
    uint64_t own, other, rest;
    uint8_t place, shift, mask, mask8, reserved[4];
} kg_row;

struct kg_kernel {
    kg_rules rules;
    int32_t variant; /* the game that these rules move like, or KG_ANY */
    kg_row rows[KG_ROWS];
};

/* The choices at the head of a file: the first ones by name, as the oldest files hold them. Those that came later take
 * four bits each of another number; all of them at their defaults make 0. */
typedef struct {
    int32_t holes, stones, goal, tuz, tuz_last_hole, tuz_same_number, tuz_takes, store_sown, extra_turn;
    int32_t extra_turn_single, empty_capture, ending, sweep, threefold, recurrence;
} kg_stored_rules;

_Static_assert(sizeof(kg_stored_rules) == KG_FIRST_CHOICES * sizeof(int32_t), "the heads of files do not grow");
_Static_assert(sizeof(kg_rules) == KG_CHOICES * sizeof(int32_t), "rules can be gone through as a row of numbers");

/* What decides about the moves: 0 for the stones at the start, the goal and repetition, and for every choice that another
 * choice makes idle. */
kg_rules kg_bare_rules(const kg_rules *rules);
int kg_same_rules(const kg_rules *a, const kg_rules *b);
kg_stored_rules kg_write_rules(const kg_rules *rules, uint32_t *later);
kg_rules kg_read_rules(const kg_stored_rules *stored, uint32_t later);

KG_INLINE unsigned kg_byte(uint64_t word, unsigned index) {
    return (unsigned)(word >> (8 * index)) & 255u;
}

KG_INLINE unsigned kg_own_stones(const kg_position *position, unsigned hole) {
    return hole < 8 ? kg_byte(position->own, hole) : kg_byte(position->rest, 0);
}

KG_INLINE unsigned kg_other_stones(const kg_position *position, unsigned hole) {
    return hole < 8 ? kg_byte(position->other, hole) : kg_byte(position->rest, 1);
}

KG_INLINE unsigned kg_own_store(const kg_position *position) {
    return kg_byte(position->rest, 2);
}

KG_INLINE unsigned kg_other_store(const kg_position *position) {
    return kg_byte(position->rest, 3);
}

/* How many places beyond its hole a sowing of so many stones begins. */
KG_INLINE unsigned kg_first_step(const kg_rules *rules, unsigned stones) {
    (void)rules; /* all games agree */
    return stones == 1;
}

/* 1 where a last stone that makes so many in a hole of the opponent captures them, else 0. */
KG_INLINE uint64_t kg_captures(const kg_rules *rules, uint64_t stones) {
    (void)rules; /* all games agree */
    return ~stones & 1;
}

/* The high bit of each byte that is not zero. */
KG_INLINE uint64_t kg_filled(uint64_t word) {
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    return (((word & low) + low) | word) & ~low;
}

/* Holes of the side to move that hold stones. */
KG_INLINE unsigned kg_own_filled(const kg_rules *rules, const kg_position *position) {
    unsigned count = (unsigned)(((kg_filled(position->own) >> 7) * UINT64_C(0x0101010101010101)) >> 56);
    return count + (rules->holes > 8 && (position->rest & 0xff) != 0);
}

/* The sum of the eight bytes of a word, which must not pass 255. */
KG_INLINE unsigned kg_sum(uint64_t word) {
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    return (unsigned)((((word & even) + ((word >> 8) & even)) * UINT64_C(0x0001000100010001)) >> 48);
}

KG_INLINE unsigned kg_own_board(const kg_position *position) {
    return kg_sum(position->own) + kg_byte(position->rest, 0);
}

KG_INLINE unsigned kg_other_board(const kg_position *position) {
    return kg_sum(position->other) + kg_byte(position->rest, 1);
}

/* The same position seen by the opponent. */
KG_INLINE kg_position kg_turned(kg_position position) {
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    return (kg_position){position.other, position.own,
                         ((position.rest & even) << 8) | ((position.rest >> 8) & even)};
}

KG_INLINE int kg_ending(const kg_rules *rules, const kg_position *position) {
    if (rules->goal) {
        const int own = (int)kg_own_store(position), other = (int)kg_other_store(position);
        if (own >= rules->goal || other >= rules->goal)
            return KG_MAJORITY;
        if (own == other && !(position->own | position->other | (position->rest & 0xffff)))
            return KG_EQUAL;
    }
    const int own_empty = position->own == 0 && (rules->holes < 9 || (position->rest & 0xff) == 0);
    if (rules->ending == KG_ENDING_NO_MOVE)
        return own_empty ? KG_NO_MOVE : KG_ONGOING;
    const int other_empty = position->other == 0 && (rules->holes < 9 || (position->rest & 0xff00) == 0);
    return own_empty | other_empty ? KG_SIDE_EMPTY : KG_ONGOING;
}

/* Passes the stones that just fell into a tuz on to its owner (WNG-TK §IV). A tuz is empty before, but for the option
 * tuz_takes=no, where its three first stones lie on and may even be the ones sown. */
KG_INLINE void kg_feed(const kg_rules *rules, const kg_position *before, unsigned hole, kg_position *position) {
    const unsigned won = kg_byte(position->rest, 4), lost = kg_byte(position->rest, 5);
    if (won) {
        unsigned stones = kg_other_stones(position, won - 1);
        if (!rules->tuz_takes)
            stones -= kg_other_stones(before, won - 1);
        if (won < 9)
            position->other -= (uint64_t)stones << (8 * (won - 1));
        else
            position->rest -= (uint64_t)stones << 8;
        position->rest += (uint64_t)stones << 16;
    }
    if (lost) {
        unsigned stones = kg_own_stones(position, lost - 1);
        if (!rules->tuz_takes && lost - 1 != hole)
            stones -= kg_own_stones(before, lost - 1);
        if (lost < 9)
            position->own -= (uint64_t)stones << (8 * (lost - 1));
        else
            position->rest -= (uint64_t)stones;
        position->rest += (uint64_t)stones << 24;
    }
}

/* A last stone in an own hole that was empty takes itself and the stones opposite (WNG-M §III.3). */
KG_INLINE void kg_take_opposite(const kg_rules *rules, unsigned place, kg_position *position) {
    const unsigned opposite = (unsigned)rules->holes - 1 - place;
    const unsigned stones = kg_other_stones(position, opposite);
    if (kg_own_stones(position, place) != 1 || stones == 0 || kg_byte(position->rest, 5) == place + 1)
        return;
    if (place < 8)
        position->own -= UINT64_C(1) << (8 * place);
    else
        position->rest -= 1;
    if (opposite < 8)
        position->other -= (uint64_t)stones << (8 * opposite);
    else
        position->rest -= (uint64_t)stones << 8;
    position->rest += (uint64_t)(stones + 1) << 16;
}

/* Sows a hole that holds stones, in a game that is not over. Writes the position as the next player sees it and returns
 * whether the same player goes on. */
KG_INLINE int kg_sow(const kg_rules *rules, const kg_row *rows, const kg_position *before, unsigned hole,
                     kg_position *after) {
    const unsigned lifted = kg_own_stones(before, hole);
    const kg_row *row = rows + hole * (KG_MAX_STONES + 1) + lifted;
    kg_position next = {before->own + row->own, before->other + row->other, before->rest + row->rest};
    if (rules->tuz && next.rest >> 32)
        kg_feed(rules, before, hole, &next);

    const unsigned shift = row->shift;
    uint64_t target = next.other & ((uint64_t)row->mask << shift);
    uint64_t target8 = rules->holes > 8 ? next.rest & ((uint64_t)row->mask8 << 8) : 0;
    uint64_t stones = (target >> shift) | (target8 >> 8);
    if (rules->tuz && !rules->tuz_takes && kg_byte(next.rest, 4) == row->place - (KG_MAX_HOLES - 1u))
        stones = target = target8 = 0;
    const uint64_t captured = 0 - kg_captures(rules, stones);
    next.other -= target & captured;
    next.rest -= target8 & captured;
    next.rest += (stones & captured) << 16;
    if (rules->tuz && stones == 3 && kg_byte(next.rest, 4) == 0) {
        const unsigned number = row->place - (KG_MAX_HOLES - 1u);
        if ((rules->tuz_last_hole || (int)number != rules->holes) &&
            (rules->tuz_same_number || kg_byte(next.rest, 5) != number)) {
            next.rest |= (uint64_t)number << 32;
            if (rules->tuz_takes) {
                next.other -= target;
                next.rest -= target8;
                next.rest += UINT64_C(3) << 16;
            }
        }
    }
    if (rules->empty_capture && row->place < KG_MAX_HOLES)
        kg_take_opposite(rules, row->place, &next);
    if (rules->extra_turn && row->place == KG_STORE && (lifted > 1 || rules->extra_turn_single)) {
        *after = next;
        return 1;
    }
    *after = kg_turned(next);
    return 0;
}

#endif
