"""Names in by-lines: of persons, of media, and strings that only look like names."""

from __future__ import annotations

import re

_MAX_AUTHOR = 40
_MAX_SOURCE = 30
_MAX_PEOPLE = 8
_MAX_PEN_NAME = 20
# Characters of a stated value that are read (a guess: the rest is not a name).
_MAX_VALUE = 200
_RANK = re.compile(r"[\u4e00-\u9fff]{4}(?:教授|研究员|主任|部长|院长|博士|会长|秘书长|编辑|主编)$")

_MEDIUM = re.compile(
    r"(?:网|網|报|報|社|台|臺|刊|杂志|雜誌|频道|頻道|客户端|新闻|新聞|在线|在線|日报|快讯|通讯|央视|财经|之声|网络版|商讯|政务|号|视频|电视|广播"
    r"|传媒|媒体|网络|网站|論壇|论坛|中心|集团|公司|局|厅|委|部门|办公室|政府|学会|协会|联合会|大学|学院|出版社|发布|科技"
    r"|\.(?:com|cn|net|org|tw|hk)|News|Times|Daily|Press|Post)$"
    r"|^(?:新华|人民|央视|新浪|搜狐|网易|腾讯|凤凰|澎湃|中新|参考消息|国际在线|百度)",
    re.IGNORECASE,
)
# Media by their names alone: 举报 and 社会新闻 are buttons and channels.
_NEWS_MEDIUM = re.compile(
    r"[\u4e00-\u9fff]{1,10}(?:(?<![举舉海简簡通月年预預汇彙])[报報]|[网網]|(?<!服务)(?<!办事)(?<!政务)(?<!客服)在[线線]|通[讯訊]社|[电電][视視]?[台臺]|杂志|雜誌|[周週]刊|客户端)"
    r"|[新中][华央新華]社|[A-Z][A-Za-z ]{2,20}(?:\.com| (?:Daily|News|Times|Post|Press))|Xinhua|CGTN"
)
# The most common surnames, which cover more than 90 % of Chinese names.
_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁"
    "任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴"
    "莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪"
    "梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简"
    "车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄"
    "丛仲虞敖巩明佘池查麻苑迟邝官封谈匡鞠惠荆乐冀郁胥南班储原栗燕楚鄢劳谌奚皮粟冼蔺楼盘满闻位厉伊仝区"
    "郜海阚花权强帅屠豆朴盖练廉張劉陳楊黃趙吳孫馬鄭謝許韓馮鄧蔣葉蘇呂盧鍾譚陸賈韋鄒閻龍賀顧龔萬錢嚴湯"
    "溫喬龐顏莊聶魯歐關蘭紀畢單駱藍遊闕賴簡連麥羅"
)
#: Surnames of two characters.
COMPOUND_SURNAMES = (
    "欧阳",
    "上官",
    "司马",
    "诸葛",
    "司徒",
    "东方",
    "皇甫",
    "尉迟",
    "慕容",
    "令狐",
    "歐陽",
    "司馬",
    "諸葛",
)
# Words that follow labels but are not names.
# fmt: off
_NOT_NAMES = frozenset((
    "须知", "最新", "推荐", "观察", "文章", "简介", "声明", "本人", "主页", "专栏", "手记",
    "原创", "佚名", "未知", "匿名", "管理员", "网友", "网络", "本站", "本网", "本报", "转载",
    "互联网", "本条目", "不详", "暂无", "admin", "administrator", "unknown", "none", "null",
    "undefined", "root", "webmaster", "editor", "系统管理员", "超级管理员", "网站管理员", "网络转载", "综合",
    "标题", "日期", "时间", "发布时间", "发布日期", "点击", "点击数", "点击次数", "浏览", "浏览次数", "阅读次数",
    "来源", "作者", "编辑", "记者", "通讯员", "实习生", "报道", "报导", "查看", "更多", "关注",
    "简历", "权益", "投稿", "观点", "立场", "所有", "授权", "自行", "表示", "获悉", "了解",
    "近日", "采访", "从", "在", "楼主", "樓主", "沙发", "沙發", "板凳", "地板",
    "万元", "万吨", "万人", "our", "the", "staff", "staff reports",
    "编辑部", "編輯部",
    "周一", "周二", "周三", "周四", "周五", "周六", "周日", "周末",
))
# fmt: on
#: Bars behind labels, for use in a class of characters: those of input methods and of drawn boxes, too (文丨张三).
_LIKE_BARS = "丨︱∣│┃"
BARS = f"|｜{_LIKE_BARS}"
_NOISE = re.compile(
    rf"^[\s\[【（(《@·:：|{_LIKE_BARS}/、,，.\-—_]+|[\s\]】）)》·:：|{_LIKE_BARS}/、,，.\-—_]+$"
)
_CUT = re.compile(
    # The next label, whatever it is: 方敏 录入：admin, 中国政府网 留言条数：2.
    rf"\s[\u4e00-\u9fff]{{2,5}}\s?[:：](?!\d)|[{BARS}【】"
    r"\[\]{}<>;；。！？!?\ue000-\uf8ff]|\s[-—]\s|[（(）)]|\d{4}\s?[年\-/.]|\d{1,2}:\d\d|\d{1,2}月\d{1,2}日"
    r"|参与互动|返回|查看|我要|分享|字[号體体]|浏览|阅读|点击|打印|收藏|评论|手机|扫一扫|转载|微信|责任|编辑(?!部)|(?<![\u4e00-\u9fff]{2})发布|发布(?=[时時日于者]|人[\s:：])|："
)
_SPLIT = re.compile(r"[\s、,，/&和]+")
_HAN = re.compile(r"[\u3400-\u9fff]+(?:·[\u3400-\u9fff]+)*+")
_DOMAIN = re.compile(
    r"(?:https?://)?(?:www\.)?((?:[a-z0-9-]{1,40}\.){1,4}(?:com|cn|net|org|tw|hk|gov|edu|info|cc))(?=$|[/\s:\d])",
    re.IGNORECASE,
)
_CODE = re.compile(r"^[A-Z]{0,4}[_\s]?\d+$|^\d|https?:|www\.|=|\"|@.+\.")


# Raised numbers, letters and marks behind the names of a paper's authors: 张三¹,²，李四²*; 张三1,2，李四2*.
_NOTE = r"(?:[¹²³⁰⁴-⁹*＊∗†‡§✉]|\d{1,2}(?![\d\u4e00-\u9fff])|[a-g](?![A-Za-z]))"
_NOTES = re.compile(rf"(?<=[\u4e00-\u9fff]{{2}})\s?{_NOTE}(?:[\s,，]{{0,2}}{_NOTE})*+")
# The notes of one name before the next, without a mark between: 郭志远¹林嘉琪².
_BETWEEN_NAMES = re.compile(rf"{_NOTES.pattern}(?=[\u4e00-\u9fff])")
# Marks that no counter has.
_RAISED = re.compile("[¹²³⁰⁴-⁹*＊∗†‡§✉]")


def without_notes(text: str) -> str:
    """Return names without the marks that lead to affiliations; a text with a number alone as it is.

    >>> without_notes("郭志远¹,²，林嘉琪²*"), without_notes("罗一鸣1，段晓燕1,2，*"), without_notes("方案1")
    ('郭志远，林嘉琪', '罗一鸣，段晓燕', '方案1')
    >>> without_notes("郭志远¹林嘉琪²")
    '郭志远，林嘉琪'
    """
    found = _NOTES.findall(text)
    if len(found) <= 1 and not any(map(_RAISED.search, found)):
        return text
    return _NOTES.sub("", _BETWEEN_NAMES.sub(r"\g<0>，", text))


def is_medium(name: str) -> bool:
    """Return whether a name is that of a medium, an office or a site rather than of a person."""
    return _MEDIUM.search(name.strip()) is not None


def is_news_medium(name: str) -> bool:
    """Return whether a text is the name of a newspaper, an agency, a station or the like, without any label.

    >>> is_news_medium("侨乡晚报"), is_news_medium("China Daily"), is_news_medium("举报")
    (True, True, False)
    """
    return _NEWS_MEDIUM.fullmatch(name) is not None


def is_no_name(name: str) -> bool:
    """Return whether a text stands where names do, but is none: admin, 本站."""
    return name.lower() in _NOT_NAMES


def people(text: str) -> str | None:
    """Return the Chinese personal names of a text, joined by spaces; None if it contains more.

    Two single characters are one spaced name: 方 敏. The first character must be a common surname,
    except in names with a middle dot.

    >>> people("王乐文 方 敏"), people("从县里了解到")
    ('王乐文 方敏', None)
    """
    parts = [part for part in _SPLIT.split(text.strip()) if part]
    names: list[str] = []
    for part in parts[: 2 * _MAX_PEOPLE]:
        if names and len(names[-1]) == 1 and len(part) == 1:
            names[-1] += part
        else:
            names.append(part)
    if not names or len(names) > _MAX_PEOPLE:
        return None
    return " ".join(names) if all(map(_is_person, names)) else None


def _is_person(name: str) -> bool:
    if not _HAN.fullmatch(name) or name in _NOT_NAMES:
        return False
    if "·" in name:
        return 3 <= len(name) <= 14 and not is_medium(name)
    if name.startswith(COMPOUND_SURNAMES):
        return 3 <= len(name) <= 4
    return 2 <= len(name) <= 3 and name[0] in _SURNAMES and not is_medium(name)


# Counters follow names, sometimes without a space: 方敏491人参与, 方敏 阅读 12.
_COUNTED = re.compile(
    r"\d++\s*+(?:人|次|条|條|评论|評論|阅读|閱讀|浏览|瀏覽)|(?:阅读|閱讀|浏览|瀏覽|点击|點擊|评论|評論)\s*[:：]?\s*\d"
)


# The position of a name before it, and what follows it: 本报记者 方敏 通讯员 霍琦, 特约评论员方敏.
_POSITION = re.compile(
    r"^[\w《》·]{0,16}?(?:记者|記者|评论员|評論員|撰稿人?|通讯员|通訊員|实习生|實習生)[\s:：]{0,3}(?=[\u4e00-\u9fff])"
)
_NEXT_POSITION = re.compile(
    r"\s(?:[见實实]习)?(?:记者|記者|通讯员|通訊員|实习生|實習生|摄影|攝影|编辑|編輯)"
)


def behind_position(value: str) -> str | None:
    """Return the persons between two positions, or behind one, None if there are none.

    >>> behind_position("記者許君達"), behind_position("本报记者 方敏 通讯员 霍琦"), behind_position("方敏")
    ('許君達', '方敏', None)
    """
    given = _NEXT_POSITION.split(_POSITION.sub("", value, count=1), maxsplit=1)[0]
    return people(_trim(given)) if given != value else None


def clean_author(value: str) -> str | None:
    """Return a labeled author or editor without additions and position, None if it is not a name.

    >>> clean_author("霍琦 SF099"), clean_author("admin"), clean_author("105092")
    ('霍琦', None, None)
    >>> clean_author("方敏491人参与"), clean_author("本报特约评论员 方敏")
    ('方敏', '方敏')
    """
    value = without_notes(_COUNTED.split(value[:_MAX_VALUE], maxsplit=1)[0])
    if persons := behind_position(value):
        return persons
    value = _trim(value)
    if not value or len(value) > _MAX_AUTHOR or _CODE.search(value):
        return None
    parts = [part for part in _SPLIT.split(value) if part and not _CODE.search(part)]
    names = people(" ".join(parts))
    if names is None:
        if parts and all(_HAN.fullmatch(part) and 2 <= len(part) <= 4 for part in parts):
            names = " ".join(parts)
        elif parts and _HAN.fullmatch(parts[0]):
            # A pen name or an office; the rest may be anything.
            names = parts[0] if _RANK.search(parts[0]) is None else None
        elif not any(map(_HAN.search, parts[1:])):
            names = " ".join(parts[:4])
        if names is not None and len(names) > _MAX_PEN_NAME and _HAN.search(names):
            names = None
    if not names or names.lower() in _NOT_NAMES or not any(char.isalpha() for char in names):
        return None
    return names if len(names) > 1 else None


def clean_source(value: str) -> str | None:
    """Return a labeled source without brackets and the rest of the line, None if it is not a name.

    >>> clean_source("[ 人民网 ]"), clean_source("求是网参与互动"), clean_source("size=\\"20\\"")
    ('人民网', '求是网', None)
    """
    domain = _DOMAIN.match(value.strip())
    if domain is not None:
        return domain.group(1).lower()
    value = _trim(value)
    first, _, rest = value.partition(" ")
    if rest and (_HAN.search(first) or is_medium(first)):
        value = first
    if not 2 <= len(value) <= _MAX_SOURCE or _CODE.search(value) or "，" in value:
        return None
    if value.lower() in _NOT_NAMES and value not in {"转载", "综合", "网络"}:
        return None
    return value if any(char.isalpha() for char in value) else None


def _trim(value: str) -> str:
    value = _NOISE.sub("", " ".join(value[:_MAX_VALUE].split()))
    cut = _CUT.search(value)
    if cut is not None:
        value = value[: cut.start()]
    return _NOISE.sub("", value)
