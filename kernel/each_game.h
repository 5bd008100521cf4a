/* Made by kernel/generate.py from korgool.rules. Do not edit.
 *
 * Includes KG_EACH_GAME_FILE once for each game, with its name and its rules, and once for any other
 * rules, which are then KG_ANY_RULES. */
#define KG_GAME_NAME toguz
#define KG_GAME_RULES (&kg_rules_toguz)
#include KG_EACH_GAME_FILE
#undef KG_GAME_NAME
#undef KG_GAME_RULES
#define KG_GAME_NAME mangala
#define KG_GAME_RULES (&kg_rules_mangala)
#include KG_EACH_GAME_FILE
#undef KG_GAME_NAME
#undef KG_GAME_RULES
#define KG_GAME_NAME castle
#define KG_GAME_RULES (&kg_rules_castle)
#include KG_EACH_GAME_FILE
#undef KG_GAME_NAME
#undef KG_GAME_RULES
#define KG_GAME_NAME bestemshe
#define KG_GAME_RULES (&kg_rules_bestemshe)
#include KG_EACH_GAME_FILE
#undef KG_GAME_NAME
#undef KG_GAME_RULES
#define KG_GAME_NAME any
#define KG_GAME_RULES (KG_ANY_RULES)
#include KG_EACH_GAME_FILE
#undef KG_GAME_NAME
#undef KG_GAME_RULES
