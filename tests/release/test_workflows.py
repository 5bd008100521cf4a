"""The workflows: actions are pinned, rights are few, and what they run exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

from release.building import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_actions_are_pinned_by_their_commit_and_rights_are_few() -> None:
    assert {path.name for path in WORKFLOWS} >= {"release.yml", "tests.yml"}
    for path in WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        uses = re.findall(r"uses: (\S+)(.*)", text)
        assert uses
        foreign = [(used, said) for used, said in uses if not used.startswith("./")]
        assert [
            used for used, said in foreign if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used) or "# v" not in said
        ] == []
        assert text.partition("\njobs:")[0].endswith("permissions:\n  contents: read")
        assert not re.search(r"secrets\.|password|https?://", text)


def test_what_the_workflows_run_is_there() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    for command in (".ci/run", "release/runners.sh"):
        assert f"- run: {command}\n" in text
        assert Path(ROOT, command).stat().st_mode & 0o100
    assert "python3 run.py wheels --twice" in text
    assert '"wheels": ["python", "-m", "release.wheels"]' in (ROOT / "run.py").read_text(encoding="utf-8")


def test_advisories_are_asked_for_each_week_and_before_a_release() -> None:
    advisories, release = (
        yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))
        for name in ("advisories.yml", "release.yml")
    )
    begins = advisories[True]  # `on` is a truth value in YAML 1.1
    [timer] = begins["schedule"]
    assert re.fullmatch(r"\d+ \d+ \* \* [0-6]", timer["cron"])
    assert "workflow_call" in begins
    assert release["jobs"]["advisories"]["uses"] == "./.github/workflows/advisories.yml"
    assert "advisories" in release["jobs"]["publish"]["needs"]

    said = "".join(step.get("run", "") for step in advisories["jobs"]["advisories"]["steps"])
    [installed] = re.findall(r'"\.\[(.*?)\]"', said)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [of_all] = re.findall(r"\[(.*)\]", project["optional-dependencies"]["all"][0])
    ours = {"test", "train", "release", "docs"}
    assert {*installed.split(","), *of_all.split(",")} == set(project["optional-dependencies"]) - ours
