"""The hosted CI and the pre-commit hooks call things that exist."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
from typing import Any

import pytest
import yaml

from tests.support.clean_copy import ROOT

WORKFLOW: dict[Any, Any] = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
(REPOSITORY,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
#: Programs that requirements-dev.txt installs into the environment.
TOOLS = {"ruff", "mypy", "lint-imports"}


@pytest.mark.parametrize("name", WORKFLOW["jobs"])
def test_a_job_checks_the_project_out_and_runs_commands_that_exist(name: str) -> None:
    steps = WORKFLOW["jobs"][name]["steps"]
    assert steps[0]["uses"].startswith("actions/checkout@")
    commands = [shlex.split(step["run"]) for step in steps if "run" in step]
    assert commands
    for program, *arguments in commands:
        if program == "make":
            for argument in arguments:
                name, is_variable, _ = argument.partition("=")
                used = re.escape(f"$({name})") if is_variable else rf"^{name}:"
                assert re.search(used, MAKEFILE, re.MULTILINE)
        else:
            assert os.access(ROOT / program, os.X_OK)


def test_the_gate_is_run_on_pushes_and_pull_requests() -> None:
    runs = [step.get("run") for step in WORKFLOW["jobs"]["checks"]["steps"]]
    assert ".ci/run" in runs
    # YAML 1.1 reads the key "on" as true.
    assert {"push", "pull_request"} <= set(WORKFLOW.get("on", WORKFLOW.get(True)))


def test_hooks_need_no_download() -> None:
    assert REPOSITORY["repo"] == "local"
    assert {hook["language"] for hook in REPOSITORY["hooks"]} == {"system"}


@pytest.mark.parametrize("hook", REPOSITORY["hooks"], ids=lambda hook: hook["id"])
def test_a_hook_runs_a_tool_of_the_environment(hook: dict[str, Any]) -> None:
    program, *arguments = shlex.split(hook["entry"])
    folder, _, tool = program.rpartition("/")
    assert folder == ".venv/bin"
    if tool != "python":
        assert tool in TOOLS
        assert f".venv/bin/{tool}" in MAKEFILE.replace("$(BIN)", ".venv/bin"), "as make lint does"
    elif arguments[0] == "-m":
        assert importlib.util.find_spec(arguments[1])
    else:
        assert (ROOT / arguments[0]).is_file()


def test_the_checkers_of_make_lint_are_hooks() -> None:
    entries = " ".join(hook["entry"] for hook in REPOSITORY["hooks"])
    assert all(f"/{tool}" in entries for tool in TOOLS)


def test_the_minimum_versions_are_checked_on_folders_that_exist() -> None:
    tests = re.search(r"^MINIMUM_TESTS := ((?:.*\\\n)*.*)$", MAKEFILE, re.MULTILINE)
    assert tests is not None
    folders = tests[1].replace("\\\n", " ").split()
    assert folders
    assert [name for name in folders if not (ROOT / name).exists()] == []
