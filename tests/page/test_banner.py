"""The one voice of a game's page: its state machine, by all its transitions against a model of its own."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.conftest import SEED
from tests.page.conftest import OpenPage

RANKS = ("refusal", "lost", "late", "phrase", "challenge", "coach")
LASTS = {"refusal": 7000, "phrase": 12_000, "challenge": 20_000}
QUESTIONS = ("draw", "takeback", "gone", "claim", "rematch")
RUN = """async (schedules) => {
  const { QUIET, nextEnd, shownLine, transition } = await import("/static/js/play/banner_state.js");
  return schedules.map((events) => {
    let state = QUIET;
    return events.map((event) => {
      const before = JSON.stringify(state);
      const made = transition(state, event);
      const pure = before === JSON.stringify(state);
      state = made.state;
      const line = shownLine(state);
      return [pure, line && [line.kind, line.text], state.questions, made.spoken, nextEnd(state)];
    });
  });
}"""


class Model:
    """What is said, written down without looking at the script."""

    def __init__(self) -> None:
        self.lines: dict[str, tuple[str, float]] = {}
        self.questions: list[str] = []

    def happens(self, event: dict[str, Any]) -> list[object]:
        at, spoken = event["at"], ""
        self.lines = {kind: line for kind, line in self.lines.items() if line[1] > at}
        match event["type"]:
            case "tell":
                kind, text = event["kind"], event["text"]
                if not (kind not in LASTS and self.lines.get(kind, ("",))[0] == text):
                    spoken = text
                    if kind == "lost":
                        self.lines.pop("refusal", None)
                self.lines[kind] = text, at + LASTS[kind] if kind in LASTS else float("inf")
            case "end":
                self.lines.pop(event["kind"], None)
            case "ask" if event["question"] not in self.questions:
                self.questions.append(event["question"])
                spoken = event["text"]
            case "answered":
                self.questions = [one for one in self.questions if one != event["question"]]
            case "over":
                self.lines.pop("late", None)
                self.lines.pop("coach", None)
                self.questions = [one for one in self.questions if one == "rematch"]
        shown = next(([kind, self.lines[kind][0]] for kind in RANKS if kind in self.lines), None)
        ends = [until for _, until in self.lines.values() if until != float("inf")]
        return [True, shown, self.questions, spoken, min(ends, default=None)]


def schedule(random: Random) -> list[dict[str, Any]]:
    """Events at rising times; at the end everything is answered, and time passes."""
    events, at = list[dict[str, Any]](), 0
    for number in range(60):
        at += random.choice((0, 1, 500, 6999, 7000, 7001, 12_000))
        kind, question = random.choice(RANKS), random.choice(QUESTIONS)
        text = random.choice((f"{kind} a", f"{kind} b", f"{kind} {number}"))
        events.append(
            random.choice(
                (
                    {"type": "tell", "kind": kind, "text": text, "at": at},
                    {"type": "tell", "kind": kind, "text": text, "at": at},
                    {"type": "end", "kind": kind, "at": at},
                    {"type": "ask", "question": question, "text": f"{question}?", "at": at},
                    {"type": "answered", "question": question, "at": at},
                    {"type": "over", "at": at} if number % 7 == 0 else {"type": "time", "at": at},
                )
            )
        )
    events += [{"type": "answered", "question": question, "at": at} for question in QUESTIONS]
    events += [{"type": "end", "kind": kind, "at": at} for kind in RANKS if kind not in LASTS]
    return [*events, {"type": "time", "at": at + max(LASTS.values())}]


def test_every_transition_is_that_of_the_model_and_every_state_ends(open_page: OpenPage) -> None:
    random = Random(f"banner {SEED}")
    schedules = [schedule(random) for _ in range(200)]
    page = open_page()
    seen: set[tuple[str, str]] = set()
    for events, told in zip(schedules, page.evaluate(RUN, schedules), strict=True):
        model = Model()
        for event, found in zip(events, told, strict=True):
            before = [*sorted(model.lines), *model.questions] or ["quiet"]
            assert found == model.happens(event), event
            seen |= {(one, event["type"]) for one in before}
        assert told[-1][1:3] == [None, []], "an answer or time ends every state"
    states = {"quiet", *RANKS, *QUESTIONS}
    assert seen == {(one, kind) for one in states for kind in ("tell", "end", "ask", "answered", "over", "time")}


def test_a_line_with_the_same_words_leads_elsewhere(open_page: OpenPage) -> None:
    found = open_page().evaluate(
        """async () => {
          const { StatusBar } = await import("/static/js/play/status_bar.js");
          const line = document.createElement("p");
          const bar = new StatusBar(line, () => {});
          const shown = () => line.firstElementChild?.getAttribute("href") ?? line.textContent;
          return ["/c/one", "/c/two", ""].map((href) => {
            bar.challenge("Ann: Bestemshe", href);
            return shown();
          });
        }"""
    )
    assert found == ["/c/one", "/c/two", "Ann: Bestemshe"]
