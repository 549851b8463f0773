"""``alerts.toml``: what is read, and what is refused with a message that has no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from topiccrawl.alerts.reader import read_alerts
from topiccrawl.alerts.rules import HealthRule, HostRule, VolumeRule, WordRule
from topiccrawl.alerts.settings import AlertSettings
from topiccrawl.errors import ConfigurationError

TOKEN = "tok-44f1"
HOOK = f"https://oapi.dingtalk.com/robot/send?access_token={TOKEN}"
ENVIRON = {"HOOK": HOOK, "PASSWORD": "geheim-7", "ODD": f"ftp://{TOKEN}"}
RULE = '[[rules]]\nname = "r"\nkind = "host"\n'


MAIL = '[[channels]]\nname = "c"\nkind = "email"\nhost = "h"\n'


def read(tmp_path: Path, text: str) -> AlertSettings:
    """Read a file with this text."""
    file = tmp_path / "alerts.toml"
    file.write_text(text, encoding="utf-8")
    return read_alerts(file, ENVIRON)


def documented() -> str:
    """The example of docs/alerts.md."""
    page = (Path(__file__).parents[2] / "docs/alerts.md").read_text(encoding="utf-8")
    return page.partition("```toml\n")[2].partition("```")[0]


def test_the_documented_example_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "dingtalk.secret"
    secret.write_text("SECabc\n")
    secret.chmod(0o600)
    file = tmp_path / "alerts.toml"
    file.write_text(documented(), encoding="utf-8")
    known = {"DESK_MAIL_PASSWORD": "x", "DESK_DINGTALK_URL": HOOK}
    settings = read_alerts(file, known)
    assert [type(it) for it in settings.rules] == [WordRule, HostRule, VolumeRule, HealthRule]
    office, group = settings.channels
    assert (office.port, office.tls, tuple(office.to)) == (465, "tls", ("duty@example.cn",))
    assert (group.secret.value, group.url.value, group.language) == ("SECabc", HOOK, "zh")
    assert TOKEN not in repr(settings)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "rules is missing"),
        (RULE + RULE, "rules[1].name occurs twice"),
        ('[[rules]]\nname = "r"\nkind = "word"', "rules[0].kind must be one of"),
        ('[[rules]]\nname = "r"\nkind = "words"', "rules[0].words is missing"),
        (RULE + 'words = ["a"]', "rules[0].words is no key of a host rule"),
        (RULE + 'channel = ["a"]', "rules[0].channel is not a known key"),
        (RULE + 'channels = ["a"]', "rules[0].channels must name [[channels]]"),
        ('[[rules]]\nname = "r"\nkind = "volume"\nleast_days = 3', "rules[0].least_days must be >= 14"),
        ('[[rules]]\nname = "r"\nkind = "volume"\nchance = 0.5', "rules[0].chance must be in"),
        ('[[rules]]\nname = "r"\nkind = "health"\nchecks = ["disc"]', "rules[0].checks must be one of"),
        (RULE + '[[channels]]\nname = "c"\nkind = "sms"', "channels[0].kind must be one of"),
        (RULE + '[[channels]]\nname = "c"\nkind = "wecom"', "channels[0].url_env or url_file is missing"),
        (RULE + f'[[channels]]\nname = "c"\nkind = "wecom"\nurl = "{HOOK}"', "channels[0].url must not be"),
        (RULE + f'[[channels]]\nname = "c"\nkind = "feishu"\nsecret = "{TOKEN}"', "channels[0].secret must not"),
        (RULE + '[[channels]]\nname = "c"\nkind = "webhook"\nurl_env = "ODD"', "must be an http or https URL"),
        (RULE + '[[channels]]\nname = "c"\nkind = "webhook"\nurl_env = "GONE"', "GONE, which is not set"),
        (RULE + '[[channels]]\nname = "a/b"\nkind = "webhook"\nurl_env = "HOOK"', "channels[0].name must have"),
        (RULE + MAIL + 'from = "a@b.cn"', "channels[0].to is missing"),
        (RULE + MAIL + 'from = "a"\nto = ["a@b.cn"]', "channels[0].from must be an address"),
        (RULE + MAIL + 'from = "a@b.cn"\nto = ["a@b.cn\\nBcc: c@d.cn"]',
         "channels[0].to must be an address"),
        (RULE + MAIL + 'tls = "none"\nuser = "u"\npassword_env = "PASSWORD"\nfrom = "a@b.cn"\nto = ["a@b.cn"]',
         "channels[0].tls must not be none"),
        ('link = "javascript:1"\n' + RULE, "link must be an http or https URL"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_without_secrets(tmp_path: Path, text: str, part: str) -> None:
    with pytest.raises(ConfigurationError) as wrong:
        read(tmp_path, text)
    assert part in str(wrong.value)
    assert "alerts.toml" in str(wrong.value)
    for secret in (TOKEN, "geheim"):
        assert secret not in str(wrong.value)


def test_sites_are_read_as_pages_have_them(tmp_path: Path) -> None:
    text = RULE.rstrip() + '\nsites = ["侨网.中国", "https://WWW.Example.cn/news/"]\n'
    [rule] = read(tmp_path, text).rules
    assert rule.takes_site("www.xn--8sqv57i.xn--fiqs8s")
    assert rule.takes_site("www.example.cn")
    assert not rule.takes_site("b.example")


def test_a_topic_is_the_same_in_either_script(tmp_path: Path) -> None:
    [rule] = read(tmp_path, RULE.rstrip() + '\ntopics = ["僑情"]\n').rules
    assert rule.takes_topic("侨情")
    assert not rule.takes_topic("茶文化")


def test_a_file_of_secrets_that_others_can_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hook").write_text(HOOK)
    (tmp_path / "hook").chmod(0o644)
    with pytest.raises(ConfigurationError, match="mode 600"):
        read(tmp_path, RULE + '[[channels]]\nname = "c"\nkind = "wecom"\nurl_file = "hook"')
