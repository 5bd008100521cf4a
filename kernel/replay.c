/* Replay of many games of the bare dialect: one digit a ply, one game a line. */
#include "rules.h"

static int is_blank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r';
}

/* Plays a line to its end or to the first ply that cannot be played. */
#define KG_REPLAY(name, record)                                                                                  \
    static void replay_##name(const kg_kernel *kernel, const char *text, kg_replayed *result) {                  \
        const kg_rules *rules = record;                                                                          \
        kg_position position = result->position;                                                                 \
        int32_t side = 0, plies = 0, error = 0;                                                                  \
        for (uint64_t at = 0; at < result->length; at++) {                                                       \
            const unsigned hole = (unsigned)(unsigned char)text[at] - '1';                                       \
            if (kg_ending(rules, &position) != KG_ONGOING)                                                       \
                error = KG_OVER;                                                                                 \
            else if (hole >= (unsigned)rules->holes)                                                             \
                error = KG_NO_SUCH_HOLE;                                                                         \
            else if (kg_own_stones(&position, hole) == 0)                                                        \
                error = KG_EMPTY_HOLE;                                                                           \
            if (error)                                                                                           \
                break;                                                                                           \
            side ^= !kg_sow(rules, kernel->rows, &position, hole, &position);                                    \
            plies++;                                                                                             \
        }                                                                                                        \
        result->position = position;                                                                             \
        result->plies = plies;                                                                                   \
        result->error = error;                                                                                   \
        result->side = side;                                                                                     \
    }

#define KG_REPLAY_OF(name) KG_REPLAY(name, &kg_rules_##name)
KG_EACH_GAME(KG_REPLAY_OF)
KG_REPLAY(any, &kernel->rules)

KG_API uint64_t kg_replay(const kg_kernel *kernel, const char *text, uint64_t length, uint64_t *offset,
                          kg_replayed *results, uint64_t capacity) {
    uint64_t at = *offset, count = 0;
    while (at < length && count < capacity) {
        uint64_t start = at;
        while (at < length && text[at] != '\n')
            at++;
        uint64_t end = at;
        at += at < length;
        while (start < end && is_blank(text[start]))
            start++;
        while (end > start && is_blank(text[end - 1]))
            end--;
        if (start == end)
            continue;
        kg_replayed *result = results + count++;
        *result = (kg_replayed){.start = start, .length = end - start};
        kg_start(kernel, &result->position);
        KG_DISPATCH(kernel, replay, kernel, text + start, result);
        kg_outcome_of(kernel, &result->position, &result->outcome);
    }
    *offset = at;
    return count;
}
