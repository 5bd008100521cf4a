"""Gymnasium: `gymnasium.make("korgool/Toguz-v0")`, `make_vec` of the same, and so for each game.

One agent plays both sides: an observation is that of the side to move, and a reward that of the side that made the ply.
`info["action_mask"]` has the legal actions, `info["turn"]` the side to move; an illegal action raises `ValueError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from korgool.rl.batch import MAX_PLIES, BatchEnv
from korgool.rl.layout import POSITION_BYTES, Array
from korgool.rl.state import State
from korgool.rules import GAMES


class KorgoolEnv(gymnasium.Env[Array, int]):  # type: ignore[misc]
    """One game. `options={"position": TEXT}` of `reset` begins with a set-up position.

    Args:
        game, rules, max_plies: as those of `BatchEnv`.
        render_mode: `ansi` for `render` to give position text, or None.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str = "toguz",
        rules: Mapping[str, object] | None = None,
        max_plies: int = MAX_PLIES,
        render_mode: str | None = None,
    ) -> None:
        self._game, self._rules, self.max_plies, self.render_mode = game, rules, max_plies, render_mode
        self.state = State(game, rules=rules)
        self.action_space = Discrete(self.state.rules.holes)
        self.observation_space = Box(0, 255, (POSITION_BYTES,), np.uint8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a game; the seed decides nothing, for these games have no chance."""
        super().reset(seed=seed)
        self.state = State(self._game, (options or {}).get("position"), rules=self._rules)
        return self.state.observation, self._info()

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Sow hole `action` + 1.

        Raises:
            ValueError: the action is not legal; nothing has changed.
        """
        state, mover = self.state, self.state.turn
        state.play(action + 1)
        reward = 0.0
        if (outcome := state.outcome) is not None and outcome.winner is not None:
            reward = 1.0 if outcome.winner == mover else -1.0
        truncated = not state.over and state.plies >= self.max_plies
        return state.observation, reward, state.over, truncated, self._info()

    def action_masks(self) -> Array:
        """The legal actions, a bool for each, as MaskablePPO asks for them."""
        masks: Array = np.isin(np.arange(1, self.state.rules.holes + 1), self.state.legal)
        return masks

    def render(self) -> str | None:
        """Position text."""
        return str(self.state.position) if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "turn": self.state.turn}


class KorgoolVectorEnv(VectorEnv[Array, Array, Array]):  # type: ignore[misc]
    """A `BatchEnv`, which begins a game anew in the step that ended it: `infos["final_obs"]` has how it stood."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "toguz",
        rules: Mapping[str, object] | None = None,
        max_plies: int = MAX_PLIES,
    ) -> None:
        self.batch = BatchEnv(game, num_envs, rules=rules, max_plies=max_plies)
        self.num_envs, self.render_mode = num_envs, None
        self.single_action_space = Discrete(self.batch.holes)
        self.single_observation_space = Box(0, 255, (POSITION_BYTES,), np.uint8)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin every game anew, with `options={"position": TEXT}` from that position, now and later."""
        super().reset(seed=seed)
        observations = self.batch.reset(seed=seed, positions=(options or {}).get("position"))
        return observations.copy(), self._infos()

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Sow hole `actions[i]` + 1 in each game.

        Raises:
            ValueError: an action is not legal; no game has changed.
        """
        observations, rewards, terminated, truncated = self.batch.step(actions)
        infos, ended = self._infos(), terminated | truncated
        if ended.any():
            infos["final_obs"], infos["_final_obs"] = np.full(self.num_envs, None, object), ended
            for game in np.flatnonzero(ended):
                infos["final_obs"][game] = self.batch.final_observations[game].copy()
        return observations.copy(), rewards.astype(np.float64), terminated.copy(), truncated.copy(), infos

    def close_extras(self, **kwargs: Any) -> None:
        """Close the batch."""
        self.batch.close()

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.batch.legal.astype(np.int8), "turn": self.batch.turn.copy()}


def register() -> None:
    """Enter a name for each game, once: `korgool/Toguz-v0` and so on."""
    for game in GAMES:
        name = f"korgool/{game.capitalize()}-v0"
        if name not in gymnasium.registry:
            here = __name__
            gymnasium.register(
                name, f"{here}:KorgoolEnv", vector_entry_point=f"{here}:KorgoolVectorEnv", kwargs={"game": game}
            )
