"""Settings of the topic and of link scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Choice, Flag, Integer, Number, Text
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.ipagerank import Teleport
from topiccrawl.scoring.metadata import RwbMode
from topiccrawl.urls.scope import check_patterns

TeleportChoice = Literal["auto", "relevance", "constant"]

_STRATEGY = StrategyConfig()


@dataclass(frozen=True, kw_only=True)
class TopicSettings(Section):
    """Settings of the topic."""

    title = "Topic 主题"

    topic: str = setting(
        "TOPIC",
        "",
        Text(),
        en="Topic of spiders other than `topic`: a name, an alias or a folder. The topic spider "
        "takes `-a topic=…` instead. A spider without a topic runs as if the add-on was not installed.",
        zh="供其他爬虫使用的主题（名称、别名或目录）；topic 爬虫用 -a topic=… 指定。没有主题的爬虫不使用本插件。",
    )
    allow: str = setting(
        "ALLOW",
        "",
        Text(check_patterns, "URL patterns"),
        en="Keep to the URLs that match one of these patterns ([urls.md](urls.md#scope)), in place of "
        "the topic's `allow`; empty: the topic's. The topic spider takes `-a allow=…` as well.",
        zh="只抓取匹配这些模式的地址（主机、主机/路径前缀、*），取代主题中的 allow；也可用 -a allow=…。",
    )
    deny: str = setting(
        "DENY",
        "",
        Text(check_patterns, "URL patterns"),
        en="Leave out the URLs that match one of these patterns, besides the topic's `deny`. The "
        "topic spider takes `-a deny=…` as well.",
        zh="不抓取匹配这些模式的地址，与主题中的 deny 合并；也可用 -a deny=…。",
    )
    seed: int = setting(
        "SEED",
        1,
        Integer(),
        en="Seed of all random draws. The same seed, the same web and `CONCURRENT_REQUESTS=1` "
        "give the same order.",
        zh="随机种子：同一种子、同一网络，抓取顺序相同（并发为 1 时）。",
    )


@dataclass(frozen=True, kw_only=True)
class LinkSettings(Section):
    """Settings of link scores and of the links that are followed."""

    title = "Link scores 链接评分"

    strategy: str = setting(
        "STRATEGY",
        "adaptive",
        # Checked where the strategy is built, which needs the topic's parameters as well.
        Text(description="name or dotted path"),
        en="Crawl strategy, which orders the links: one of the names in [scoring.md](scoring.md), "
        "or the dotted path of a strategy of your own. The error for an unknown name lists all.",
        zh="链接排序策略：策略名，或自定义策略的点号路径；写错时会列出全部可用名称。",
    )
    rwb_mode: RwbMode = setting(
        "RWB_MODE",
        _STRATEGY.mode,
        Choice(get_args(RwbMode)),
        en="`capped` limits the third chance of RWB; `thesis` is formula 9.3 as printed.",
        zh="RWB 第三种机会：capped 为修正版（默认），thesis 为论文原式 9.3。",
    )
    teleport_choice: TeleportChoice = setting(
        "IPAGERANK_TELEPORT",
        "auto",
        Choice(get_args(TeleportChoice)),
        en="Teleport term of IPageRank: `relevance` of the page, or the `constant` of formula 9.5. "
        "`auto` takes the one that belongs to the RWB mode: `relevance` with `capped`, `constant` "
        "with `thesis`.",
        zh="IPageRank 的跳转项：relevance 按页面相关度，constant 为论文原式 9.5，auto 随 RWB 方式而定。",
    )
    rank_every_pages: int = setting(
        "IPAGERANK_EVERY_PAGES",
        100,
        Integer(low=1),
        unit="pages",
        en="Analyzed pages between two ranking rounds (thesis 9.2).",
        zh="每抓取多少页重算一次排名（论文 9.2）。",
    )
    rank_iterations: int = setting(
        "IPAGERANK_ITERATIONS",
        _STRATEGY.iterations,
        Integer(low=1),
        en="Iterations of one ranking round.",
        zh="每次重算的迭代次数。",
    )
    damping: float = setting(
        "IPAGERANK_DAMPING",
        _STRATEGY.damping,
        Number(low=0.0, high=0.999),
        en="Damping factor of IPageRank and PageRank.",
        zh="IPageRank 与 PageRank 的阻尼系数。",
    )
    semantic_wordnet: str = setting(
        "SEMANTIC_WORDNET",
        "",
        Text(),
        en="Folder of WordNet 3 (Debian: `/usr/share/wordnet`) or its `data.noun`, for the "
        "strategy `semantic` on English topics; empty: not used.",
        zh="semantic 策略：英文主题所用 WordNet 的目录（data.noun），空为不用。",
    )
    semantic_vectors: str = setting(
        "SEMANTIC_VECTORS",
        "",
        Text(),
        en="File of word vectors in word2vec's format (`.bin` and `.bin.gz` binary, else text) for "
        "the strategy `semantic`. Without one, vectors are learned from the topic's samples if "
        "these have 20,000 words. Both need the extra `semantic`.",
        zh="semantic 策略：word2vec 格式的词向量文件，空为不用（样本达两万词时自行训练）；均需安装 semantic 附加包。",
    )
    follow_nofollow: bool = setting(
        "LINKS_FOLLOW_NOFOLLOW",
        False,
        Flag(),
        en="Follow links marked `rel=nofollow` and all links of pages whose robots meta contains "
        "nofollow.",
        zh="是否跟随 nofollow 链接。",
    )

    @property
    def teleport(self) -> Teleport | None:
        """The teleport term; ``None``: the one that belongs to the RWB mode."""
        return None if self.teleport_choice == "auto" else self.teleport_choice
