from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from topiccrawl.commands.topics import Command
from topiccrawl.language import using_language
from topiccrawl.topics.folder import load_definition


def add(root: Path, name: str, extra: str = "", head: str = "") -> None:
    write(root, name, f'name = "{name}"\n{head}\n[keywords.core]\n"{name}" = 1.0\n{extra}')


def write(root: Path, name: str, text: str) -> None:
    folder = root / "seeds" / name
    folder.mkdir(parents=True)
    (folder / "topic.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scrapy.cfg").touch()
    add(
        tmp_path,
        "侨情",
        '[negative]\n"华侨城" = 0.1\n[[seeds]]\nname = "国侨办"\nurl = "http://www.gqb.gov.cn/"\n',
        'aliases = ["qiaoqing"]\nclassification = ["D634", "D634.1"]',
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*argv: str) -> int:
    command = Command()
    command.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    opts, args = parser.parse_known_args(list(argv))
    command.run(args, opts)
    return command.exitcode


def test_without_arguments_topics_and_their_classes_are_listed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run() == 0
    out = capsys.readouterr().out
    assert "侨情" in out
    assert "qiaoqing" in out
    assert out.count("D6 中国政治") == 1


def test_a_broken_topic_does_not_hide_the_others(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(project, "坏", "x")
    assert run() == 1
    printed = capsys.readouterr()
    assert "侨情" in printed.out
    assert printed.err.count("\n") == 1
    assert "坏/topic.toml: is not valid TOML" in printed.err


def test_the_absence_of_topics_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seeds").mkdir()
    assert run() == 0
    assert "no topics yet" in capsys.readouterr().out


def test_one_topic_is_shown_in_full(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("僑情") == 0
    out = capsys.readouterr().out
    for part in (
        "D634.1 < 中国政治",
        "侨情 1",
        "华侨城 0.1",
        "http://www.gqb.gov.cn/  国侨办",
        "learned",
    ):
        assert part in out


@pytest.mark.parametrize(
    ("code", "shown", "hidden"),
    [
        ((), ["A 马克思", "D6 中国政治", "侨情 (D634, D634.1)"], ["D8 外交"]),
        (("D",), ["D8 外交", "侨情 (D634, D634.1)"], ["A 马克思"]),
        (("d634",), ["D6 中国政治", "侨情"], ["D8"]),
        (("J",), ["[J59 建筑艺术]"], ["侨情"]),
    ],
)
def test_the_tree_contains_the_topics(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    code: tuple[str, ...],
    shown: list[str],
    hidden: list[str],
) -> None:
    assert run("--tree", *code) == 0
    out = capsys.readouterr().out
    assert all(part in out for part in shown)
    assert not any(part in out for part in hidden)


@pytest.mark.parametrize("code", ["Ｇ２", "ｇ2", "g2"])
def test_codes_of_the_tree_may_be_full_width(
    project: Path, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    assert run("--tree", "G2") == 0
    expected = capsys.readouterr().out
    assert run("--tree", code) == 0
    assert capsys.readouterr().out == expected


def test_a_new_topic_lies_in_the_projects_seeds(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "below").mkdir()
    monkeypatch.chdir(project / "below")
    assert (
        run("--new", "茶文化", "--keywords", "茶,茶艺，茶馆、茶具", "--seeds", "http://a.cn/") == 0
    )
    folder = project / "seeds" / "茶文化"
    assert capsys.readouterr().out.strip() == str(folder)
    definition = load_definition(folder)
    assert [k.term for k in definition.keywords] == ["茶", "茶艺", "茶馆", "茶具"]
    assert [s.url for s in definition.seeds] == ["http://a.cn/"]
    assert definition.url_tokens["chaguan"] == 0.8
    assert run("--new", "tea", "--language", "en", "--allow", "a.cn,b.cn/x", "--deny", "/y") == 0
    assert load_definition(project / "seeds" / "tea").allow == ("a.cn", "b.cn/x")
    assert load_definition(project / "seeds" / "tea").deny == ("/y",)
    assert load_definition(project / "seeds" / "tea").language == "en"


def test_check_lists_all_errors(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--check") == 0
    add(project, "坏", "[limits]\nmax_pages = -1")
    add(project, "另一个", head='aliases = ["QIAOQING"]')
    (project / "seeds" / "空话").mkdir()
    (project / "seeds" / "空话" / "topic.toml").write_text(
        'name = "空话"\n[keywords.core]\n"我们 123" = 1.0', encoding="utf-8"
    )
    capsys.readouterr()
    assert run("--check") == 1
    printed = capsys.readouterr()
    assert "2 topics are valid, 3 mistakes" in printed.out
    assert len(printed.err.splitlines()) == 3
    for part in (
        "max_pages must be",
        "'qiaoqing' names the topic '侨情'",
        "must contain more than stop",
    ):
        assert part in printed.err


def test_check_names_a_second_owner_of_a_name_in_chinese(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(project, "另一个", head='aliases = ["QIAOQING"]')
    with using_language("zh"):
        assert run("--check") == 1
    assert "'qiaoqing' 已是主题 '侨情' 的名称或别名" in capsys.readouterr().err


def test_check_names_every_mistake_of_one_topic(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        project,
        "坏",
        'name = "坏"\nlangage = "zh"\nclassification = ["zz", "D6", "yy"]\ndeny = ["re:(", "a.cn"]\n'
        '[keywords.core]\n"华侨" = 7\n"a.b" = "x"\n[[seeds]]\nurl = "ftp://x"\n[[seeds]]\n'
        'name = "n"\n[limits]\nmax_pages = -1\n',
    )
    assert run("--check") == 1
    lines = capsys.readouterr().err.splitlines()
    names = [line.partition("topic.toml: ")[2].split()[0] for line in lines]
    assert names == [
        "langage", "keywords.core.华侨", "keywords.core.a.b", "classification[0]",
        "classification[2]", "seeds[0].url", "seeds[1].url", "deny[0]", "limits.max_pages",
    ]  # fmt: skip


def test_check_does_not_call_a_value_missing_that_is_wrong(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "坏", 'name = "不同"\n[keywords.core]\n"华侨" = 1\n')
    assert run("--check") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "name must equal the folder's name" in line


def test_check_names_a_wrong_class_in_chinese(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        project,
        "坏",
        f'name = "坏"\nlanguage = "{"z" * 300}"\nclassification = ["zz"]\n[keywords.core]\n"华侨" = 1\n',
    )
    with using_language("zh"):
        assert run("--check") == 1
    language, code = capsys.readouterr().err.splitlines()
    assert language.endswith("…（302 个字符）")
    assert "classification[0] 应为中国图书馆分类法的类号" in code


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["！"], "topiccrawl: topic '！' has neither letters nor digits"),
        (["--tree", "Y1"], "'Y1' is no code of 中国图书馆分类法"),
        (["--new", "侨情"], "there is a topic of this name already"),
        (["--new", "../x"], "not a path"),
        (["--new", "茶", "--deny", "a..cn"], "--deny: 'a..cn' has the host name part ''"),
        (["--new", ""], "topic name must not be empty"),
    ],
)
def test_errors_are_one_line_and_a_nonzero_exit_code(
    project: Path, capsys: pytest.CaptureFixture[str], argv: list[str], message: str
) -> None:
    assert run(*argv) == 1
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_a_word_of_single_letters_is_refused_with_what_to_do(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("Q&A") == 1
    assert "topic 'Q&A' has stop words, single letters and numbers only; make a" in (
        capsys.readouterr().err
    )


def test_a_word_without_a_folder_is_shown_as_a_crawl_would_take_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("侨务") == 1
    printed = capsys.readouterr()
    assert "topiccrawl: topic '侨务' is not known; near: 侨情" in printed.err
    assert "a word without a folder" in printed.out
    assert "qiaowu" in printed.out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--chek"], "unknown option --chek; did you mean --check?"),
        (["--urltokens=a"], "unknown option --urltokens=a; did you mean --url-tokens?"),
        (["--dry"], r"unknown option --dry$"),  # not near to a short one because of the hyphens
        (["侨情", "茶"], "give one of NAME"),
        (["侨情", "--check"], "give one of NAME"),
        (["--keywords", "茶"], "--keywords goes with --new NAME"),
    ],
)
def test_wrong_use_is_a_usage_error(project: Path, argv: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(*argv)


def test_topics_are_listed_by_the_numbers_in_their_names(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (10, 2, 1):
        add(project, f"监测{number}")
    assert run() == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "监测" in line]
    assert [row.split("│")[1].strip() for row in rows] == ["监测1", "监测2", "监测10"]
