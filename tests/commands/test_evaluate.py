"""``scrapy evaluate``: from a stored web to tables, JSON and HTML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import run_command
from tests.support.html_trees import html_tree
from tests.support.volcano_web import A, write_web
from topiccrawl import __version__
from topiccrawl.commands.evaluate import Command

QUICK = ["--strategies", "breadth-first,best-first", "--max-pages", "12", "--jobs", "1"]


@pytest.fixture(name="web")
def small_web(tmp_path: Path) -> str:
    return str(write_web(tmp_path / "small"))


def evaluate(*argv: str) -> int:
    command: Any = Command()
    return run_command(command, argv)


def results(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def test_every_strategy_is_run_from_every_seed_set_and_printed_with_its_conditions(
    web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    assert evaluate(web, *QUICK, "--json", str(out)) == 0
    data = results(out)
    assert (data["schema"], data["version"]) == ("topiccrawl-evaluation", 2)
    cells = {(run["seeds"], run["strategy"], run["repeat"]) for run in data["runs"]}
    assert cells == {(s, x, 0) for s in ("near", "far") for x in ("breadth-first", "best-first")}
    printed = capsys.readouterr().out
    for words in ("seeds: near", "all seed sets", "best-first", "budget 12 pages", "judge: labels",
                  "per-host cap: none", "concurrency 1"):  # fmt: skip
        assert words in printed


def test_the_figures_are_those_of_the_order(web: str, tmp_path: Path) -> None:
    out, orders = tmp_path / "out.json", tmp_path / "orders"
    assert (
        evaluate(web, *QUICK, "--seeds", "near", "--json", str(out), "--orders", str(orders)) == 0
    )
    order = (orders / "volcanoes.near.breadth-first.0.txt").read_text().split()
    relevant = {f"{A}/v{i}" for i in range(1, 7)} | {"http://b.example/lava"}
    found, rates = 0, []
    for k, url in enumerate(order, 1):
        found += url in relevant
        rates.append(found / k)
    run = next(r for r in results(out)["runs"] if r["strategy"] == "breadth-first")
    assert len(order) == 12
    assert run["metrics"]["auc"] == pytest.approx(sum(rates) / 12, abs=1e-6)
    assert run["metrics"]["relevant"] == found
    reference = results(out)["references"][0]
    assert (reference["reachable"], reference["targets"], reference["pages"]) == (18, 7, 12)
    assert run["share_of_oracle"] == pytest.approx(
        run["metrics"]["auc"] / reference["oracle_auc"], abs=1e-5
    )


def test_strategies_that_draw_are_repeated_and_others_are_not(web: str, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    names = ["--strategies", "hits,rwb", "--repeats", "3", "--seeds", "far"]
    assert evaluate(web, *names, "--max-pages", "12", "--jobs", "1", "--json", str(out)) == 0
    runs = results(out)["runs"]
    assert sorted((r["strategy"], r["repeat"]) for r in runs) == [
        ("hits", 0), ("rwb", 0), ("rwb", 1), ("rwb", 2),
    ]  # fmt: skip
    assert {r["strategy"]: r["draws"] for r in runs} == {"hits": False, "rwb": True}


def test_the_same_command_goes_on_and_makes_no_run_twice(web: str, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert evaluate(web, *QUICK, "--seeds", "near", "--json", str(out)) == 0
    before = results(out)["runs"]
    assert evaluate(web, *QUICK, "--json", str(out)) == 0
    after = results(out)["runs"]
    assert after[: len(before)] == before
    assert len(after) == 2 * len(before)


def test_results_of_other_conditions_are_not_mixed(
    web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    assert evaluate(web, *QUICK, "--json", str(out)) == 0
    other = [*QUICK, "--max-pages", "9", "--json", str(out)]
    assert evaluate(web, *other) == 1
    assert "max_pages = 12, not 9" in capsys.readouterr().err
    assert evaluate(web, *other, "--fresh") == 0
    assert results(out)["conditions"]["max_pages"] == 9


@pytest.mark.parametrize("version", ["0.0.1", None])
def test_results_of_another_version_are_not_mixed(
    web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str | None
) -> None:
    out = tmp_path / "out.json"
    assert evaluate(web, *QUICK, "--json", str(out)) == 0
    former = results(out)
    del former["conditions"]["topiccrawl"]
    if version:
        former["conditions"]["topiccrawl"] = version
    out.write_text(json.dumps(former), "utf-8")
    assert evaluate(web, *QUICK, "--json", str(out)) == 1
    assert f"topiccrawl = {version!r}, not '{__version__}'" in capsys.readouterr().err
    assert results(out) == former


def test_kept_pages_are_judged_without_the_pages_that_the_crawler_was_given(
    web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    names = ["--strategies", "best-first,home-made", "--seeds", "near", "--max-pages", "30"]
    assert evaluate(web, *names, "--jobs", "1", "--whole-web", "--json", str(out)) == 0
    runs = {run["strategy"]: run for run in results(out)["runs"]}
    for run in runs.values():
        end = run["judged"][-1]
        # 18 pages; the seeds (near and far) and the examples are 5 of them, 2 of these relevant.
        assert (end["at"], end["pages"], end["relevant"]) == (30, 13, 5)
        assert (run["web"]["pages"], run["web"]["relevant"]) == (13, 5)
        assert end["kept"]["f1"] == run["web"]["kept"]["f1"] == 1
        assert set(end["naive"]) == {"one keyword", "two or title", "three keywords"}
    assert runs["best-first"]["web"]["auc"] == 1
    assert sum(runs["best-first"]["judged"][-1]["calibration"]["pages"]) == 13
    assert runs["home-made"]["judged"][-1]["calibration"] is None
    rows = results(out)["summary"]["judged"]
    assert {row["at"] for row in rows} == {"30", "whole web"}
    printed = capsys.readouterr().out
    for words in ("kept pages, seeds: near", "whole web", "5 / 5", "home-made"):
        assert words in printed


def test_the_home_made_spider_is_simulated_in_mode_crawl_too(web: str, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    names = [
        "--strategies",
        "home-made",
        "--seeds",
        "near",
        "--max-pages",
        "10",
        "--define",
        "word",
    ]
    assert evaluate(web, *names, "--jobs", "1", "--mode", "crawl", "--json", str(out)) == 0
    (run,) = results(out)["runs"]
    assert len(run["judged"]) == 10
    # Its one word is on all relevant pages.
    assert run["judged"][-1]["kept"]["recall"] == 1


def test_drawn_seed_sets_are_run_one_by_one_and_shown_as_two_groups(
    web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    names = ["--strategies", "best-first", "--seeds", "drawn:2", "--max-pages", "9"]
    assert evaluate(web, *names, "--jobs", "1", "--json", str(out)) == 0
    assert {run["seeds"] for run in results(out)["runs"]} == {
        "drawn-near#1", "drawn-near#2", "drawn-far#1", "drawn-far#2",
    }  # fmt: skip
    groups = {row["seeds"]: row for row in results(out)["summary"]["rows"]}
    assert set(groups) == {"drawn-near", "drawn-far", "all"}
    assert groups["drawn-near"]["figures"]["share_of_oracle"]["seed_sd"] is not None
    assert "seeds: drawn-near" in capsys.readouterr().out
    before = results(out)["runs"]
    assert evaluate(web, *names, "--jobs", "1", "--json", str(out)) == 0
    assert results(out)["runs"] == before, "nothing is run again"


@pytest.mark.slow
def test_two_processes_find_what_one_finds(web: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    assert evaluate(web, *QUICK, "--json", str(one)) == 0
    assert evaluate(web, *QUICK, "--jobs", "2", "--json", str(two)) == 0

    def figures(path: Path) -> list[Any]:
        found = [(r["seeds"], r["strategy"], r["metrics"]) for r in results(path)["runs"]]
        return sorted(found, key=lambda each: each[:2])

    assert figures(one) == figures(two)


def test_the_page_needs_nothing_else_and_has_names_for_its_drawings(
    web: str, tmp_path: Path
) -> None:
    page = tmp_path / "out.html"
    assert evaluate(web, *QUICK, "--html", str(page)) == 0
    document = html_tree(page.read_text("utf-8"))
    assert document.xpath("//h1//text()") == ["small"]
    assert not document.xpath("//script | //img | //*[starts-with(@href, 'http')]")
    drawings = document.xpath("//svg[@role='img']")
    # For near, far and all: three curves of the order, two of what is kept, and the reliability; but
    # nothing relevant is found from far, so that nothing can be kept.
    assert len(drawings) == 16
    assert all(drawing.get("aria-label") for drawing in drawings)
    assert document.xpath("//table[.//th[text()='best-first']]")
    assert "volcanoes" in document.text_content()


@pytest.mark.slow
def test_the_real_crawl_can_be_evaluated(web: str, tmp_path: Path) -> None:
    outs = {mode: tmp_path / f"{mode}.json" for mode in ("crawl", "simulate")}
    for mode, out in outs.items():
        words = ["--strategies", "best-first", "--seeds", "near", "--max-pages", "10"]
        assert evaluate(web, *words, "--jobs", "1", "--mode", mode, "--json", str(out)) == 0
    true, simulated = (results(out)["runs"][0]["metrics"] for out in outs.values())
    assert true == pytest.approx(simulated)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--topics", "weather"], "--topics must be of volcanoes"),
        (["--seeds", "middle"], "--seeds must be of far, near"),
        (["--seeds", "drawn:0"], "--seeds: drawn:N needs a number"),
        (["--mode", "crawl", "--whole-web"], "--whole-web must not be given with --mode crawl"),
        (["--define", "samples"], "samples must hold a stored page"),
        (["--strategies", "magic"], "--strategies: strategy must be one of breadth-first"),
        (["--max-pages", "0"], "--max-pages must be >= 1"),
        (["--mode", "guess"], "--mode must be one of"),
        (["--judge", "crowd"], "--judge must be one of labels, classifier"),
        (["--define", "nothing"], "--define must be one of"),
        (["--baseline", "hits", "--strategies", "rwb"], "--baseline must be one of the strategies"),
        (["--json", "/nowhere/at/all.json"], "--json: the folder"),
        (["--judge", "classifier"], "needs 5 labeled pages"),
    ],
)
def test_what_cannot_be_evaluated_is_one_line_and_exit_code_1(
    web: str, capsys: pytest.CaptureFixture[str], argv: list[str], message: str
) -> None:
    assert evaluate(web, "--max-pages", "5", "--jobs", "1", *argv) == 1
    error = capsys.readouterr().err.strip()
    assert message in error
    assert "\n" not in error


def test_a_web_must_be_named_and_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate() == 2
    assert evaluate(str(tmp_path / "none")) == 1
    assert "a web must be" in capsys.readouterr().err
