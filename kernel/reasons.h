/* Why a move is good or bad, in facts of the sport. Every fact is found by sowing (kg_tell) and none by an estimate; what
 * only values can say is left to the caller. docs/reasons.md has the vocabulary. */
#ifndef KORGOOL_REASONS_H
#define KORGOOL_REASONS_H

#include "korgool.h"

enum {
    /* What the sowing itself does. */
    KG_WHY_GOAL = 1,         /* wins by the goal; stones: in the mover's store */
    KG_WHY_WINS,             /* ends the game otherwise, won; stones: difference */
    KG_WHY_DRAWS,            /* ends the game in a draw */
    KG_WHY_STARVES,          /* the opponent is to move and has no stone */
    KG_WHY_SWEEPS,           /* stones: what the end of the game gives to the mover */
    KG_WHY_TUZ,              /* hole: of the opponent, won */
    KG_WHY_CAPTURES,         /* stones from hole, of the opponent */
    KG_WHY_OPPOSITE,         /* stones, by a last stone in hole, own and empty */
    KG_WHY_TURN,             /* the mover goes on */
    KG_WHY_FOLLOWS,          /* the mover goes on, and hole captures stones then */
    KG_WHY_FEEDS,            /* stones fall into the mover's tuz in hole */
    /* What the opponent could do if the mover passed, and cannot do now. */
    KG_WHY_STOPS_WIN,        /* hole: that would have won */
    KG_WHY_STOPS_TUZ,        /* hole: of the mover, that would have been won */
    KG_WHY_SAVES,            /* stones: the largest capture before; there is none now */
    KG_WHY_REDUCES,          /* stones: the largest capture before, left: now */
    /* What the mover could do if the opponent passed, and could not do before. */
    KG_WHY_THREATENS_WIN,    /* hole: to be sown */
    KG_WHY_THREATENS_TUZ,    /* hole: of the opponent, that would be won */
    KG_WHY_THREATENS,        /* stones that hole would capture */
    KG_WHY_SURE,             /* stones that the mover can capture at least after every answer */
    KG_WHY_FORCES,           /* hole: the only one that the opponent may sow */
    KG_WHY_HOME,             /* every stone stays in the mover's holes */
    KG_WHY_PREPARES,         /* stones that hole captures after the expected answer */
    KG_WHY_PREPARES_TUZ,     /* hole: of the opponent, won after the expected answer */
    /* What is wrong with a move beside a better one. */
    KG_WHY_LOSES,            /* ends the game, lost; stones: difference */
    KG_WHY_ALLOWS_WIN,       /* hole: that wins for the opponent */
    KG_WHY_ALLOWS_TUZ,       /* hole: of the mover, that the opponent can win */
    KG_WHY_ALLOWS,           /* stones that the opponent can capture with hole */
    KG_WHY_FEEDS_OTHER,      /* stones fall into the opponent's tuz in hole */
    KG_WHY_MISSES_WIN,       /* the better move wins at once */
    KG_WHY_MISSES_TUZ,       /* hole: of the opponent, that the better move wins */
    KG_WHY_MISSES,           /* stones that the better move captures */
    KG_WHY_MISSES_TURN       /* the better move gives another turn */
};

/* One fact. Holes are numbers, 1 to n; 0 where there is none. weight puts the facts in order. */
typedef struct {
    int32_t kind, weight, stones, left, hole;
} kg_reason;

enum { KG_MAX_REASONS = 24 };

/* What speaks for sowing a hole, the heaviest first: at most KG_MAX_REASONS facts. line holds length holes, the expected
 * moves after it; it may be empty. Answers how many facts, or a refusal below 0. */
KG_API int32_t kg_reasons(const kg_kernel *kernel, const kg_position *position, int32_t hole, const uint8_t *line,
                          int32_t length, kg_reason *reasons);
/* What speaks against sowing a hole where better could be sown; likewise. Nothing that holds for both is told. */
KG_API int32_t kg_faults(const kg_kernel *kernel, const kg_position *position, int32_t hole, int32_t better,
                         kg_reason *faults);

#endif
