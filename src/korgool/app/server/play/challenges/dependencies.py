"""What handlers that are about challenges are given by name."""

from __future__ import annotations

from litestar.di import NamedDependency

from korgool.app.server.play.challenges.service import ChallengeService

TheChallengeService = NamedDependency[ChallengeService]
