"""Rules of canonical URLs are data: their meaning, and the errors of wrong ones."""

from __future__ import annotations

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.rules import UrlRules, url_rules


def ignored(rules: UrlRules, host: str, name: str, value: str = "1", path: str = "/") -> bool:
    """Whether ``path?name=value`` on *host* is the page without it."""
    of_host = rules.of(host)
    return of_host.parameters.ignores(name, value) or any(
        pattern.fullmatch(path) and more.ignores(name, value) for pattern, more in of_host.by_path
    )


@pytest.mark.parametrize(
    ("url", "expected", "why"),
    [
        (
            "http://bbs.a.example/forum.php?mod=viewthread&tid=5&extra=page%3D1&fromuid=9",
            "http://bbs.a.example/forum.php?mod=viewthread&tid=5",
            "Discuz: the list from which the visitor came, on any host",
        ),
        (
            "http://bbs.a.example/list.php?extra=1",
            "http://bbs.a.example/list.php?extra=1",
            "elsewhere `extra` is content",
        ),
        (
            "https://mp.weixin.qq.com/s?__biz=M&mid=2&idx=1&sn=a&chksm=b&scene=21&key=k",
            "https://mp.weixin.qq.com/s?__biz=M&idx=1&mid=2&sn=a",
            "WeChat articles",
        ),
        (
            "https://baike.baidu.com/item/a/5?fr=aladdin",
            "https://baike.baidu.com/item/a/5",
            "Baidu",
        ),
        ("https://a.example/item?fr=aladdin", "https://a.example/item?fr=aladdin", "not Baidu"),
        (
            "https://news.sina.com.cn/c/2020-01-13/doc-iih.shtml?cre=tianyi&mod=pchp&r=0",
            "https://news.sina.com.cn/c/2020-01-13/doc-iih.shtml",
            "Sina's recommendations, on articles",
        ),
        (
            "https://search.sina.com.cn/?mod=search&q=a",
            "https://search.sina.com.cn/?mod=search&q=a",
            "not on other pages of Sina",
        ),
        (
            "https://item.taobao.com/item.htm?id=5&spm=a1&ns=1&abbucket=2",
            "https://item.taobao.com/item.htm?id=5",
            "Taobao",
        ),
    ],
)
def test_rules_of_hosts(url: str, expected: str, why: str) -> None:
    assert canonical_url(url) == expected, why


def test_a_host_may_keep_what_is_ignored_elsewhere_and_name_its_index() -> None:
    rules = UrlRules(
        '[session]\nignore = ["sid"]\n[index]\nnames = ["index.html"]',
        '[[rule]]\nhosts = ["*.a.cn"]\nkeep = ["sid"]\nindex = ["index.php"]',
    )
    assert [ignored(rules, host, "sid") for host in ("a.cn", "x.a.cn", "xa.cn")] == [
        False,
        False,
        True,
    ]
    assert rules.of("a.cn").index == {"index.html", "index.php"}
    assert rules.of("xa.cn").index == {"index.html"}


def test_names_may_be_patterns_and_case_does_not_count() -> None:
    rules = UrlRules('[tracking]\nignore = ["utm_*"]\n[tracking.values]\nfrom = "x|y"', "")
    assert ignored(rules, "a.cn", "UTM_Source")
    assert not ignored(rules, "a.cn", "xutm_source")
    assert [ignored(rules, "a.cn", "From", value) for value in ("x", "y", "xy")] == [
        True,
        True,
        False,
    ]


def test_paths_limit_a_rule() -> None:
    rules = UrlRules("", '[[rule]]\nhosts = ["a.cn"]\npaths = ["/a/*"]\nignore = ["n"]')
    assert ignored(rules, "a.cn", "n", path="/a/b/c")
    assert not ignored(rules, "a.cn", "n", path="/b/a/c")
    assert not ignored(rules, "b.cn", "n", path="/a/b")


def test_the_caches_of_hosts_and_names_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topiccrawl.urls.rules._CACHE_SIZE", 10)
    rules = UrlRules('[tracking]\nignore = ["n1"]', "")
    for i in range(100):
        assert ignored(rules, f"h{i}.cn", f"n{i}") == (i == 1)
    assert len(rules._hosts) <= 10
    assert len(rules.of("h.cn").parameters._verdicts) <= 10


def test_the_packaged_rules_are_valid_and_read_once() -> None:
    assert url_rules() is url_rules()
    assert ignored(url_rules(), "a.example", "phpsessid")
    for name in (
        "id",
        "type",
        "page",
        "p",
        "tid",
        "aid",
        "from",
        "sid",
        "date",
        "q",
        "lang",
        "t",
        "_",
    ):
        assert not ignored(url_rules(), "a.example", name), f"{name} may distinguish pages"


@pytest.mark.parametrize(
    ("common", "hosts", "message"),
    [
        ("x", "", "url_parameters.toml: is not valid TOML"),
        ("[sesion]", "", "url_parameters.toml: sesion is not a known key"),
        ("session = 1", "", "url_parameters.toml: session must be a table, got 1"),
        ("[session]\nignored = []", "", "url_parameters.toml: session.ignored is not a known key"),
        ('[session]\nignore = "a"', "", "session.ignore must be a list of strings, got 'a'"),
        (
            "[session]\nignore = [1]",
            "",
            "session.ignore[0] must be a non-empty string, got 1",
        ),
        ('[tracking]\nignore = ["UTM"]', "", "tracking.ignore must be in lower case, got 'UTM'"),
        ('[tracking]\nignore = ["*"]', "", "tracking.ignore must not match every name, got '*'"),
        (
            '[session.values]\ns = "("',
            "",
            "session.values.s must be a regular expression (missing )",
        ),
        ("[session.values]\ns = 1", "", "session.values.s must be a regular expression, got 1"),
        ('[path]\nsegments = ["("]', "", "path.segments must be a regular expression"),
        ("", "rule = 1", "url_hosts.toml: rule must be tables, written [[rule]], got 1"),
        ("", "rule = [1]", "url_hosts.toml: rule must be tables, written [[rule]], got [1]"),
        (
            "",
            "[[rule]]\nignore = ['a']",
            "url_hosts.toml: rule[0].hosts must name at least one host",
        ),
        ("", "[[rule]]\nhosts = ['a']", "url_hosts.toml: rule[0] must have ignore, keep or index"),
        ("", "[[rule]]\nhosts = ['A']\nkeep = ['a']", "hosts must be lower case, without scheme"),
        ("", "[[rule]]\nhosts = ['http://a']\nkeep = ['a']", "scheme or port, got 'http://a'"),
        ("", "[[rule]]\nhosts = ['a']\nonly = ['a']", "rule[0].only is not a known key"),
        (
            "",
            "[[rule]]\nhosts = ['a']\nignore = ['a']\nkeep = ['a']",
            "rule[0].keep must not be ignored by the same rule, got 'a'",
        ),
        (
            "",
            "[[rule]]\nhosts = ['a']\npaths = ['/a']\nkeep = ['a']",
            "rule[0].paths can only limit ignore, not keep or index",
        ),
    ],
)
def test_the_error_of_a_wrong_rule_names_file_key_rule_and_value(
    common: str, hosts: str, message: str
) -> None:
    with pytest.raises(ConfigurationError) as error:
        UrlRules(common, hosts)
    assert message in str(error.value)
