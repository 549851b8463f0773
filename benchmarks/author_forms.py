"""Authors of drawn by-lines: names without a label, and traps that are no names.

    python -m benchmarks.author_forms [--pages 200]

Each page is the lines of a drawn story below navigation, a title and a by-line.  The forms of the first part were in
sight when the rules were written; those of the second were written afterwards and first measured then.
"""

from __future__ import annotations

import argparse
from random import Random

from benchmarks.corpus.stories import TOPICS, headline, story
from topiccrawl.page.byline import find_byline
from topiccrawl.page.byline.names import people

_SURNAMES, _GIVEN = (
    "王李张刘陈杨赵黄周吴徐孙胡朱林何郭罗梁宋",
    "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英",
)
_FIRST, _LAST = (
    ("Jane", "Tom", "Maria", "Ann", "Peter"),
    ("Doe", "Lee", "de Vries", "McNeil", "Brown"),
)
_NICKS = ("阿七", "山那边", "north_wind", "橘子皮", "慢慢走")

#: Forms by part: {h} a Chinese name, {g} another, {e} an English one, {f} another, {n} a nickname, {d} a date, {t} the
#: time.  ``>`` puts the line behind the text, ``+`` at its end; the answer follows ``=``, nothing for none.
FORMS = (
    (
        "{d} {t} {h}={h}", "{h} {d}={h}", "{h}={h}", "+（{h}）={h}", "+（{h} {g}）={h} {g}",
        "{d} [ {h} ] 来源：[ 南屏日报 ]={h}", "{n} 发表于 {d} {t}={n}", "{n} 提问于 {d} {t} 浏览 77 次={n}",
        "By {e}={e}", "By {e} | {d}={e}", "Nov 19, 2019 by {e}={e}", "By {e} and {f}={e} and {f}",
        "By {e}, AP Staff Writer={e}", "{e} - Nov 19, 2019, 10:31 pm CST={e}", "{d} 南屏日报=",
        "{d} {t} 要闻=", "By admin - {d}=", "{d} 时间=",
    ),
    (
        "{d} / {h}={h}", "{h} | {d} {t}={h}", "{d}  {h}  阅读 120={h}", "{h} · {d}={h}", "> （{h}）={h}",
        "+({h}、{g})={h} {g}", "撰稿 {h}={h}", "文：{h} 图：{g}={h}", "作者 {h} {d}={h}", "{n} 发布于 {d}={n}",
        "楼主：{n} 时间：{d}={n}", "发帖人：{n}={n}", "Words by {e}={e}", "By: {e}, Contributor={e}",
        "Posted on {d} by {e}={e}", "BY {e} • NOV 19, 2019={e}", "{e}, Correspondent={e}",
        "Story by {e} for the Herald={e}", "{d} 北京=", "{d} 高清组图=", "阅读全文 {d}=", "By the numbers=",
        "+（完）=", "+（单位：万元）=",
    ),
)  # fmt: skip


def drawn(form: str, draw: Random) -> tuple[list[str], str, str]:
    """Return the lines of a page, its title, and its author, empty if it has none."""
    names = [
        draw.choice(_SURNAMES) + "".join(draw.sample(_GIVEN, draw.randint(1, 2))) for _ in "hg"
    ]
    english = [f"{draw.choice(_FIRST)} {it}" for it in draw.sample(_LAST, 2)]
    values = {
        "h": names[0],
        "g": names[1],
        "e": english[0],
        "f": english[1],
        "n": draw.choice(_NICKS),
    }
    values["d"] = draw.choice(("2019-11-19", "2019年11月19日", "2019/11/19"))
    line, _, author = form.format(t="08:19", **values).partition("=")
    title, text = headline(draw), list(story(draw, draw.choice(TOPICS)).paragraphs)
    if line.startswith(">"):
        text.append(line[1:].strip())
    elif line.startswith("+"):
        text[-1] += line[1:]
    else:
        text.insert(0, line)
    return ["首页", "新闻", "社会", title, *text, "相关阅读", headline(draw)], title, author


def main() -> None:
    """Print the share of right answers of each form, and of each part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=200)
    pages = parser.parse_args().pages
    for part, forms in enumerate(FORMS):
        right = []
        for form in forms:
            draw, found = Random(f"author {form}"), []
            for _ in range(pages):
                lines, title, author = drawn(form, draw)
                got = find_byline(lines, title).author or ""
                found.append(got == author or (people(author) or "-") == people(got))
            right.append(sum(found) / pages)
            print(f"{part} {right[-1]:.3f} {form}")
        print(f"part {part}: {sum(right) / len(right):.3f}")


if __name__ == "__main__":
    main()
