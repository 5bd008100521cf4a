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
    KG_WHY_LATER,            /* stones that hole captures after the sowings of line */
    KG_WHY_LATER_TUZ,        /* hole: of the opponent, won after the sowings of line */
    KG_WHY_TEMPO,            /* stones: moves at home; left: those of the opponent, who runs out of them first */
    KG_WHY_STARVING,         /* stones: moves at home; left: all that the opponent has, who may be left without one */
    /* What the other move would bring, the first of line. */
    KG_WHY_AVOIDS_WIN,       /* hole: that would win for the opponent */
    KG_WHY_AVOIDS_TUZ,       /* hole: of the mover, that the opponent would win */
    KG_WHY_AVOIDS,           /* stones that the opponent would capture with hole */
    KG_WHY_AHEAD,            /* stones by which the expected line is better than that of hole */
    /* What is wrong with a move beside a better one. */
    KG_WHY_LOSES,            /* ends the game, lost; stones: difference */
    KG_WHY_ALLOWS_WIN,       /* hole: that wins for the opponent */
    KG_WHY_ALLOWS_TUZ,       /* hole: of the mover, that the opponent can win */
    KG_WHY_ALLOWS,           /* stones that the opponent can capture with hole */
    KG_WHY_FEEDS_OTHER,      /* stones fall into the opponent's tuz in hole */
    KG_WHY_MISSES_WIN,       /* the better move wins at once */
    KG_WHY_MISSES_TUZ,       /* hole: of the opponent, that the better move wins */
    KG_WHY_MISSES,           /* stones that the better move captures */
    KG_WHY_MISSES_TURN,      /* the better move gives another turn */
    KG_WHY_ALLOWS_LATER,     /* stones that the opponent captures with hole after the sowings of line */
    KG_WHY_ALLOWS_TUZ_LATER, /* hole: of the mover, won after the sowings of line */
    KG_WHY_MISSES_LATER,     /* stones that the better line captures with hole after the sowings of line */
    KG_WHY_MISSES_TUZ_LATER, /* hole: of the opponent, won by the better line after the sowings of line */
    KG_WHY_RUNS_OUT,         /* stones: moves at home; left: those of the opponent, who has more */
    KG_WHY_GIVES_MOVES,      /* stones: the moves that the opponent has more than after the better one */
    KG_WHY_STARVED,          /* stones: all moves of the mover; left: moves at home of the opponent, who has more */
    KG_WHY_BEHIND            /* stones by which the expected line is worse than the better one */
};

/* One fact. Holes are numbers, 1 to n; 0 where there is none, as behind the last one of line. weight puts the facts in
 * order; shared is 1 where the fact holds as well for the other move. */
typedef struct {
    int32_t kind, weight, stones, left, hole, shared;
    uint8_t line[8];
} kg_reason;

enum { KG_MAX_REASONS = 32 };

/* What speaks for the first hole of a line: at most KG_MAX_REASONS facts. line holds length holes, the move and those
 * expected after it; other, which may be empty, begins with the move that it is compared to. First comes the heaviest fact
 * that does not hold as well for that one, then the others by weight, and last that all stones stay at home. Answers how
 * many facts, or a refusal below 0. */
KG_API int32_t kg_reasons(const kg_kernel *kernel, const kg_position *position, const uint8_t *line, int32_t length,
                          const uint8_t *other, int32_t other_length, kg_reason *reasons);
/* What speaks against the first hole of a line where that of a better line could be sown, the heaviest first; likewise,
 * and both lines have a hole at least. Nothing that holds for both is told. */
KG_API int32_t kg_faults(const kg_kernel *kernel, const kg_position *position, const uint8_t *line, int32_t length,
                         const uint8_t *better, int32_t better_length, kg_reason *faults);

#endif
