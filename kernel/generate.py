"""Writes the files that say in C and in JavaScript what Python says: `python kernel/generate.py [--check]`.

The registry of games is `korgool.rules.games`, `korgool.engine.games` and `korgool.app.words.games`; the letters by
which names are searched are in `korgool.languages.name_search`. The files made from them are committed, so that a
compiler and a browser need no Python; a test compares them with what is generated now. The build hook and
`kernel/build_wasm.py` write those for C that are out of date before they compile.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

from korgool.engine.games import figures_of  # noqa: E402  # the path to the sources comes first
from korgool.rules import GAMES, Rules  # noqa: E402
from korgool.rules.choices import CHOICES, FIRST_CHOICES  # noqa: E402

WIDTH = 118
MAX_HOLES, MAX_STONES = 9, 255
"""`KG_MAX_HOLES` and `KG_MAX_STONES`."""
_MADE = "Made by kernel/generate.py from {}. Do not edit."
_FIELDS = [field for field in fields(Rules) if field.name not in ("name", "title")]


def _filled(words: Iterable[str], indent: str, first: str | None = None) -> str:
    """Words separated by commas, in lines of at most `WIDTH` characters."""
    lines, line = [], indent if first is None else first
    for word in words:
        if len(line) + len(word) + 2 > WIDTH:
            lines.append(line.rstrip())
            line = indent
        line += f"{word}, "
    return "\n".join([*lines, line.removesuffix(", ")])


def _most(name: str, kind: str) -> str:
    """The largest number of a choice, in C."""
    if name in CHOICES:
        return str(len(CHOICES[name]) - 1)
    return {"holes": "KG_MAX_HOLES", "stones": "KG_MAX_STONES"}.get(name, "1" if kind == "bool" else "INT32_MAX")


def games_h() -> str:
    """`kernel/games.h`: the choices of the rules, and the games as constants."""
    enums = [
        f"enum {{ {', '.join(f'KG_{name}_{word} = {number}'.upper() for number, word in enumerate(words))} }};"
        for name, words in CHOICES.items()
    ]
    constants = []
    for name, rules in GAMES.items():
        values = zip((field.name for field in _FIELDS), rules.numbers(), strict=True)
        begin = f"static const kg_rules kg_rules_{name} = {{"
        constants.append(_filled((f".{field} = {value}" for field, value in values if value), "    ", begin) + "};")
    dispatch = [
        f"    {'(' if at == 0 else ' : '}(kernel)->variant == KG_{name.upper()} ? function##_{name}(__VA_ARGS__) \\"
        for at, name in enumerate(GAMES)
    ]
    return "\n".join(
        [
            f"/* {_MADE.format('korgool.rules')} */",
            "#ifndef KORGOOL_GAMES_H",
            "#define KORGOOL_GAMES_H",
            "",
            "#include <stdint.h>",
            "",
            *enums,
            "",
            "/* The named choices of korgool.rules.Rules, in its order; booleans are 0 or 1. */",
            "typedef struct {",
            _filled((field.name for field in _FIELDS), "            ", "    int32_t ") + ";",
            "} kg_rules;",
            "",
            "/* Choices, and how many of them the first files hold; the largest number of each. */",
            f"enum {{ KG_CHOICES = {len(_FIELDS)}, KG_FIRST_CHOICES = {FIRST_CHOICES} }};",
            "static const int32_t kg_most_of_choice[KG_CHOICES] = {",
            _filled((_most(field.name, str(field.type)) for field in _FIELDS), "    "),
            "};",
            "",
            "/* The games; KG_ANY stands for rules that move like none of them. */",
            f"enum {{ {', '.join(f'KG_{name.upper()}' for name in GAMES)}, KG_ANY }};",
            *constants,
            "static const kg_rules *const kg_rules_of[KG_ANY] = {",
            _filled((f"&kg_rules_{name}" for name in GAMES), "    "),
            "};",
            "",
            "/* Uses a macro once for each game, with its name. */",
            f"#define KG_EACH_GAME(use) {' '.join(f'use({name})' for name in GAMES)}",
            "",
            "/* Calls function_NAME(...) of the game that the kernel plays, or function_any(...). */",
            "#define KG_DISPATCH(kernel, function, ...) \\",
            *dispatch,
            "     : function##_any(__VA_ARGS__))",
            "",
            "#endif",
            "",
        ]
    )


def each_game_h() -> str:
    """`kernel/each_game.h`: a file included once for each game."""
    blocks = []
    for name, rules in [*((name, f"&kg_rules_{name}") for name in GAMES), ("any", "KG_ANY_RULES")]:
        blocks += [f"#define KG_GAME_NAME {name}", f"#define KG_GAME_RULES ({rules})", "#include KG_EACH_GAME_FILE"]
        blocks += ["#undef KG_GAME_NAME", "#undef KG_GAME_RULES"]
    return "\n".join(
        [
            f"/* {_MADE.format('korgool.rules')}",
            " *",
            " * Includes KG_EACH_GAME_FILE once for each game, with its name and its rules, and once for any other",
            " * rules, which are then KG_ANY_RULES. */",
            *blocks,
            "",
        ]
    )


def weights_h() -> str:
    """`kernel/weights.h`: the evaluation by hand of each game."""
    blocks = []
    for name, rules in GAMES.items():
        weights = figures_of(rules).weights
        rows = {"own": weights.own, "other": weights.other, "tuz_own": weights.tuz_own, "tuz_other": weights.tuz_other}
        numbers = {"tuz_own_stone": weights.tuz_stones[0], "tuz_other_stone": weights.tuz_stones[1]}
        members = [f".{row} = {{{', '.join(map(str, values))}}}" for row, values in rows.items() if values]
        members += [f".{member} = {value}" for member, value in (numbers | {"move": weights.move}).items() if value]
        curve = weights.chances
        members += [f".chances = {{{curve.width}, {curve.growth}, {curve.band}"]
        members += [f"{{{', '.join(map(str, steps))}}}" for steps in (curve.hand, curve.network, curve.stones)]
        members[-1] += "}"
        blocks += [_filled(members, "        ", f"    [KG_{name.upper()}] = {{") + "},"]
    return "\n".join(
        [
            f"/* {_MADE.format('korgool.engine.games')} */",
            "static const kg_weights weights_of[KG_ANY] = {",
            *blocks,
            "};",
            "",
        ]
    )


def games_js() -> str:
    """`static/js/game/rules_records.js`: what the scripts of the pages know of the games beside their words."""
    from korgool.app.words.games import won_hole

    records = [f"  {name}: [{', '.join(map(str, rules.numbers()))}]," for name, rules in GAMES.items()]
    won = [f'  {name}: "{word}",' for name, rules in GAMES.items() if (word := won_hole(rules)) is not None]
    return "\n".join(
        [
            "// @ts-check",
            f"/** {_MADE.format('korgool.rules and korgool.app.words.games')} */",
            "",
            "/** The rules records in the order of `kg_rules`. */",
            "export const GAMES = Object.freeze({",
            *records,
            "});",
            "",
            "/** @type {Readonly<Record<string, string>>} */",
            "const WON_HOLES = Object.freeze({",
            *won,
            "});",
            "",
            "/** What a won hole is called, tuz or castle; undefined in a game without such. @param {string} game */",
            "export const wonHole = (game) => WON_HOLES[game];",
            "",
        ]
    )


def letters_js() -> str:
    """`static/js/site/search_letters.js`: the letters by which names are searched."""
    from korgool.languages import name_search

    def table(name: str, letters: dict[str, str]) -> str:
        pairs = (f"{json.dumps(one, ensure_ascii=False)}: {json.dumps(by, ensure_ascii=False)}"
                 for one, by in letters.items())  # fmt: skip
        kind = "/** @type {Readonly<Record<string, string>>} */"
        return f"{kind}\nexport const {name} = Object.freeze({{\n{_filled(pairs, '  ')},\n}});"

    spellings = (f'[{json.dumps(pattern)}, "{text}"]' for pattern, text in name_search.SPELLINGS)
    return "\n".join(
        [
            "// @ts-check",
            f"/** {_MADE.format('korgool.languages.name_search')} */",
            "",
            table("LETTERS", name_search.LETTERS),
            table("LOOKALIKES", name_search.LOOKALIKES),
            table("ROMAN", name_search.ROMAN),
            table("MARKED", name_search.MARKED),
            table("BARE", name_search.BARE),
            f"export const SPELLINGS = Object.freeze([\n{_filled(spellings, '  ')},\n]);",
            "",
        ]
    )


C_FILES: dict[str, Callable[[], str]] = {
    "kernel/games.h": games_h,
    "kernel/each_game.h": each_game_h,
    "kernel/weights.h": weights_h,
}
"""What the compiler needs, by its path from the root."""
FILES: dict[str, Callable[[], str]] = {
    **C_FILES,
    "src/korgool/app/static/js/game/rules_records.js": games_js,
    "src/korgool/app/static/js/site/search_letters.js": letters_js,
}
"""All generated files."""


def outdated(files: dict[str, Callable[[], str]] = FILES) -> dict[str, str]:
    """The files that are not what Python gives, with what they should be."""
    made = {path: make() for path, make in files.items()}
    stand = {path: (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).is_file() else None for path in made}
    return {path: text for path, text in made.items() if stand[path] != text}


def write(files: dict[str, Callable[[], str]] = FILES) -> list[str]:
    """Write the files that are out of date and return their paths."""
    found = outdated(files)
    for path, text in found.items():
        (ROOT / path).write_text(text, encoding="utf-8", newline="\n")
    return list(found)


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` name those that are out of date."""
    if arguments == ["--check"]:
        found = list(outdated())
        print(f"out of date: {', '.join(found)}" if found else "the committed files are what the registry gives")
        return 1 if found else 0
    if arguments == ["--c"]:
        write(C_FILES)
        return 0
    print(f"written: {', '.join(write()) or 'nothing, all files are up to date'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
