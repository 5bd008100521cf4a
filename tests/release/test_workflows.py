"""The workflows: actions are pinned, rights are few, and what they run exists."""

from __future__ import annotations

import re
import subprocess
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
    for command in (".ci/run types", "release/runners.sh"):
        assert f"- run: {command}\n" in text
        assert Path(ROOT, command.split()[0]).stat().st_mode & 0o100
    assert "python3 run.py wheels --twice" in text
    assert '"wheels": ["python", "-m", "release.wheels"]' in (ROOT / "run.py").read_text(encoding="utf-8")


def test_style_and_types_come_first_and_no_part_is_left_out() -> None:
    """What `.ci/run` does as a whole is spread over the jobs."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))["jobs"]
    runs = {name: [step["run"] for step in job["steps"] if "run" in step] for name, job in jobs.items()}
    assert runs["lint"][-1].startswith("pre-commit run --all-files")
    assert {name for name, job in jobs.items() if "needs" not in job} == {"lint", "types"}
    assert all(set(job["needs"]) == {"lint", "types"} for job in jobs.values() if "needs" in job)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    [parts] = re.findall(r"^\[.*\|\| set -- (.*)$", script, re.M)
    assert sorted(f".ci/run {part}" for part in parts.split()) == sorted(
        said for name, all_said in runs.items() if name != "lint" for said in all_said
    )
    assert set(parts.split()) == set(re.findall(r"^(\w+)\(\) \{$", script, re.M)) - {"environment"}


def test_an_unknown_part_is_refused() -> None:
    done = subprocess.run([ROOT / ".ci" / "run", "typo"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "there is no part 'typo': types, tests, manual or kernel\n")


def test_the_manual_is_published_from_what_is_built() -> None:
    manual = yaml.safe_load((ROOT / ".github" / "workflows" / "manual.yml").read_text(encoding="utf-8"))
    build, publish = manual["jobs"]["build"]["steps"], manual["jobs"]["publish"]
    assert build[-2]["run"].splitlines()[0] == "python3 run.py docs"
    assert build[-1]["with"]["path"] == "docs/_build/html"
    assert f'"{build[-1]["with"]["path"]}"' in (ROOT / "run.py").read_text(encoding="utf-8")
    assert publish["needs"] == "build"
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}


def test_newer_versions_are_asked_for_of_everything_that_is_pinned() -> None:
    asked = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text(encoding="utf-8"))
    assert asked["version"] == 2
    kinds = {one["package-ecosystem"]: one for one in asked["updates"]}
    assert set(kinds) == {"github-actions", "pip", "docker"}
    assert all(
        one["directory"] == "/" and one["schedule"]["interval"] in {"weekly", "monthly"} for one in kinds.values()
    )


def test_every_hook_runs_a_tool_of_the_project_or_is_pinned() -> None:
    """Without an address: nothing is fetched but what its version names."""
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    [local] = config["repos"]
    assert local["repo"] == "local"
    hooks = {hook["id"]: hook for hook in local["hooks"]}
    assert set(hooks) == {"style", "format", "imports", "spelling"}
    tools = {re.match(r"[\w-]+", one)[0] for one in _test_extra()}  # type: ignore[index]
    for name, hook in hooks.items():
        program, *_ = hook["entry"].split()
        if hook["language"] == "system":
            assert program in {".venv/bin/ruff", ".venv/bin/lint-imports"}, name
            assert {"ruff", "import-linter"} <= tools
        else:
            assert all(re.fullmatch(r"[\w-]+==[\d.]+", one) for one in hook["additional_dependencies"]), name


def _test_extra() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: list[str] = project["optional-dependencies"]["test"]
    return found


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
