"""Plausibility of a decoded text: how common its characters are.

Chinese bytes decoded in the wrong encoding are still characters, but rare ones: GBK bytes decoded
as Big5, or UTF-8 bytes decoded as GBK, yield frequent characters only by chance. The frequency of
the characters therefore separates right from wrong encodings even for short texts.
"""

from __future__ import annotations

import re
from collections import Counter

# The 1,000 Chinese characters that occur most often in jieba 0.42.1's word list when each word
# counts with its frequency there (they are 87 % of the characters so weighted), most frequent
# first.
_FREQUENT_SIMPLIFIED = (
    "一是人了不在有大中国和为这上他个地年来我会以到时要出的生学说道民家子也成行下们于后就发自之对"
    "得主长可过天作分方用多你着部能市等业全里工公经本都而高政法面门动日进区事代那去心小同北定开产"
    "前其军还然起种所如现理机体表力好外与文当两实重新三么只山水关明从化平建又制南内西没此将员名手"
    "最东头者月间无安看见各城十相但已些正口通想度加第她合院物性战由位常点海意场武使次二向治因立数"
    "样身情入原问把路被并利石老教万知级量任江及应省资委务元美特期世湖回系比气汉总展电科金先声提品"
    "设或义王社很统处四首共马形己儿司太目基领队直计别女权话少流命至报米给打变果书清活几州华解议更"
    "称程今决张导术府才保交放管结师便走达族反再题色五京河接条规式县白它改风光运信受什组听布百济党"
    "指论强做取技黄神选记斯真却职号界件花类何眼兵传带空干农边据集联古广完质阳难增历史专官每住商即"
    "步认车台林必死游举线言皇土团收考求德叫近备研争非具李众连调感转笑革该持始英克士尔让拉思根格造"
    "较际亲单朝红型价校约器字段周亚深候则功属积快图火千准究往极育装许参半令吃观鱼精办像帝八复影告"
    "远群包整构料随划算象容示投势热值夫网望源息语股铁断派速怎需片爱律纪支早况病境证编越局推满且列"
    "觉服双未居除乐企引标确织初青志率项飞球节察龙响药站施均消客失轻存低甚般击曾防请离落显罗营足素"
    "视护副食创余照兴占巴虽洲村费易试星木黑左宝置跟央识维采六底宫房音环案批切斗富乡另倒若按查故突"
    "责严桥模仅胜杀围席态破承招杨负层须父供续状域似依银范修找九致密终血旅钱赛独细效玉冲获习医演毛"
    "尽脸弹楼艺航陆右协七攻镇检写苏宗章注阿抗弟坐验封紧劳户优财养适陈喜卫排射哥油刻留急降念云微伤"
    "例景拿绝阶座刘刚害印亿沙母酒助闻超审待压升送监策略限竟香配藏敌呢差仍兰温园树征善波哪词岛止预"
    "怕继皮执味份角草男普答益谁船惊核街夏宣掌田久著画辑奇尼剑吧谈背免孩礼材愿洋春架筑括晚乱乎讲尚"
    "良友临激刀夜室既敢邦挥昌板胡欧福港叶简苦担句岁荆贵娘守辖威宜衣帮块堂额错剧充欢够孙班呼阵销坚"
    "练脚退读测吴希宁换版异某顾曲楚典朱毒菜判救宋茶洪含顺啊鲜败货矿端兄归冷忙买险康评肉吗厂永哈沉"
    "散遗停笔假输牛洞松渐顶训录否述毕督控丰献姑忽爷互亮纳襄登咱钟伯臣雄季脑介鄂召饭暗扩祖齐短烈赶"
    "牌恩诉移诗础露届蒙静喝盘卖植授伊湾博痛减穿逐秘庭陵固禁票灵杂姓泽吸侧庆妈遇追甲馆补唐炮沿殿刺"
    "怪彩俄旧警索岸轮妇载靠附毫怀软骨探雷旁罪枪牙迎序慢盛雨墙恶谷顿危稳熟"
)
# Their variants in traditional, Taiwan and Hong Kong spelling by OpenCC 1.4, and a few characters
# of Cantonese.
_FREQUENT_TRADITIONAL = (
    "國爲為這個來會時學說説們於後發對長過業裏裡經門動進區開產軍還種現機體與當兩實麼關從內沒將員東"
    "頭間無見戰點場數樣問並萬級應資務氣漢總電聲設義統處馬兒領隊計別權話報給變書幾華議稱決張導術結"
    "師達題條規縣風運組聽濟黨論強黃選記卻職號類傳帶幹農邊據聯廣質陽難歷專認車臺遊舉線團備爭衆眾連"
    "調轉該爾讓較際親單紅價約亞則屬積圖準極裝許參喫觀魚辦復遠羣構隨劃勢熱網語鐵斷愛紀況證編滿覺雙"
    "樂標確織項飛節龍響藥輕擊請離顯羅營視護創餘興佔雖費試寶識維採宮環鬥鄉責嚴橋僅勝殺圍態楊負層須"
    "續狀銀範終錢賽獨細衝獲習醫盡臉彈樓藝陸協鎮檢寫蘇驗緊勞戶優財養適陳衛衞雲傷絕階劉剛億聞審壓監"
    "敵蘭溫園樹徵詞島預繼執誰驚畫輯劍談禮願築亂講臨揮歐葉簡擔歲荊貴轄幫塊額錯劇歡夠孫陣銷堅練腳讀"
    "測吳寧換異顧順鮮敗貨礦歸買險評嗎廠遺筆輸漸頂訓錄畢豐獻爺納鍾腦飯擴齊趕訴詩礎屆靜盤賣灣減祕靈"
    "雜澤側慶媽館補舊輪婦載懷軟槍牆惡頓穩祇乾係嘅喺咗佢哋"
)


def _rows(encoding: str, first: int, last: int) -> str:
    """Return all characters in rows ``first`` to ``last`` of a two-byte encoding."""
    trails = [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
    table = bytes(b for lead in range(first, last + 1) for trail in trails for b in (lead, trail))
    return table.decode(encoding, "ignore")


# Weights of characters by range: 1 for characters of correctly decoded text, 0 for neutral ones,
# negative for those that appear only in the wrong encoding. Guesses, checked by
# tests/page/test_decode.py.
_FREQUENT = 1.0
_LEVEL_ONE = 0.35
_RARE_HAN = -0.2
_RANGES: tuple[tuple[int, int, float], ...] = (
    (0x0080, 0x009F, -2.0),  # C1 controls: not in any text
    (0x00A0, 0x024F, -0.6),  # Latin letters in runs; single ones are credited by _LONE_LATIN
    (0x0370, 0x03FF, 0.3),  # Greek
    (0x0400, 0x042F, 0.0),  # Cyrillic capitals: frequent in wrongly decoded text
    (0x0430, 0x045F, 0.6),  # Cyrillic small letters
    (0x0590, 0x06FF, 0.6),  # Hebrew, Arabic
    (0x0E00, 0x0E7F, 0.6),  # Thai
    (0x2014, 0x2026, 1.0),  # dashes, quotation marks, ellipsis
    (0x2000, 0x2BFF, 0.1),  # other signs
    (0x3000, 0x301F, 1.0),  # CJK punctuation
    (0x3020, 0x303F, 0.1),
    (0x3040, 0x30FF, 0.3),  # kana: Big5 decoded as GBK falls into these rows
    (0x3100, 0x33FF, 0.1),
    (0x3400, 0x4DBF, -0.5),  # Han extension A
    (0x4E00, 0x9FFF, _RARE_HAN),
    (0xAC00, 0xD7A3, 0.6),  # Hangul
    (0xD800, 0xDFFF, -3.0),  # lone surrogates
    (0xE000, 0xF8FF, -1.5),  # private use
    (0xFF01, 0xFF5E, 1.0),  # full-width forms
    (0xFF61, 0xFF9F, -0.7),  # half-width katakana
    (0xFFFD, 0xFFFD, -3.0),  # undecodable bytes
    (0x1F000, 0x1FAFF, 0.6),  # emoji
    (0x20000, 0x3FFFF, -0.3),  # Han beyond the first plane
)
_LONE_LATIN_CREDIT = 1.4  # lifts -0.6 to +0.8
# An accented letter or typographic sign between ASCII characters, as in European languages.
_LONE_LATIN = re.compile(r"(?<![^\x00-\x7f])[\u00a0-\u024f](?![^\x00-\x7f])")


class _Weights(dict[str, float]):
    """Weights of characters, computed at their first use."""

    def __missing__(self, char: str) -> float:
        code = ord(char)
        weight = 0.0
        for first, last, value in _RANGES:
            if first <= code <= last:
                weight = value
                break
        if code <= 0xFFFF:  # a page can hold a million others
            self[char] = weight
        return weight


_WEIGHTS = _Weights()
_WEIGHTS.update(dict.fromkeys(_rows("gb2312", 0xB0, 0xD7), _LEVEL_ONE))
_WEIGHTS.update(dict.fromkeys(_rows("big5", 0xA4, 0xC6), _LEVEL_ONE))
_WEIGHTS.update(dict.fromkeys(_FREQUENT_SIMPLIFIED + _FREQUENT_TRADITIONAL, _FREQUENT))


def weigh_characters(text: str) -> tuple[float, int]:
    """Weigh the non-ASCII characters of a text by how common they are.

    The plausibility of a text is the mean weight, ``total / count``: about 0.9 for Chinese decoded
    in its own encoding, under 0.4 for Chinese decoded in another one.

    Parameters
    ----------
    text : str
        Decoded text of any length.

    Returns
    -------
    total : float
        Sum of the weights, at most ``count``.
    count : int
        Number of non-ASCII characters.

    Examples
    --------
    >>> total, count = weigh_characters("\u4eca\u5929\u7684\u65b0\u95fb\uff0c")
    >>> total / count
    1.0
    """
    total, count = 0.0, 0
    for char, times in Counter(text).items():
        if char > "\x7f":
            total += _WEIGHTS[char] * times
            count += times
    if count:
        total += _LONE_LATIN_CREDIT * len(_LONE_LATIN.findall(text))
    return total, count
