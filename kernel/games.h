/* Made by kernel/generate.py from korgool.rules. Do not edit. */
#ifndef KORGOOL_GAMES_H
#define KORGOOL_GAMES_H

#include <stdint.h>

enum { KG_ENDING_NO_MOVE = 0, KG_ENDING_SIDE_EMPTY = 1 };
enum { KG_SWEEP_OWNER = 0, KG_SWEEP_EMPTIED = 1, KG_SWEEP_NOBODY = 2 };

/* The named choices of korgool.rules.Rules, in its order; booleans are 0 or 1. */
typedef struct {
    int32_t holes, stones, goal, tuz, tuz_last_hole, tuz_same_number, tuz_takes, store_sown, extra_turn,
            extra_turn_single, empty_capture, ending, sweep, threefold, recurrence, drawn_position;
} kg_rules;

/* Choices, and how many of them the first files hold; the largest number of each. */
enum { KG_CHOICES = 16, KG_FIRST_CHOICES = 15 };
static const int32_t kg_most_of_choice[KG_CHOICES] = {
    KG_MAX_HOLES, KG_MAX_STONES, INT32_MAX, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, INT32_MAX, INT32_MAX, 1
};

/* The games; KG_ANY stands for rules that move like none of them. */
enum { KG_TOGUZ, KG_MANGALA, KG_CASTLE, KG_BESTEMSHE, KG_ANY };
static const kg_rules kg_rules_toguz = {.holes = 9, .stones = 9, .goal = 82, .tuz = 1, .tuz_takes = 1,
    .extra_turn_single = 1, .threefold = 3, .recurrence = 73};
static const kg_rules kg_rules_mangala = {.holes = 6, .stones = 4, .tuz_takes = 1, .store_sown = 1, .extra_turn = 1,
    .extra_turn_single = 1, .empty_capture = 1, .ending = 1, .sweep = 1, .threefold = 3, .recurrence = 73};
static const kg_rules kg_rules_castle = {.holes = 6, .stones = 4, .tuz = 1, .tuz_same_number = 1, .tuz_takes = 1,
    .extra_turn_single = 1, .ending = 1, .threefold = 3, .recurrence = 73};
static const kg_rules kg_rules_bestemshe = {.holes = 5, .stones = 5, .goal = 26, .tuz_takes = 1,
    .extra_turn_single = 1, .threefold = 3, .recurrence = 73};
static const kg_rules *const kg_rules_of[KG_ANY] = {
    &kg_rules_toguz, &kg_rules_mangala, &kg_rules_castle, &kg_rules_bestemshe
};

/* Uses a macro once for each game, with its name. */
#define KG_EACH_GAME(use) use(toguz) use(mangala) use(castle) use(bestemshe)

/* Calls function_NAME(...) of the game that the kernel plays, or function_any(...). */
#define KG_DISPATCH(kernel, function, ...) \
    ((kernel)->variant == KG_TOGUZ ? function##_toguz(__VA_ARGS__) \
     : (kernel)->variant == KG_MANGALA ? function##_mangala(__VA_ARGS__) \
     : (kernel)->variant == KG_CASTLE ? function##_castle(__VA_ARGS__) \
     : (kernel)->variant == KG_BESTEMSHE ? function##_bestemshe(__VA_ARGS__) \
     : function##_any(__VA_ARGS__))

#endif
