"""Reasons of outcomes and of the end of a crawl, in Chinese and English."""

from __future__ import annotations

from typing import Final

#: Reasons and stop reasons of a crawl; others are shown as they are.
REASONS: Final[dict[str, tuple[str, str]]] = {
    "relevant": ("相关", "on topic"),
    "off-topic": ("与主题无关", "off topic"),
    "judged": ("用户判断", "judged by the user"),
    "rejected-text": ("正文已在别处判为不切题", "its text was judged off topic elsewhere"),
    "withdrawn": ("复判后撤回", "judged again and withdrawn"),
    "readmitted": ("复判后恢复", "judged again and readmitted"),
    "admitted": ("备选页面，复判后入库", "a near miss that was judged again and entered"),
    "representative": ("报道的代表网页", "represents its story"),
    "same-page": ("同一网页", "the same page"),
    "copy": ("转载", "copy"),
    "edited": ("改动过的转载", "edited copy"),
    "excerpt": ("节选", "excerpt"),
    "duplicate-title": ("标题重复", "duplicate title"),
    "duplicate-body": ("正文重复", "duplicate text"),
    "duplicate-url": ("网址重复", "duplicate URL"),
    "no-body": ("没有正文（列表、框架、空页）", "no body text (list, frame, empty page)"),
    "document-encrypted": ("文档已加密", "encrypted document"),
    "document-no-text-layer": (
        "文档没有文字层（扫描件）",
        "document without a text layer (a scan)",
    ),
    "document-unknown-characters": (
        "文档字体缺少字符表",
        "document whose fonts state no characters",
    ),
    "document-damaged": ("文档损坏", "damaged document"),
    "document-too-large": ("文档解压后过大", "document that unpacks to too much"),
    "document-timed-out": ("读取文档超时", "reading the document took too long"),
    "document-crashed": ("读取文档时进程崩溃", "reading the document ended its process"),
    "document-empty": ("文档没有文字", "document without text"),
    "document-no-reader": ("缺少读取文档的库", "a library for the document is missing"),
    "document-unsupported": ("不支持的文档格式", "document of an unknown format"),
    "noindex": ("页面要求不收录", "page asks not to be indexed"),
    "not-html": ("不是 HTML", "not HTML"),
    "robots": ("robots.txt 禁止", "forbidden by robots.txt"),
    "offsite": ("站外链接", "off-site"),
    "timeout": ("超时", "timeout"),
    "dns": ("域名无法解析", "host name not found"),
    "connection-refused": ("拒绝连接", "connection refused"),
    "connection-lost": ("连接中断", "connection lost"),
    "data-loss": ("数据不完整", "incomplete response"),
    "proxy": ("各代理均无响应", "no answer through any proxy"),
    "browser": ("浏览器未能显示", "not shown by the browser"),
    "scheme": ("不支持的协议", "unsupported scheme"),
    "ignored": ("被忽略", "ignored"),
    "private-address": ("内网地址，未获允许", "an address outside the public internet"),
    "robots-unreachable": ("无法取得 robots.txt", "robots.txt cannot be fetched"),
    "certificate": ("证书校验失败", "the certificate cannot be verified"),
    "start-url": ("无效的起始网址", "not a valid start URL"),
    "out-of-scope": ("在抓取范围之外", "outside the scope of the crawl"),
    "deleted": ("已删除，不再抓取", "deleted, not fetched again"),
    "trap": ("疑似陷阱网址", "looks like a crawler trap"),
    "part": ("已并入分页文章", "part of an article on several pages"),
    "site-file": (
        "站点地图或订阅源，已读取其中的网址",
        "a sitemap or feed, read for its addresses",
    ),
    "login-needed": ("需要登录", "only for those who are logged in"),
    "login-address": ("登录或退出的网址", "begins or ends a session"),
    "captcha": ("验证页面", "captcha page"),
    "blocked": ("被网站拦截", "blocked by the site"),
    "login": ("需要登录", "a login is needed"),
    "soft-404": ("软 404：页面不存在或出错", "soft 404: missing page or error"),
    "shell": ("空壳页：没有脚本就没有正文", "empty shell: no text without scripts"),
    "stuffing": ("关键词堆砌，没有成句的文字", "stuffed with keywords, no sentences"),
    "mirror": ("已从镜像或其他版本抓取", "fetched on a mirror or as another version"),
    "host-gone": ("主机长时间无响应", "the host did not answer for long"),
    "not-supported": ("不支持的请求", "not supported"),
    "tunnel": ("代理无法建立连接", "the proxy could not connect"),
    "value": ("请求无效", "not a valid request"),
    "bad-gzip-file": ("压缩数据损坏", "damaged compression"),
    "pipeline-error": ("处理页面时出错", "error while processing the page"),
    "start_error": ("无法读取种子", "the seeds could not be read"),
    "packing": ("压缩层数或分段过多", "compressed in too many layers or parts"),
    "too-large": ("页面过大", "page too large"),
    "analysis-timeout": ("分析超时", "its analysis took too long"),
    "analysis-crash": ("分析出错", "its analysis ended in a crash"),
    "redirected": ("重定向到其他网址", "redirected to another URL"),
    "redirects": ("重定向没有尽头", "endless redirects"),
    "store-lost": ("无法保存，未入库", "could not be kept anywhere"),
    "cannot_start": ("无法启动", "could not start"),
    "store_lost": ("数据库和暂存目录都无法写入", "neither store nor spool could be written"),
    "queued": ("等待抓取", "waiting in the queue"),
    "other": ("其他原因", "other reasons"),
    "imported": ("全部导入完毕", "everything was imported"),
    "import": ("导入时不抓取", "an import fetches nothing"),
    "offline": ("无法联网，待抓链接已保留", "no network; the links stay queued"),
    "finished": ("没有可抓的链接了", "nothing left to fetch"),
    "max_pages": ("已抓满规定页数", "page budget used up"),
    "refreshed": ("应回访的已全部访问", "everything due was visited"),
    "stopped": ("在控制台或用 scrapy crawls 停止", "stopped in the console or by scrapy crawls"),
    "frontier_lost": ("待抓队列无法使用", "the queue could not be used"),
    "no_sources": ("没有搜索引擎给出起始网页", "no search engine gave a page to start from"),
    "closespider_pagecount": ("达到页面数上限", "page limit reached"),
    "closespider_itemcount": ("达到入库数上限", "item limit reached"),
    "closespider_timeout": ("达到时间上限", "time limit reached"),
    "closespider_errorcount": ("错误过多", "too many errors"),
    "memusage_exceeded": ("内存超限", "memory limit reached"),
    "shutdown": ("被人为中止", "stopped by the user"),
    "cancelled": ("已取消", "canceled"),
    "killed": ("被强制终止或断电", "killed, or the machine went down"),
}

#: Reasons of the crawler's own judgments, among :data:`REASONS`.
JUDGED_REASONS: Final = frozenset({"relevant", "off-topic", "withdrawn", "readmitted", "admitted"})


def reason_text(reason: str) -> tuple[str, str]:
    """Return a reason in Chinese and English; unknown ones unchanged."""
    if reason in REASONS:
        return REASONS[reason]
    if reason.startswith("http-"):
        code = reason.removeprefix("http-")
        return f"HTTP {code}", f"HTTP {code}"
    return reason, reason
