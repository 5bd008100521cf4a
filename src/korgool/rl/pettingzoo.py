"""PettingZoo: `korgool.rl.pettingzoo.env(game="toguz")`, an environment for two agents in turn.

`player_0` is White. An observation is seen by the agent that asks, and its `action_mask` is empty for the agent that
is not to move. In mangala a turn may stay: the same agent is then selected again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from korgool.rl.batch import MAX_PLIES
from korgool.rl.layout import POSITION_BYTES, TURNED, Array
from korgool.rl.state import State


def env(**kwargs: Any) -> OrderEnforcingWrapper:
    """Make the environment with PettingZoo's usual checks; takes what `raw_env` takes. An illegal action raises."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(**kwargs)))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801
    """One game.

    Args:
        game, rules, max_plies: as those of `BatchEnv`.
        render_mode: `ansi` for `render` to give position text, or None.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi"],
        "name": "korgool_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str = "toguz",
        rules: Mapping[str, object] | None = None,
        max_plies: int = MAX_PLIES,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._game, self._rules, self.max_plies, self.render_mode = game, rules, max_plies, render_mode
        self.state_of_game = State(game, rules=rules)
        holes = self.state_of_game.rules.holes
        self.possible_agents = ["player_0", "player_1"]
        seen = {"observation": Box(0, 255, (POSITION_BYTES,), np.uint8), "action_mask": Box(0, 1, (holes,), np.int8)}
        self.observation_spaces = {agent: Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(holes) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Space[Any]:
        """Space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Space of the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, with `options={"position": TEXT}` from that position; the seed decides nothing."""
        self.state_of_game = State(self._game, (options or {}).get("position"), rules=self._rules)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.state_of_game.turn]

    def observe(self, agent: str) -> dict[str, Array]:
        """Position as an agent sees it, and its legal actions."""
        state, moves = self.state_of_game, agent == self.possible_agents[self.state_of_game.turn]
        mask = np.isin(np.arange(1, state.rules.holes + 1), state.legal if moves else ()).astype(np.int8)
        seen = state.observation
        return {"observation": seen if moves else seen[TURNED], "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Sow hole `action` + 1 for the agent that is selected; None for an agent whose game is over.

        Raises:
            ValueError: the action is not legal; nothing has changed.
        """
        agent, state = self.agent_selection, self.state_of_game
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state.play(-1 if action is None else action + 1)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if (outcome := state.outcome) is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if outcome.winner is not None:
                for side, one in enumerate(self.possible_agents):
                    self.rewards[one] = 1.0 if outcome.winner == side else -1.0
        elif state.plies >= self.max_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[state.turn]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Position text."""
        return str(self.state_of_game.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held that would have to be given back."""
