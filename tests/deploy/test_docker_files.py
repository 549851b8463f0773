"""docker-compose.yml and Dockerfile as far as they can be checked without Docker."""

from __future__ import annotations

import re
import runpy
import subprocess
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.clean_copy import ROOT
from topiccrawl.store.uri import mongo_database

Service = dict[str, Any]

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SERVICES: dict[str, Service] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
OURS = ("crawler", "console", "scrapyd")
#: ${NAME} and ${NAME:-default} as Compose replaces them.
_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")
#: Keys of a service in the Compose specification, as far as the file uses them.
_KEYS = {
    "image", "build", "init", "environment", "depends_on", "read_only", "tmpfs", "cap_drop",
    "security_opt", "logging", "command", "restart", "stop_grace_period", "volumes", "ports",
    "healthcheck",
}  # fmt: skip


def filled_in(text: str, **variables: str) -> str:
    """*text* as Compose reads it when only *variables* are set."""
    return _VARIABLE.sub(lambda m: variables.get(m[1]) or m[2] or "", text)


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_complete_and_names_only_what_exists(name: str) -> None:
    service = SERVICES[name]
    assert set(service) <= _KEYS
    assert "image" in service
    if "build" in service:
        assert (ROOT / service["build"] / "Dockerfile").is_file()
    for other, condition in service.get("depends_on", {}).items():
        assert condition == {"condition": "service_healthy"}
        assert "healthcheck" in SERVICES[other], "otherwise it is never healthy"
    for volume in service.get("volumes", []):
        source, target, *mode = volume.split(":")
        assert target.startswith("/")
        assert mode in ([], ["ro"])
        if source.startswith("."):
            assert (ROOT / source).is_file()
        else:
            assert source in COMPOSE["volumes"]
    assert service["restart"] in ("on-failure", "unless-stopped")
    assert re.fullmatch(r"\d+[sm]", service["stop_grace_period"])


def test_every_volume_is_used_and_belongs_to_one_service_but_for_that_of_all_that_crawl() -> None:
    used = {name: [v.split(":")[0] for v in s.get("volumes", [])] for name, s in SERVICES.items()}
    for name in ("console", "scrapyd"):
        assert used.pop(name) == used["crawler"], "where topics and the states of the runs are"
    sources = [source for those in used.values() for source in those]
    assert sorted(s for s in sources if not s.startswith(".")) == sorted(COMPOSE["volumes"])


def test_ports_are_open_on_this_machine_only() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports
    assert all(re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port) for port in ports)


def test_the_crawler_can_be_scaled() -> None:
    crawler = SERVICES["crawler"]
    assert not {"container_name", "ports", "hostname"} & set(crawler)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, ["-a", "topic=侨情"]),
        ({"TOPIC": "C++ 语言"}, ["-a", "topic=C++ 语言"]),
        (
            {"TOPIC": "图书馆学", "CRAWL_OPTIONS": "-s DOWNLOAD_DELAY=2 -a fresh=yes"},
            ["-a", "topic=图书馆学", "-s", "DOWNLOAD_DELAY=2", "-a", "fresh=yes"],
        ),
    ],
)
def test_the_topic_and_more_options_come_from_the_environment(
    tmp_path: Path, variables: dict[str, str], expected: list[str]
) -> None:
    crawler = SERVICES["crawler"]
    given = {name: filled_in(value, **variables) for name, value in crawler["environment"].items()}
    program = tmp_path / "scrapy"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', "utf-8")
    program.chmod(0o755)
    done = subprocess.run(
        [word.replace("$$", "$") for word in crawler["command"]],
        env=given | {"PATH": f"{tmp_path}:/bin:/usr/bin"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines() == ["crawl", "topic", *expected]


def test_the_console_asks_for_a_token_and_is_published_under_its_own_port() -> None:
    console = SERVICES["console"]
    program = console["command"][2].replace("$$", "$")
    assert program == "exec scrapy console --host 0.0.0.0 --port 6880 $CONSOLE_OPTIONS"
    assert console["ports"] == ["127.0.0.1:6880:6880"]


@pytest.mark.parametrize("name", OURS)
def test_workers_use_the_services_of_the_same_file(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in SERVICES[name]["environment"].items():
        monkeypatch.setenv(variable, filled_in(value))
    module = re.search(r"SCRAPY_SETTINGS_MODULE=(\S+)", DOCKERFILE)
    assert module is not None
    # It reads the environment when it is executed; the imported one stays as it is.
    settings = runpy.run_module(module[1])
    assert settings["TOPICCRAWL_FRONTIER_BACKEND"] == "redis"
    assert re.fullmatch(r"redis://(\w+):6379/0", settings["REDIS_URL"])[1] in SERVICES  # type: ignore[index]
    uri = settings["TOPICCRAWL_STORE_URI"]
    assert uri.startswith("mongodb://mongodb:27017/")
    assert "mongodb" in SERVICES
    assert mongo_database(uri) == "topiccrawl"
    assert uri.endswith("?w=majority&journal=true")


def test_our_containers_have_no_rights_and_write_to_their_volume_only() -> None:
    for name in OURS:
        service = SERVICES[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        (volume,) = service["volumes"]
        assert f"WORKDIR {volume.split(':')[1]}\n" in DOCKERFILE
    last_stage = DOCKERFILE.rsplit("FROM ", 1)[1]
    assert re.search(r"^USER (?!root)\w+$", last_stage, re.MULTILINE)
    assert "PYTHONUTF8=1" in last_stage


def test_everything_the_image_copies_exists_and_reaches_the_build() -> None:
    allowed = [
        line[1:]
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
    ]
    copies = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    sources = [source for copy in copies for source in copy.split()]
    assert {"topiccrawl", "seeds", "setup.py", "requirements.txt"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists()
        assert any(fnmatch(source, pattern) for pattern in allowed), source
    assert sorted(sources) == sorted(allowed), "nothing more is sent than what is copied"
