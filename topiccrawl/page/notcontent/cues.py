"""Words on pages that are not content, by kind.

The patterns combine what is gone or refused with what happens to it, so that they match wordings that
no one has listed. They apply to text in lower case, in simplified characters and without white space
beside Han characters: :func:`plain`.
"""

# ruff: noqa: E501

from __future__ import annotations

import re
from functools import cache
from typing import Final

from topiccrawl.page.notcontent.kinds import NotContentKind

# Traditional characters of the words below. Conversion of whole texts would cost more than the rest.
_TRADITIONAL: Final = str.maketrans(
    "頁網內題鏈結貼聞視頻問無經刪過關閉繫統錯誤伺務維護數據庫連圖檔記錄訪請頻攔絕斷異為帳號賬戶環"
    "險脅驗證碼機識別動點擊輸擇順還沒權開啟腳載轉後繼續讀瀏覽員單認會話時對這裡從給該發導級壞瞭試們",
    "页网内题链结贴闻视频问无经删过关闭系统错误伺务维护数据库连图档记录访请频拦绝断异为帐号账户环"
    "险胁验证码机识别动点击输择顺还没权开启脚载转后继续读浏览员单认会话时对这里从给该发导级坏了试们",
)
# Few lines have one of them, and to look for one takes less time than to translate.
_ANY_TRADITIONAL: Final = re.compile(f"[{''.join(map(chr, _TRADITIONAL))}]")
_BESIDE_HAN: Final = re.compile(r"(?<=[\u3400-\u9fff])\s+|\s+(?=[\u3400-\u9fff])")
#: Characters of a line, a title or a heading that are read: sentences of such pages are short (a guess).
MAX_LINE: Final = 400


def plain(text: str) -> str:
    """Return *text* as the patterns expect it, cut to :data:`MAX_LINE` characters."""
    text = text[:MAX_LINE].lower().replace("\u2019", "'")
    if _ANY_TRADITIONAL.search(text):
        text = text.translate(_TRADITIONAL)
    return _BESIDE_HAN.sub("", text)


# What may be missing, and what may have happened to it.
_THING = (
    r"(?:页面?|网页|网站|站点|内容|文章|帖子?|主题|话题|信息|资源|文件|链接|网址|地址|商品|宝贝|产品|职位|岗位|故事|story|"
    r"视频|新闻|资讯|稿件|栏目|频道|作品|问题|文档|图片|公告|记录|数据|目录|路径|东西|url|page|文)"
)
_BY = r"(?:被|由|已|经|作者|发布者|发布人|发表者|管理员|楼主|用户|系统|本人|博主|编辑|自行|主动|卖家|平台|官方)"
_GONE = (
    rf"(?:不存在|找不到|未找到|没(?:有)?找到|无法找到|不到了|"
    rf"{_BY}{{1,4}}(?:删除|移除|下线|下架|撤回|撤销|撤稿|屏蔽|关闭|失效|过期|隐藏|取消|停用|迁移|搬家|删掉|清理)|"
    r"走丢|丢失|丢了|迷路|离家出走|飞走|飞到|不见了|消失|去了?火星|被?外星人|没有了|没了|无法显示|无法打开|无法访问|"
    r"打不开|去旅行|度假|休假|开溜|不知去向|跑到|跑去|被[\u3400-\u9fff]{1,6}[吃叼偷拐带抱抓]|不能访问|暂时?无法|无法正常|尚未发布|未发布|审核中|正在审核|未通过审核|违反|违规|已下[线架]|停止\S{0,4}(?:招聘|发布|服务|访问|更新|运营|运行)|停运|失联|溜走|"
    r"跑丢|弄丢|开小差|偷懒|不可用|有误|无效|输错|已更名|暂不可见|不可见|无法查看)"
)
_YOUR = r"(?:您|你|当前|该|本次|此|ip)"
# What a block page refuses, and how.
_ACCESS = r"(?:访问|请求|操作|ip(?:地址)?|账[号户]|帐[号户]|行为|浏览|抓取|查询|连接|流量|网络环境|客户端|user-agent)"
_OFTEN = r"(?:频繁|快|多|密集|高)"
_STOPPED = r"(?:\w{0,8}?)(?:拒绝|拦截|禁止|阻断|阻止|限制|封禁|封锁|封停|屏蔽|中断|拉黑|列入)"
_DANGER = r"\w{0,6}(?:威胁|风险|攻击|危险|恶意|非法)"
_REFUSED = (
    rf"(?:过于{_OFTEN}|太过{_OFTEN}|太{_OFTEN}|过{_OFTEN}|非常{_OFTEN}|被{_STOPPED}|已{_STOPPED}|遭{_STOPPED}|予以{_STOPPED}|"
    rf"受限|受到(?:了)?限制|存在异常|出现异常|有异常|异常|存在{_DANGER}|疑似{_DANGER}|含有{_DANGER}|包含{_DANGER}|可能{_DANGER}|"
    r"非法|不合法|不被允许|未授权|无法响应|次数(?:过多|超|已达)|超(?:出|过)\w{0,6}(?:限制|上限|频率|次数))"
)
_LOGS_IN = r"登[录陆入]|login|log in|sign in"
_LOG_IN = rf"(?:{_LOGS_IN})"

#: Words of each kind that few pages with content use about themselves.  Each alternative begins with what it is
#: searched by, characters or words; what stands before is looked at behind them.
STRONG: Final[dict[NotContentKind, str]] = {
    "soft-404": "|".join(
        (
            rf"{_THING}[^。！？，,]{{0,14}}{_GONE}",
            r"[此该本](?:内容|文章|页|帖|视频|链接|网页|商品)[^。！？]{0,20}(?:违规|违反|侵权|投诉|举报|处理|无法|不能|删|停止|下)",
            rf"(?:找不到|未找到|没有?找到|无法找到|未能找到|不存在|丢失了?|弄丢了)[^。！？，,]{{0,14}}{_THING}",
            r"404(?<![\d.]404)(?![\d.])|410 gone(?<![\d.]410 gone)",
            r"not found|(?:could ?not|cannot|can'?t|couldn'?t|unable to) (?:be )?f(?:ind|ound)",
            r"no longer (?:available|exists?|here|active)|(?:is not|isn'?t) here\b|"
            r"(?:does ?n[o']t|did not|doesn't) exist",
            r"(?:page|post|article|content|link|listing|it)[^.]{0,30} (?:has|have|may have|might have|was|been) "
            r"(?:been )?(?:removed|deleted|moved|expired|unpublished|gone)",
            r"(?:page|story|article|content|post|video) (?:is )?(?:missing|unavailable|no longer|isn't available|not available|has gone|went)",
            # Errors of servers, frameworks and databases.
            r"(?:系统|服务器?|伺服器|程序|内部|应用|运行时?|网络|页面|数据库|参数|未知|网站|请求)"
            r"(?:发生|出现|连接|遇到|执行)?(?:了)?(?:一个|一些)?(?:内部|未知|致命)?(?:错误|出错|异常|故障|失败|繁忙|开小差)",
            r"(?:连接|请求|执行|处理|加载)\S{0,4}时?(?:出错|错误|失败|异常)|状态报告|堆栈跟踪|未经?处理的异常|"
            r"http状态|(?:back|return) (?:online )?(?:soon|shortly)|check back|down for|temporarily (?:down|offline|closed)|(?:perform|do|carry)ing [^.]{0,30}maintenance|scheduled maintenance|"
            r"出错(?:了|啦)|发生(?:了)?错误|(?:系统|网站|服务器|站点|平台)\w{0,8}(?:维护|升级|建设|改版|关闭|暂停)(?:中|了)?",
            r"internal server error|server error in|runtime error|fatal error:|uncaught \w*(?:error|exception)|"
            r"traceback \(most|whitelabel error|exception report|bad gateway|service unavailable|"
            r"gateway time-?out|database error|sql syntax|something went wrong|an error (?:has )?occurred|"
            r"application error|stack trace|call stack|unhandled exception|undefined (?:variable|index|method|function|offset)|"
            r"(?:on|in|at) line:? ?\d+|line: ?\d+|[\w/\\]++\.(?:php|java|py|cs|asp|jsp):? ?(?:line|\d+|\()|syntax error|致命错误|错误位置|堆栈|无法加载(?:控制器|模块|类|模板)|非法操作|"
            r"(?:request|error) (?:method|url|message|code):|urlconf|debug ?= ?(?:true|false)|(?:error|status|exception) report|http (?:status|error)|requested (?:resource|url)|under (?:maintenance|construction)",
            r"域名(?:已|正在|可)?(?:过期|到期|出售|转让|停放)|(?:domain|website) (?:is|has|may be) (?:for sale|expired|parked)|"
            r"未(?:进行)?备案|没有备案|没有找到站点|站点(?:创建|建立)成功|welcome to nginx|it works!|default (?:web )?page",
        )
    ),
    "blocked": "|".join(
        (
            rf"{_ACCESS}[^。！？]{{0,14}}{_REFUSED}",
            rf"{_REFUSED}[^。！？，]{{0,6}}{_ACCESS}",
            rf"(?:拒绝|禁止|限制|阻止|拦截|暂停)(?:了)?(?:{_YOUR}的?)?{_ACCESS}",
            r"(?:检测|监测|监控|发现|识别|判定|侦测)到?[^。！？]{0,20}(?:异常|大量|自动|频繁|可疑|非正常|爬虫|机器|攻击|恶意|非法|风险|高频|过多|过快)|"
            r"(?:无法|不能|不再|暂停|停止|拒绝)(?:继续)?(?:为您|为你|向您|对您)?(?:提供|进行)?\S{0,4}服务|(?:黑|灰)名单|封禁|解封|"
            r"(?:点|访问|操作|刷新?|翻|看|请求|速度|手速|动作)\S{0,4}(?:得|的)?(?:太|过于?)(?:快|频|多|猛)|(?:歇|休息|慢)\S{0,3}(?:一?会|一下|点)儿?\S{0,2}(?:再|后)",
            r"(?:仅|只)(?:面向|支持|限|对|供)?\S{0,8}(?:地区|境内|大陆)\S{0,8}(?:开放|访问|使用|用户|服务)|(?:境外|海外)(?:网络|ip|地区)\S{0,8}(?:访问|暂)|"
            r"(?:禁止|防)(?:盗链|外链|采集|爬取)|禁止\S{0,6}(?:直接|外部)\S{0,4}访问|"
            r"云盾|安全狗|创宇盾|知道创宇|加速乐|云锁|(?:网站|web|应用|云)防火墙|web应用防护|waf(?<=\bwaf)\b|雷池|safeline|d盾|"
            r"护卫神|玄武盾|网站卫士|云加速|安全(?:防护|策略|规则|中心|网关|系统)\S{0,6}(?:拦截|阻|拒|检测|触发)|触发\S{0,8}(?:规则|策略|防护)",
            r"access(?: to [^.]{0,40})? (?:is |was |has been )?(?:denied|restricted|blocked|forbidden)|permission denied|"
            r"403(?<![\d.]403)(?![\d.])|forbidden(?<=\bforbidden)\b|(?:you|ip|request|address|access)[^.]{0,30} "
            r"(?:have been|has been|are|were|was|is|been) (?:\w+ )?(?:blocked|banned|denied|rejected|throttled)",
            r"unusual (?:traffic|activity|requests)|suspicious (?:activity|traffic|request)|automated (?:requests|access|queries|traffic)|"
            r"too many requests|rate[- ]limit|not (?:allowed|authorized|permitted) to (?:access|view)|"
            r"bot (?:detected|detection|traffic)|request rejected|(?:are|were) (?:a )?(?:ro)?bot\b|pardon our interruption|"
            r"block(?:ed)? by (?:\w+ ){0,4}(?:security|firewall|waf|rules?|polic)",
            r"(?:事件|请求|拦截|追踪|日志)\s?(?:编号|id|代码|原因|时间)|\b(?:ray|incident|support|event|request|reference|trace)[ -]?(?:id\b|#)",
        )
    ),
    "captcha": "|".join(
        (
            r"安全(?:验证|校验|检查|检测)|人机(?:验证|识别|校验|身份)|滑(?:动|块)\S{0,6}(?:验证|拼图|滑块|完成|校验)|"
            r"(?:拖动|拖拽|按住|点击|向右|移动|滑动|依次|点选)\S{0,12}(?:滑块|验证|拼图|文字|图片|图案|校验|右侧|最右|汉字|字符|图中|缺口|箭头)",
            r"(?:请|需|需要|先|完成|进行|输入|通过|填写)\S{0,10}(?:验证(?!失败的)|校验码|验证码)",
            r"(?:验证|确认|证明|检验)\S{0,6}(?:真人|人类|机器|本人|身份|不是)|(?:不是|非|是否为?)\S{0,2}(?:机器人|爬虫|真人)|机器人(?:检测|行为|程序)",
            r"验证(?:失败|未通过|成功|超时|已?过期)|看不清\S{0,4}换|换一[张个]|(?:图形|图片|字符|短信|输入)验证码|计算结果|算式|等于(?:几|多少)|答对",
            r"防止\S{0,6}(?:采集|机器|恶意|灌水|刷)|回答(?:下列|以下|下面)?\S{0,4}问题\S{0,4}(?:后|继续)|"
            r"captcha|turnstile|geetest|verif(?:y|ying)[^.]{0,20}(?:you|human|browser)|"
            r"are you (?:a |an )?(?:human|robot)|(?:not|n't) a (?:robot|bot)|human verification|security (?:check|verification|challenge)|"
            r"just a moment|attention required|checking (?:if|your)[^.]{0,30}(?:browser|secure|connection)|one more step|"
            r"review the security of your connection|press (?:and|&) hold|prove you|"
            r"(?:confirm|check|make sure|ensure)[^.]{0,12} you(?:'re| are) (?:a )?(?:real |not )?(?:human|person|a ro?bot|a bot)|and not a bot|not a bot",
            r"(?:检查|检测|验证|校验)\S{0,8}浏览器|浏览器\S{0,6}(?:检查|检测|验证|校验|环境)|ddos (?:protection|attack)|ddos防护",
        )
    ),
    "login": "|".join(
        (
            rf"(?:请|需|须|要|先)(?:要|您|你|先|重新|用户|会员|使用\S{{0,12}}?账[号户])*{_LOG_IN}",
            rf"{_LOG_IN}(?:后|才|之后|以后|即可|可|再|成功后|以|并|查看|继续|阅读)\S{{0,8}}",
            rf"(?:未|尚未|还没有?|没有|没){_LOG_IN}",
            rf"(?:{_LOGS_IN}|会话|session)(?:状态|信息|身份|has|已经?|\s)*(?:超时|过期|失效|expired|timed out)",
            r"(?:没有|无|暂无|缺少|不具备)\S{0,8}权限?(?:访问|查看|阅读|浏览|操作|打开)?|权限不足|无权\S{0,6}|"
            r"统一(?:身份)?认证|身份认证|(?:用户|会员|密码|管理员|扫码|微信|短信|手机|账号|帐号|统一|系统|欢迎|快捷)登[录陆]|"
            r"(?:仅|只)(?:限|对|供|有)?\S{0,8}(?:会员|注册用户|登录用户|内部|校内|好友|内网)",
            rf"^\W*(?:用户|会员|账号|系统|后台)?{_LOG_IN}\W*$|{_LOG_IN}即(?:代表|表示|视为|同意)|(?:扫一扫|扫码|关注)\S{{0,14}}{_LOG_IN}|自动{_LOG_IN}|"
            rf"{_LOG_IN}(?:或|/|、|和|及|并)\S{{0,2}}注册|(?:管理|办公|信息|教务|后台)\S{{0,4}}(?:系统|平台)$|(?:需要|需|要)注册(?:后|才)|注册(?:后|才)",
            r"忘记密码|找回密码|记住(?:我|密码|登录)|用户名|密\s*码[:：]|立即注册|免费注册|注册账号|没有账号|还没有?账[号户]",
            r"(?:sign|log)[ -]?in (?:to|required|below|with|here|page)|(?:must|need to|have to|please) (?:be )?(?:sign|log)(?:ged)?[ -]?in|"
            r"members?[ -]only|session (?:has )?(?:expired|timed out)|forgot (?:your )?password|remember me|"
            r"username|create (?:an )?account|authentication required|"
            r"subscribe (?:now )?to (?:read|unlock|continue|keep|access)|already a (?:subscriber|member)|subscribers?[ -]only|for subscribers|"
            r"(?:via|through) your institution|(?:buy|purchase|rent) (?:this|the) (?:article|chapter|paper)|get (?:full )?access|"
            r"(?:需要?|请先?|先)(?:购买|订阅|充值|开通)|(?:购买|订阅|充值|开通)\S{0,4}后\S{0,4}(?:阅读|查看|观看|下载)|(?:会员|vip)(?:章节|专享|专属|可见)|余额不足",
        )
    ),
    "shell": "|".join(
        (
            r"(?:启用|开启|打开|支持|允许|禁用|关闭|使用)\S{0,10}?(?:javascript|js\b|脚本)|(?:javascript|js|脚本)\S{0,8}(?:启用|开启|打开|禁用|关闭|支持)",
            r"(?:enable|requires?|turn on|without|need|disabled|activate) (?:\w+ )?(?:javascript|js\b)|"
            r"javascript (?:is |has been |to be |must be )?(?:not )?(?:disabled|required|enabled|support)",
            r"(?:正在|努力|拼命|玩命|数据|页面|内容)?(?:加载|载入|跳转|初始化)(?:中|，|\.|…|$)|正在\S{0,10}(?:加载|载入|跳转|打开|进入|初始化)|"
            r"loading|redirecting|please wait|请稍[候后等]|稍等|跳转至|自动跳转|being redirected|not redirected",
            r"请?(?:在|用|使用|通过|前往|到)\S{0,12}(?:客户端|app|小程序|微信|手机)\S{0,6}(?:打开|查看|浏览|访问|观看|阅读)|"
            r"(?:下载|安装|打开)\S{0,8}(?:客户端|app)|open (?:it |this )?(?:page |link )?in (?:the|our) app|"
            # What a script would fill in.
            r"\{\{[^{}]{1,60}\}\}|"
            r"(?:不支持|无法显示|支持)\S{0,6}(?:框架|frame)|浏览器(?:版本)?\S{0,6}(?:不支持|太低|过低|太旧)|升级\S{0,8}浏览器|(?:support|no) frames?",
        )
    ),
}  # fmt: skip

#: Words that are cues on a page with next to no text only.
WEAK: Final[dict[NotContentKind, str]] = {
    "soft-404": (
        r"不存在|找不到|没有|暂无|删除|失效|过期|下架|下线|停止|结束|关闭|撤[下回销]|取消|错误|出错|异常|失败|无效|有误|维护|建设中|升级|"
        r"404|error|missing|unavailable|removed|broken|gone|sorry|invalid|expired|failed|warning"
    ),
    "blocked": (
        r"禁止|拒绝|限制|拦截|阻[止断]|频繁|频率|上限|超[出过]|异常|非法|不允许|盗链|防护|防火墙|封|机器|爬虫|采集|风控|"
        r"block|denied|forbid|reject|restrict|bot\b|robot|interruption|security|limit"
    ),
    "captcha": (
        r"验证|核实|校验|识别|真人|机器人|拖动|滑动|旋转|勾选|回答(?:下列|以下)?问题|采集|图中|verify|human|robot|challenge|checking"
    ),
    "login": r"登[录陆入]|账[号户]|帐号|密码|会员|注册|权限|认证|授权|读者证|游客|log ?in|sign ?in|password|account|member",
}

#: Words that accompany all of them: apologies, ways out, a countdown.
ALONG: Final = (
    r"抱歉|对不起|很遗憾|不好意思|糟糕|哎呀|啊哦|哎哟|呜呜|sorry|oops|uh-oh|whoops|"
    r"返回(?:首页|主页|上一页|上页|前页)|回到?首页|回首页|go (?:back|home)|back to (?:the )?home|home ?page|"
    r"\d+\s*秒|seconds?|刷新|重试|稍后再试|重新(?:加载|访问|尝试|输入)|try again|reload|refresh|"
    r"联系(?:管理员|客服|我们|网站|站长)|contact (?:us|the|support)|"
    rf"{_YOUR}(?:所)?(?:要|想|正在|刚才|输入的?)?(?:访问|请求|查看|浏览|找|打开)的|检查\S{{0,8}}(?:网址|地址|拼写|输入|链接)|"
    r"可能(?:的)?(?:原因|是|因为|已)|提示信息|温馨提示|系统提示|错误(?:代码|信息|提示|码)|error code|如[果有]\S{0,8}(?:疑问|误|需要)"
)


# An escaped character, a set or any other character of a pattern.
_TOKEN: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])+\]|.", re.DOTALL)


def alternatives(pattern: str) -> list[str]:
    """Return the alternatives of a pattern, outside of all groups."""
    found, depth = [""], 0
    for token in _TOKEN.findall(pattern):
        depth += (token == "(") - (token == ")")
        if token == "|" and not depth:
            found.append("")
        else:
            found[-1] += token
    return found


def has_strong(kind: NotContentKind, text: str) -> bool:
    """Return whether *text* has one of the strong words of a kind.

    The alternatives are searched one by one: a search skips all that does not begin like one.  In a text without
    the words, that takes .4 of the time of the whole pattern, which few pages need (2026-11).
    """
    return any(pattern.search(text) for pattern in _alternatives_of(kind))


@cache
def _alternatives_of(kind: NotContentKind) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(words, re.MULTILINE) for words in alternatives(STRONG[kind]))


@cache
def strong(kind: NotContentKind) -> re.Pattern[str]:
    """Return the strong words of a kind, compiled so that ``^`` and ``$`` are the ends of lines."""
    return re.compile(STRONG[kind], re.MULTILINE)


@cache
def weak(kind: NotContentKind) -> re.Pattern[str]:
    """Return the weak words of a kind."""
    return re.compile(WEAK[kind], re.MULTILINE)


@cache
def along() -> re.Pattern[str]:
    """Return the words that accompany all kinds."""
    return re.compile(ALONG)
