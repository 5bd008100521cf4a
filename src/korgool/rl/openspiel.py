"""OpenSpiel: after `import korgool.rl.openspiel`, `pyspiel.load_game("python_korgool(game=toguz)")`.

Player 0 is White. The game takes `game`, `max_plies` (a game that is so long is a draw) and `rules`, named options as
`sweep:owner;threefold:0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from korgool.rl.batch import MAX_PLIES
from korgool.rl.layout import POSITION_BYTES, TURNED, Array
from korgool.rl.state import State

NAME = "python_korgool"
"""Name of the game in OpenSpiel."""
_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Toguz korgool, mangala and bestemshe",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "toguz", "max_plies": MAX_PLIES, "rules": ""},
)


class KorgoolGame(pyspiel.Game):  # type: ignore[misc]
    """A game of the family as OpenSpiel knows it."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params = dict(params or {})
        self.max_plies = int(params.get("max_plies", MAX_PLIES))
        options = [part.partition(":") for part in str(params.get("rules", "")).split(";") if part]
        self.first = State(str(params.get("game", "toguz")), rules={name: value for name, _, value in options})
        info = pyspiel.GameInfo(
            num_distinct_actions=self.first.rules.holes,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_plies,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self, state: None = None) -> KorgoolState:
        """State at the start of a game."""
        return KorgoolState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> KorgoolObserver:
        """Observer whose tensor holds the 24 bytes of a position."""
        return KorgoolObserver()


class KorgoolState(pyspiel.State):  # type: ignore[misc]
    """One game; actions are holes from 0."""

    def __init__(self, game: KorgoolGame) -> None:
        super().__init__(game)
        self.state, self.max_plies = game.first.clone(), game.max_plies

    def current_player(self) -> int:
        """Side to move, or `TERMINAL`."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.state.turn

    def _legal_actions(self, player: int) -> list[int]:
        return [hole - 1 for hole in self.state.legal]

    def _apply_action(self, action: int) -> None:
        self.state.play(action + 1)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action + 1)

    def is_terminal(self) -> bool:
        """Return whether the game is over, or as long as it may be."""
        return self.state.over or self.state.plies >= self.max_plies

    def returns(self) -> list[float]:
        """Reward of White and of Black."""
        outcome = self.state.outcome
        white = 0.0 if outcome is None or outcome.winner is None else 1.0 - 2.0 * outcome.winner
        return [white, 0.0 - white]  # no negative zero

    def __str__(self) -> str:
        return str(self.state.position)


class KorgoolObserver:
    """Observation of a player: the 24 bytes of a position, seen by that player."""

    def __init__(self) -> None:
        self.tensor: Array = np.zeros(POSITION_BYTES, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: KorgoolState, player: int) -> None:
        """Write the observation of a player into `tensor`."""
        seen = state.state.observation
        self.tensor[:] = seen if player == state.state.turn else seen[TURNED]

    def string_from(self, state: KorgoolState, player: int) -> str:
        """Position text."""
        return str(state)


pyspiel.register_game(_TYPE, KorgoolGame)
