"""Templates that were written after the words were mended for ``sixth``; nothing was mended for them."""

from __future__ import annotations

from typing import Final

from benchmarks.notcontent.filling import Template

# fmt: off
# ruff: noqa: E501
SEVENTH: Final = (
    Template("iqiyi", "blocked", '<html><head><title>{site}</title></head><body><p>由于版权限制，您所在地区无法观看该内容</p></body></html>'),
    Template("weak-net", "blocked", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>操作太频繁啦，喝杯茶休息一下再来吧～</p><p>{foot}</p></body></html>'),
    Template("tencent-eo", "blocked", '<html><head><title>567</title></head><body><h1>The request has been blocked by EdgeOne.</h1><p>UUID {id}</p></body></html>', 567),
    Template("spider", "blocked", '<html><body><p>禁止爬虫抓取，如需合作请发邮件 data@{host}</p></body></html>'),
    Template("click-words", "captcha", '<html><head><title>访问验证</title></head><body><p>请依次点击“侨”“乡”“情”</p><p>验证通过后将返回您要访问的页面</p></body></html>'),
    Template("sms", "captcha", '<html><head><title>身份核验</title></head><body><p>检测到账号存在风险，已向您的手机发送验证码，请输入</p><input></body></html>'),
    Template("en-check", "captcha", '<html><head><title>{host}</title></head><body><h2>Verification required</h2><p>Select all images with traffic lights, then click verify.</p></body></html>'),
    Template("weibo-visit", "login", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>登录后可以看到更多精彩内容</p><a>微信登录</a><a>QQ登录</a><p>{foot}</p></body></html>'),
    Template("cnki", "login", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>未登录，或登录超时，请您重新登录后下载</p><p>{foot}</p></body></html>'),
    Template("intranet", "login", '<html><head><title>内网门户</title></head><body><form>工号<input>口令<input type="password"><button>进入</button></form></body></html>'),
    Template("gated-en", "login", '<html><head><title>{site}</title></head><body><h1>Members area</h1><p>You need to be a registered member to view this page.</p></body></html>'),
    Template("topic-del", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>没有找到您要看的帖子，可能已被楼主删除</p><p>{foot}</p></body></html>'),
    Template("job", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>该职位已停止招聘，看看其他职位</p><ul>{hot}</ul></body></html>'),
    Template("black", "soft-404", '<html><head><title>{site}</title></head><body><h1>页面去哪儿了？</h1><p>可能是链接写错，也可能是我们把它收起来了</p></body></html>'),
    Template("flask", "soft-404", '<html><head><title>500 Internal Server Error</title></head><body><h1>Internal Server Error</h1><p>The server encountered an internal error and was unable to complete your request.</p></body></html>', 500),
    Template("oracle", "soft-404", '<html><body>ORA-12541: TNS:no listener</body></html>'),
    Template("upgrade", "soft-404", '<html><head><title>{site}</title></head><body><p>系统正在割接，预计明早八点恢复，敬请谅解</p></body></html>'),
    Template("zh-tw", "soft-404", '<html><head><title>{site}</title></head><body><p>很抱歉，您所瀏覽的頁面已移除或更名</p><a href="/">回首頁</a></body></html>'),
    Template("event", "soft-404", '<html><head><title>{site}</title></head><body><p>活动已经结束啦，下次早点来哦</p></body></html>'),
    Template("en-exp", "soft-404", '<html><head><title>{site}</title></head><body><h1>This link has expired</h1><p>Ask the sender for a new one.</p></body></html>'),
    Template("nuxt", "shell", '<html><head><title>{site}</title></head><body><div id="__nuxt"></div><script>window.__NUXT__={{}}</script><script src="/_nuxt/{id}.js"></script></body></html>'),
    Template("qiankun", "shell", '<html><head><title>{site}</title></head><body><div id="subapp-viewport"></div><script src="/m.js"></script></body></html>'),
    Template("flash", "shell", '<html><head><title>{site}</title></head><body><object data="/i.swf"></object><p>请安装 Flash 播放器</p></body></html>'),
    Template("jump", "shell", '<html><head><title>{site}</title></head><body><p>即将离开本站，前往 http://{host}/</p><a>继续前往</a></body></html>'),
)
# fmt: on
