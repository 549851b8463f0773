"""The systemd units: systemd itself reads them, and names come through its escaping unchanged."""

from __future__ import annotations

import argparse
import configparser
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.settings import Settings

from tests.support.clean_copy import ROOT
from topiccrawl.commands.alerts import Command as AlertsCommand
from topiccrawl.commands.refresh import Command

UNITS = sorted((ROOT / "deploy" / "systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
HOW_TO_GET_IT = "no systemd-analyze: apt-get install systemd"
VENV = "/opt/topiccrawl/venv/bin/"

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None or shutil.which("systemd-escape") is None,
    reason=HOW_TO_GET_IT,
)


class _Unit(dict[str, list[str]]):
    """Values by key, in order; systemd allows a key several times."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        for line in path.read_text("utf-8").splitlines():
            key, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                self.setdefault(key, []).append(value)


def output(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@needs_systemd
def test_systemd_finds_nothing_wrong_with_any_unit(tmp_path: Path) -> None:
    """On copies whose programs are where they are here."""
    for unit in UNITS:
        text = unit.read_text("utf-8").replace(VENV, f"{Path(sys.executable).parent}/")
        (tmp_path / unit.name).write_text(text, "utf-8")
    names = [str(tmp_path / unit.name) for unit in UNITS]
    assert output("systemd-analyze", "verify", "--man=no", *names) == ""


@needs_systemd
@pytest.mark.parametrize("topic", ["侨情", "renewable-energy", "图书馆学", "C++ 语言"])
def test_a_topic_is_the_same_after_systemds_escaping(topic: str) -> None:
    unit = output("systemd-escape", "--template=topiccrawl@.service", topic).strip()
    assert unit.isascii()
    assert output("systemd-escape", "--unescape", "--instance", unit).strip() == topic


@needs_systemd
def test_the_documentation_shows_what_systemd_escape_gives() -> None:
    text = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    assert f"`systemd-escape 侨情` gives `{output('systemd-escape', '侨情').strip()}`" in text


def test_one_unit_per_topic_crawls_the_unescaped_name() -> None:
    unit = _Unit(ROOT / "deploy" / "systemd" / "topiccrawl@.service")
    (command,) = unit["ExecStart"]
    assert shlex.split(command) == [
        *(f"{VENV}scrapy", "crawl", "topic", "-a", "topic=%I", "$CRAWL_OPTIONS"),
    ]


def test_the_refresh_of_a_night_is_the_command_of_the_documentation() -> None:
    unit = _Unit(ROOT / "deploy" / "systemd" / "topiccrawl-refresh@.service")
    (command,) = unit["ExecStart"]
    words = shlex.split(command)
    assert words[:3] == [f"{VENV}scrapy", "refresh", "%I"]
    assert words[-1] == "$REFRESH_OPTIONS"
    documented = shlex.join(["scrapy", *words[1:-1]]).replace("%I", "侨情")
    text = (ROOT / "docs" / "nightly.md").read_text("utf-8")
    assert documented.replace("'", '"') in text
    command_of_unit = Command()
    command_of_unit.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command_of_unit.add_options(parser)
    options = parser.parse_args(words[3:-1])
    assert options.go_on
    assert options.report == "reports/%I-{date}.html"
    assert options.set == ["CLOSESPIDER_TIMEOUT=14400"]


def test_warnings_have_a_service_with_the_command_of_the_documentation() -> None:
    unit = _Unit(ROOT / "deploy" / "systemd" / "topiccrawl-alerts@.service")
    (command,) = unit["ExecStart"]
    words = shlex.split(command)
    assert words[:3] == [f"{VENV}scrapy", "alerts", "%I"]
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command_of_unit = AlertsCommand()
    command_of_unit.settings = Settings()
    command_of_unit.add_options(parser)
    options = parser.parse_args(words[3:])
    assert (options.file, options.every) == ("/etc/topiccrawl/alerts.toml", 300)


def test_workers_take_topic_and_servers_from_the_environment() -> None:
    unit = _Unit(ROOT / "deploy" / "systemd" / "topiccrawl-worker@.service")
    (command,) = unit["ExecStart"]
    assert "topic=${TOPIC}" in command
    assert "SCRAPY_SETTINGS_MODULE=topiccrawl.cluster.settings" in unit["Environment"]
    assert unit["EnvironmentFile"] == [
        "/etc/topiccrawl/cluster.env",
        "-/etc/topiccrawl/worker-%i.env",
    ]


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_a_service_survives_failures_stops_in_order_and_has_few_rights(path: Path) -> None:
    unit = _Unit(path)
    assert unit["Restart"] == ["on-failure"]
    # Longer than the longest download, 60 s, and the store's last batch.
    assert int(unit["TimeoutStopSec"][0]) >= 120
    assert "PYTHONUTF8=1" in unit["Environment"]
    assert unit["User"] == unit["StateDirectory"] == ["topiccrawl"]
    assert unit["WorkingDirectory"] == ["/var/lib/topiccrawl"]
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["NoNewPrivileges"] == ["yes"]


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_what_records_times_starts_when_the_clock_is_right(path: Path) -> None:
    after = _Unit(path).get("After", [""])[0].split()
    assert ("time-sync.target" in after) == (path.name != "topiccrawl-console.service")


def test_jobs_of_scrapyd_get_the_stop_signal_themselves() -> None:
    """With "mixed" they would be killed as soon as scrapyd, which does not wait for them, is gone."""
    unit = _Unit(ROOT / "deploy" / "systemd" / "scrapyd.service")
    assert unit["KillMode"] == ["control-group"]


def test_crawls_that_were_started_in_the_console_go_on_without_it() -> None:
    unit = _Unit(ROOT / "deploy" / "systemd" / "topiccrawl-console.service")
    assert unit["KillMode"] == ["process"]
    (command,) = unit["ExecStart"]
    assert shlex.split(command) == [
        f"{VENV}scrapy",
        "console",
        "--port",
        "6880",
        "$CONSOLE_OPTIONS",
    ]


def test_scrapyd_listens_on_loopback_only() -> None:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "deploy" / "scrapyd.conf", "utf-8")
    assert parser["scrapyd"]["bind_address"] == "127.0.0.1"
    assert parser["scrapyd"]["jobs_dir"] == ""


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("scrapyd-installed.conf", "topiccrawl.settings"),
        ("scrapyd-image.conf", "topiccrawl.cluster.settings"),
    ],
)
def test_an_installed_project_is_scheduled_as_it_is_and_takes_no_eggs(
    name: str, module: str
) -> None:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "deploy" / name, "utf-8")
    assert dict(parser["settings"]) == {"topiccrawl": module}
    assert dict(parser["services"]) == {"addversion.json": ""}


def test_every_unit_is_in_the_documentation() -> None:
    text = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    assert set(re.findall(r"^\| `([^`]+\.(?:service|timer))` \|", text, re.MULTILINE)) == {
        unit.name for unit in UNITS
    }
