"""Without an optional dependency everything else works, and what needs it gives one line."""

from __future__ import annotations

import io
import sys
import tomllib
from argparse import Namespace

import pytest
from scrapy.settings import Settings

from tests.support.clean_copy import ROOT
from topiccrawl.analysis.vectors import LEAST_TERMS, learn_vectors, read_vectors
from topiccrawl.commands.console import Command
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError, MissingExtraError, needs_extra
from topiccrawl.export.writers import WRITERS
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.network import executable
from topiccrawl.store.columns import COLUMNS

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Make imports of *modules* fail as if they were not installed."""
    for module in modules:
        for name in [n for n in sys.modules if n == module or n.startswith(f"{module}.")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, module, None)


def test_the_message_names_user_module_and_command() -> None:
    with pytest.raises(MissingExtraError) as raised, needs_extra("excel", "An .xlsx file"):
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401
    assert str(raised.value) == (
        'An .xlsx file needs no_such_module: pip install "topiccrawl[excel]" '
        '(in a checkout: pip install -e ".[excel]")'
    )


def test_a_missing_module_of_our_own_is_no_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError), needs_extra("excel", "An .xlsx file"):
        import topiccrawl.no_such_module  # type: ignore[import-not-found]  # noqa: F401


def test_an_excel_file_needs_the_extra_and_other_formats_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "xlsxwriter")
    for name, writer in WRITERS.items():
        if name != "xlsx":
            writer(io.BytesIO(), [COLUMNS["title"]], "en").finish()
    with pytest.raises(MissingExtraError) as raised:
        WRITERS["xlsx"](io.BytesIO(), [COLUMNS["title"]], "en")
    assert raised.value.extra == "excel"


def test_word_vectors_need_the_extra_and_small_samples_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "gensim")
    assert learn_vectors([["few", "terms"]]) is None
    with pytest.raises(MissingExtraError) as raised:
        learn_vectors([["term"] * LEAST_TERMS])
    assert raised.value.extra == "semantic"
    with pytest.raises(MissingExtraError, match="TOPICCRAWL_SEMANTIC_VECTORS needs gensim"):
        read_vectors("vectors.bin")


def test_a_redis_frontier_needs_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "redis", "topiccrawl.frontier.redis")
    monkeypatch.delitem(sys.modules, "topiccrawl.frontier.redis")
    config = CrawlSettings.from_settings(Settings({"TOPICCRAWL_FRONTIER_BACKEND": "redis"}))
    with pytest.raises(MissingExtraError) as raised:
        frontier_backend(config)
    assert raised.value.extra == "cluster"


def test_a_browser_needs_an_extra_that_the_requirements_file_does_not_bring(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "playwright" not in (ROOT / "requirements.txt").read_text("utf-8")
    monkeypatch.setattr(executable, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as raised:
        executable.check_browser(CrawlSettings.from_settings(Settings()).browser)
    assert raised.value.extra == "browser"
    assert 'pip install -e ".[browser]"' in str(raised.value)


@pytest.mark.parametrize("module", ["starlette", "uvicorn", "jinja2", "python_multipart"])
def test_the_console_needs_the_extra_and_its_command_does_not(
    monkeypatch: pytest.MonkeyPatch, module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    without(monkeypatch, module)
    for name in [
        it
        for it in sys.modules
        if it == "topiccrawl.console" or it.startswith("topiccrawl.console.")
    ]:
        monkeypatch.delitem(sys.modules, name)
    command = Command()
    command.settings = Settings()
    options = Namespace(
        port=0, host="127.0.0.1", token_file=None, store="sqlite:///none", write=False,
        allow_host=[], open=False,
    )  # fmt: skip
    command.run([], options)
    assert command.exitcode == 1
    assert 'pip install "topiccrawl[console]"' in capsys.readouterr().err


def test_a_missing_extra_is_a_configuration_error_and_all_are_declared() -> None:
    assert issubclass(MissingExtraError, ConfigurationError)
    assert {"cluster", "console", "excel", "mongo", "semantic", "warc"} <= set(EXTRAS)
