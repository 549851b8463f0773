"""Meanings of the parts of a link score and of a judgment, in Chinese and English."""

from __future__ import annotations

#: Meaning of each part by its name, which :mod:`topiccrawl.scoring` gives it.
PARTS: dict[str, tuple[str, str]] = {
    "sitemap": ("网站地图中的标题、网址与日期", "words and date of its entry in a sitemap"),
    "feed": ("订阅源中的标题、网址与日期", "words and date of its entry in a feed"),
    "pager": ("列表后续页网址中的主题词", "words of the address of a further page of a list"),
    "archive": ("按日期推得的网址中的主题词", "words of the address of another day's issue"),
    "uh": ("网址中的主题词", "topic words in the URL (UH, thesis 4.1)"),
    "teh": ("链接文字中的主题词", "topic words in the link text (TeH, 4.2)"),
    "tih": ("链接 title 中的主题词", "topic words in the link's title (TiH, 4.3)"),
    "rw": (
        "链接自身元数据的权值，低于阈值记 0",
        "the link's own metadata, 0 below the threshold (4.5)",
    ),
    "relevance": ("链接自身元数据的相关度", "relevance of the link's own metadata, no threshold"),
    "background": ("所在页面文字的相关权值", "B: text of the page that holds the link (4.6)"),
    "rwb": (
        "自身元数据，不足时看背景，再不足凭随机",
        "own metadata, else the background, else a small chance (4.6)",
    ),
    "pagerank": ("PageRank 值", "PageRank (4.7, 4.8)"),
    "ipagerank": (
        "按权值传递的 IPageRank 值",
        "IPageRank: rank handed on in proportion to RW or RWB (9.4, 9.5)",
    ),
    "metadata": (
        "链接自身元数据的相关度（最好的来源页面）",
        "relevance of the link's own metadata, on the page where it is highest (R, 4.5)",
    ),
    "parents": (
        "指向它的各页面的平均相关度，与优秀页面之比",
        "mean relevance of the pages that show the link, over that of the best pages",
    ),
    "graph": (
        "IPageRank 在队列中的名次，1 为最高",
        "place of its IPageRank among the queued links, 1 at the top",
    ),
    "prior": ("起点（对数几率）", "where every link starts, in log-odds (adaptive)"),
    "sources": (
        "指向它的各页面的价值（对数几率）",
        "value of the pages that show the link, in log-odds (adaptive)",
    ),
    "rank": (
        "IPageRank-RWB 在队列中的名次（对数几率）",
        "place by IPageRank-RWB among the queued links, in log-odds (adaptive)",
    ),
    "words": (
        "链接元数据和网址中的主题词（对数几率）",
        "topic words in the link's metadata and in its URL, in log-odds (adaptive)",
    ),
    "text": (
        "链接文字及其上下文（对数几率）",
        "link text and the text around it, in log-odds (adaptive)",
    ),
    "learned": (
        "学到的特征：词、网址、位置（对数几率）",
        "learned features: words, address, place on the page, in log-odds (adaptive)",
    ),
    "meaning": (
        "链接文字的语义与已找到的网页相近（对数几率）",
        "meaning of the link text, compared with the pages found, in log-odds (adaptive)",
    ),
    "exploration": (
        "探索加分：久无所获时先看没见过的主机（对数几率）",
        "bonus for a host not seen yet, while the crawl finds nothing, in log-odds (adaptive)",
    ),
    "seed": ("种子网址", "a seed of the topic"),
    "parent": ("来源页面的相关度", "relevance of the page that holds the link"),
    "inherited": ("从来源页面继承的得分", "inherited from the page that holds the link"),
    "anchor": (
        "链接文字中离主题最近的词",
        "the words of the link text nearest to the topic (M_k, document 002)",
    ),
    "address": ("网址中离主题最近的词", "the same of the words in the URL"),
    "page": (
        "来源页面的语义相似度",
        "semantic similarity of the page that holds the link (document 002)",
    ),
    "authority": (
        "只算 SVM 接受的页面的 HITS 权威值",
        "HITS authority over the pages that the SVM accepts",
    ),
    "estimate": (
        "智能体对链接的估计，-1 到 1",
        "what the agent that owns the link expects of it, -1 to 1 (InfoSpiders)",
    ),
    "energy": (
        "该智能体的能量，0 以下为死亡",
        "energy of that agent; it is dead below 0 (InfoSpiders)",
    ),
    "neighbourhood": (
        "链接文字及其上下文的得分",
        "link text and the text around it (Shark-Search)",
    ),
}

#: Meaning of each part of the page classifier's judgment, in the order in which they are shown
#: (docs/laboratory/judge.md).
JUDGMENT_PARTS: dict[str, tuple[str, str]] = {
    "words": (
        "仅凭主题词的概率",
        "probability by the topic's words alone, from the relevance below and the title",
    ),
    "text": ("正文用词（对数几率）", "learned terms of its text, in log-odds"),
    "links": (
        "与它相互链接的页面（对数几率）",
        "pages it links to or that link to it, in log-odds",
    ),
    "place": ("网站、目录与频道（对数几率）", "its site, folders and channels, in log-odds"),
    "constant": (
        "常数：以上三项与它之和大于零，则学得的概率大于 1/2",
        "where every page starts: if the sum with the three above is positive, the learned "
        "probability is over 1/2",
    ),
    "meaning": (
        "标题与开头的语义与主题词的接近程度（标准差数），只用于挑选学习的起点",
        "how near its title and first words are in meaning to the topic's words, in standard deviations "
        "of the crawl; only chooses what learning starts from",
    ),
}
