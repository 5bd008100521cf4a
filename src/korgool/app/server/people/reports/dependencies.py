"""What handlers that are about reports are given by name."""

from __future__ import annotations

from litestar.di import NamedDependency

from korgool.app.server.people.reports.repository import ReportRepository

TheReports = NamedDependency[ReportRepository]
