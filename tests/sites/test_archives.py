"""Addresses of issues, and those of the issues before and after."""

from __future__ import annotations

from datetime import date

import pytest

from topiccrawl.sites.archives import RULE, is_first_page, issue_of, links_of_day, other_dates

A = "http://epaper.qiao.example"


@pytest.mark.parametrize(
    ("url", "before"),
    [
        ("/html/2024-03/01/node_1.htm", "/html/2024-02/29/node_1.htm"),
        ("/html/2024-03/01/nbs.D110000renmrb_01.htm", "/html/2024-02/29/nbs.D110000renmrb_01.htm"),
        ("/paper/20240301/", "/paper/20240229/"),
        ("/paper/20240301/A01.html", "/paper/20240229/A01.html"),
        ("/2024/03/01/", "/2024/02/29/"),
        ("/2024/0301/index.htm", "/2024/0229/index.htm"),
        ("/list.php?date=2024-03-01", "/list.php?date=2024-02-29"),
        ("/shtml/rb/20240301/v01.shtml", "/shtml/rb/20240229/v01.shtml"),
        ("/2024-03/20240301/1.html", "/2024-02/20240229/1.html"),
        ("/day/2024-3-1/", "/day/2024-2-29/"),
        ("/pc/layout/202403/01/node_01.html", "/pc/layout/202402/29/node_01.html"),
        ("/pc/layout/202403/01/col01.html", "/pc/layout/202402/29/col01.html"),
        ("/pad/layout/202403/01/node_A01.html", "/pad/layout/202402/29/node_A01.html"),
        ("/html/2024-03/01/node_2-1.htm", "/html/2024-02/29/node_2-1.htm"),
        ("/epaper/index.aspx?date=20240301&page=1", "/epaper/index.aspx?date=20240229&page=1"),
        ("/epaper/html/2024/03/01/A01/A01.htm", "/epaper/html/2024/02/29/A01/A01.htm"),
        ("/qk/2024/03/", "/qk/2024/02/"),
        ("/qk/202403/index.html", "/qk/202402/index.html"),
    ],
)
def test_the_issue_before_has_the_same_address_with_another_date(url: str, before: str) -> None:
    issue = issue_of(A + url)
    assert issue is not None
    assert issue.front
    day = issue.step(-1)
    assert day is not None
    assert issue.at(day) == A + before
    assert issue.at(issue.day) == A + url


@pytest.mark.parametrize(
    "url",
    [
        "/html/2024-03/15/content_12345.htm",
        "/a/20240315/1000123.html",
        "/2024-03/15/nw.D110000renmrb_20240315_1-01.htm",
        "/2024/03/1234567.html",
        "/t20240315_5468.html",
        "/n/20240315001.html",
        "/c1991/list.html",
        "/2024/13/01/",
        "/paper/20240231/",
        "/20240315-20240320/",
        "/",
    ],
)
def test_articles_and_other_numbers_are_no_issues(url: str) -> None:
    assert issue_of(A + url) is None


def test_the_name_of_an_article_after_the_date_is_no_front() -> None:
    issue = issue_of(f"{A}/2024/03/15/qiaoxiang-story/")
    assert issue is not None
    assert not issue.front


def test_only_the_first_page_of_an_issue_leads_to_other_days() -> None:
    pages = [f"{A}/html/2024-03/15/node_{n}.htm" for n in (2, 3, 4)]
    first, second = issue_of(pages[0]), issue_of(pages[1])
    assert first is not None
    assert second is not None
    assert is_first_page(first, pages)
    assert not is_first_page(second, pages)
    assert links_of_day(first, [*pages, f"{A}/html/2024-03/14/node_2.htm"]) == 2


def test_a_step_that_is_a_rule_is_tried_first() -> None:
    issue = issue_of(f"{A}/paper/20240315/")
    assert issue is not None
    assert other_dates(issue, 7, RULE)[:3] == [7, 1, 2]
    assert other_dates(issue, 3, RULE - 1)[:3] == [1, 2, 3]
    assert issue.step(-10_000_000) is None
    assert issue.step(7) == date(2024, 3, 22)
