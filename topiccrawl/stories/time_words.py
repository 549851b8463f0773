"""Words of Chinese time expressions, and the pattern of a date with its time of day."""

from __future__ import annotations

import re
from typing import Final

#: Years from that of publication.
YEARS: Final = {
    "今年": 0, "本年": 0, "本年度": 0, "去年": -1, "上年": -1, "上一年": -1, "前年": -2, "大前年": -3,
    "明年": 1, "来年": 1, "后年": 2,
}  # fmt: skip
#: Months from that of publication.
MONTHS: Final = {
    "本月": 0, "这个月": 0, "上月": -1, "上个月": -1, "上上月": -2, "上上个月": -2, "下月": 1, "下个月": 1,
}  # fmt: skip
#: Days from that of publication.
DAYS: Final = {
    "今天": 0, "今日": 0, "今": 0, "昨天": -1, "昨日": -1, "昨": -1, "前天": -2, "前日": -2, "大前天": -3,
    "明天": 1, "明日": 1, "明": 1, "后天": 2, "后日": 2, "大后天": 3,
}  # fmt: skip
#: Weeks from that of publication; 周三 alone is the last one.
WEEKS: Final = {
    "上上": -2,
    "上": -1,
    "本": 0,
    "这": 0,
    "这个": 0,
    "上个": -1,
    "下": 1,
    "下个": 1,
    "下下": 2,
}
WEEKDAYS: Final = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5}
#: Hours of the parts of a day, as newspapers use them (a choice: 下午 and 晚 overlap in use).
PARTS: Final = {
    "凌晨": (0, 6), "清晨": (5, 8), "早晨": (5, 9), "早上": (5, 9), "晨": (5, 9), "早": (5, 9), "上午": (6, 12),
    "中午": (11, 14), "午间": (11, 14), "正午": (12, 13), "午后": (12, 18), "下午": (12, 18), "傍晚": (17, 20),
    "晚上": (18, 24), "晚间": (18, 24), "夜间": (18, 24), "当晚": (18, 24), "晚": (18, 24), "夜": (18, 24),
    "深夜": (21, 24), "夜里": (18, 24), "午夜": (0, 1), "白天": (6, 18),
}  # fmt: skip
#: Months of parts of a year, first and last (a choice for 初, 中 and 底).
YEAR_PARTS: Final = {
    "初": (1, 2), "年初": (1, 2), "中": (6, 7), "年中": (6, 7), "底": (11, 12), "末": (11, 12), "年底": (11, 12),
    "年末": (11, 12), "上半年": (1, 6), "下半年": (7, 12), "春": (3, 5), "夏": (6, 8), "秋": (9, 11), "冬": (12, 14),
    "全年": (1, 12),
}  # fmt: skip
#: Days of parts of a month, first and last.
MONTH_PARTS: Final = {
    "初": (1, 10), "月初": (1, 10), "上旬": (1, 10), "中": (11, 20), "月中": (11, 20), "中旬": (11, 20),
    "底": (21, 31), "末": (21, 31), "月底": (21, 31), "月末": (21, 31), "下旬": (21, 31), "中下旬": (11, 31),
    "中上旬": (1, 20), "上中旬": (1, 20),
}  # fmt: skip
#: Holidays with a date of the solar calendar: month, day, days.
HOLIDAYS: Final = {
    "元旦": (1, 1, 1), "妇女节": (3, 8, 1), "五一": (5, 1, 5), "劳动节": (5, 1, 1), "五四": (5, 4, 1),
    "儿童节": (6, 1, 1), "建党节": (7, 1, 1), "建军节": (8, 1, 1), "教师节": (9, 10, 1), "国庆": (10, 1, 7),
    "圣诞节": (12, 25, 1), "平安夜": (12, 24, 1), "双十一": (11, 11, 1),
}  # fmt: skip
#: Before a time that is still to come, in the same clause; the text is normalized.
FUTURE: Final = re.compile(
    r"(?:将|拟|定于|计划|预计|即将|预定|有望|将会|开幕在即|等待)[^,。;\d]{0,6}$"
)

_N: Final = r"(?:\d{1,2}|[廿卅][一二三四五六七八九]?|[一二三四五六七八九十]{1,3})"
_PART: Final = "|".join(sorted(PARTS, key=len, reverse=True))
#: A time of day.
CLOCK: Final = (
    rf"(?P<hour>{_N})\s?(?:(?::|：)(?P<m1>[0-5]\d)(?:[:：][0-5]\d)?"
    rf"|[时点](?:(?P<m2>{_N})分?(?:{_N}秒)?|(?P<half>半)|整|许|左右|多)?(?!钟前|间|候|评|击|赞))"
)


def _any(words: dict[str, int] | dict[str, tuple[int, int]]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_YEAR: Final = (
    rf"(?:(?:公元)?(?P<year>(?:1[0-9]|20)\d\d|[一二][〇零○一二三四五六七八九]{{3}})\s?年|民国(?P<roc>\d{{2,3}})\s?年"
    rf"|(?P<ryear>{_any(YEARS)})|(?P<ayear>当年|同年|次年|翌年))"
)
_SEASON: Final = (
    r"(?P<season>上半年|下半年|年初|年中|年底|年末|全年|[初底末](?![步期次级中任代婚恋夏冬秋春])"
    r"|[春夏秋冬](?:[季天]|(?=[,。以来])))"
)
_QUARTER: Final = r"(?:(?P<quarter>第?[一二三四1-4])季度?(?:度)?|(?P<quarters>前[二三23两]季度?))"
_MONTH: Final = (
    rf"(?:(?P<month>{_N})\s?月(?:份)?|(?P<rmonth>{_any(MONTHS)})(?:份)?|(?P<amonth>当月|同月|次月))"
)
_MONTH_PART: Final = (
    r"(?P<third>(?:中下|中上|上中|[上中下])旬|月?[初中底末](?![国央间心学期小步级任代断年华信]))"
)
_WHOLE_DAYS: Final = "|".join(k for k in sorted(DAYS, key=len, reverse=True) if len(k) > 1)
_DAY: Final = (
    rf"(?:(?P<day>{_N})\s?(?P<dayword>[日号])|(?P<rday>{_WHOLE_DAYS})"
    r"|(?P<aday>当天|当日|同日|同一天|次日|翌日|第二天))"
)
_WEEK: Final = (
    r"(?P<weeks>上上|上个|下个|这个|下下|[本这上下])?(?:周|星期|礼拜)"
    r"(?P<weekday>[一二三四五六日天末](?![期年岁]))?"
)
#: A date of any precision with an optional time of day.
DATE: Final = re.compile(
    rf"(?:(?P<local>当地时间|(?:北京|美东|格林尼治|东京|莫斯科|伦敦|纽约)时间)\s?)?"
    rf"(?:{_YEAR}\s?(?:的)?)?(?:{_QUARTER}|{_SEASON}|(?:{_MONTH}\s?)?(?:{_MONTH_PART}|{_DAY})?)"
    rf"(?:[（(]?(?:周|星期)[一二三四五六日天][）)]?)?"
    rf"(?:\s?(?P<part>{_PART}))?(?:\s?{CLOCK})?"
)
WEEK: Final = re.compile(rf"{_WEEK}(?:\s?(?P<part>{_PART}))?(?:\s?{CLOCK})?")
#: 今晚, 昨夜, 今晨: day and part in one word.
NIGHT: Final = re.compile(
    rf"(?P<rday>[今昨明前])(?P<part>[晚夜早晨])(?!报(?![道导]))上?(?:\s?{CLOCK})?"
)
AGO: Final = re.compile(
    r"(?P<near>近|过去|最近|此前|未来|今后|近来)?(?P<count>\d{1,4}|[一二两三四五六七八九十半几数]{1,3})\s?多?个?"
    r"(?P<unit>秒钟?|分钟|小时|钟头|天|日|周|星期|礼拜|月|季度|年)(?:多|左右)?(?P<way>以?之?前|以?之?后|来|内|以来|里)?"
)
_HOLIDAYS: Final = "|".join(sorted(HOLIDAYS, key=len, reverse=True))
HOLIDAY: Final = re.compile(
    rf"(?:{_YEAR}\s?)?(?P<holiday>{_HOLIDAYS})(?:节)?(?:假期|黄金周|期间|长假|当天)?"
)
#: Holidays with a date of the lunar calendar: month, day, days.
LUNAR_HOLIDAYS: Final = {
    "除夕": (1, 0, 1), "春节": (1, 1, 7), "大年初一": (1, 1, 1), "元宵": (1, 15, 1), "端午": (5, 5, 1),
    "七夕": (7, 7, 1), "中元": (7, 15, 1), "中秋": (8, 15, 1), "重阳": (9, 9, 1), "腊八": (12, 8, 1),
}  # fmt: skip
LUNAR: Final = re.compile(
    rf"(?:{_YEAR}\s?)?(?:(?P<festival>{'|'.join(LUNAR_HOLIDAYS)})节?(?:假期|黄金周|期间|长假|当天|前夕)?"
    r"|(?:农历|阴历|旧历|夏历)(?P<lunar_month>正|冬|腊|[一二三四五六七八九十]{1,2})月(?P<lunar_day>初[一二三四五六七八九十]"
    r"|[廿卅一二三四五六七八九十]{1,3})日?)"
)
#: 2026-03-04 and the like.
NUMERIC: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-/.](1[0-2]|0?[1-9])[-/.]([12]\d|3[01]|0?[1-9])(?!\d)"
)
DECADE: Final = re.compile(
    r"(?:(?P<century>上|本|\d{2}|[一二][十〇一九]*)\s?世纪)(?P<decade>\d0|[二三四五六七八九]十)年代(?P<third>[初中末]期?)?"
)
VAGUE: Final = re.compile(
    r"日前|近日|近期|日来|连日来?|最近(?![一二两三几数\d])|近来|不久前|前不久|前些天|前几天|这几天|近几天|近段时间|前段时间"
)
RANGE: Final = re.compile(r"^\s?(?:至|到|[-—–~～－]{1,2}|—|以及|和|、)\s?(?:次日)?$")
BETWEEN: Final = re.compile(r"(?<![\d:.])(\d{1,4})\s?([-—–~～至到]{1,2})\s?(\d{1,4})\s?(年|月|日)")
#: What follows a number of days that is a duration or a name: 3日游, 5日内.
NOT_A_DAY: Final = re.compile(
    r"^(?:游|内|后|前|间|均|元|报|本|线|子|常|渐|益|夜|以来|之|刊|历|程|行|薪|租|耗|产|增|志|语|籍|企|军|化|用|楼|院|馆|厅|门|文|令|机|舱|公告)"
)
#: What stands before a number of days; after a month, the date as a whole was none: 2025年2月29日.
NOT_BEFORE_A_DAY: Final = re.compile(
    r"(?:第|连续|为期|历时|每|近|过|达|共|满|约|周|星期|整整|月份?|[\d.．/第])\s?$"
)
