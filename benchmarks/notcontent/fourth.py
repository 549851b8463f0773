"""Templates that were written after the rules were frozen; nothing was changed for them."""

from __future__ import annotations

from typing import Final

from benchmarks.notcontent.filling import Template

# fmt: off
# ruff: noqa: E501
FOURTH: Final = (
    Template("360-wangzhan", "blocked", '<html><head><title>360网站卫士 - 拦截</title></head><body><div class="b"><h2>您的访问可能会对网站造成危险，已被网站卫士拦截</h2><p>编号：{id}　IP：{ip}　时间：{time}</p></div></body></html>'),
    Template("rate-en", "blocked", '<html><head><title>429 Too Many Requests</title></head><body><h1>Too Many Requests</h1><p>You have sent too many requests in a given amount of time.</p></body></html>', 429),
    Template("data-site", "blocked", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div class="warn">由于您的浏览行为异常，系统已限制您的访问，请联系客服010-88886666处理。</div><p>{foot}</p></body></html>'),
    Template("region", "blocked", '<html><head><title>访问受限</title></head><body><p>抱歉，您所在的地区暂不支持访问本网站。</p><p>{ip}</p></body></html>', 451),
    Template("openresty", "blocked", '<html><head><title>403 Forbidden</title></head><body bgcolor="white"><center><h1>403 Forbidden</h1></center><hr><center>openresty/1.15.8</center></body></html>', 403),
    Template("jigsaw", "captcha", '<html><head><title>验证中心</title></head><body><div class="panel"><p>请完成安全验证</p><p>向右滑动完成拼图</p></div><script>{junk}</script></body></html>'),
    Template("hcaptcha", "captcha", '<html><head><title>Attention Required! | Cloudflare</title></head><body><h1>One more step</h1><h2>Please complete the security check to access {host}</h2><p>Ray ID: {id}</p></body></html>', 403),
    Template("douban", "captcha", '<html><head><title>禁止访问</title></head><body><p>检测到有异常请求从你的 IP 发出，请登录或输入验证码后使用。</p></body></html>', 403),
    Template("five-seconds", "captcha", '<html><head><title>安全检查</title></head><body><div>请稍候，正在验证您的浏览器环境，验证通过后自动进入网站……</div><script>{junk}</script></body></html>'),
    Template("zhihu", "login", '<html><head><title>{site} - 有问题，就会有答案</title></head><body><div class="s"><h1>{site}</h1><div>验证码登录 密码登录</div><input placeholder="手机号"><input placeholder="短信验证码"><button>登录/注册</button><p>未注册手机验证后自动登录</p></div></body></html>', path="/signin"),
    Template("denied-view", "login", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div class="tip">您还没有登录，请<a href="/login">登录</a>后查看完整内容</div><p>{foot}</p></body></html>'),
    Template("timeout-frame", "login", '<html><head><title>信息提示</title></head><body><div>您的会话已过期，请重新登录系统。</div><a href="/">返回登录页</a></body></html>'),
    Template("wordpress-login", "login", '<html><head><title>登录 ‹ {site} — WordPress</title></head><body><h1><a href="https://cn.wordpress.org/">由WordPress驱动</a></h1><form><label>用户名或电子邮箱地址</label><input><label>密码</label><input type="password"><label>记住我</label><button>登录</button></form><a href="/l">忘记密码？</a><a href="/">← 返回到{site}</a></body></html>', path="/wp-login.php"),
    Template("classic-404", "soft-404", '<html><head><title>404错误页面_{site}</title></head><body><ul>{nav}</ul><div class="e404"><h2>抱歉！页面无法访问……</h2><p>可能因为：</p><p>1、网址有错误，请检查地址是否完整或存在多余字符</p><p>2、网址已失效，可能页面已删除，活动已下线等</p><a href="/">返回首页</a></div><p>{foot}</p></body></html>'),
    Template("nginx-404", "soft-404", '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx/1.20.1</center></body></html>'),
    Template("news-removed", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>您要查看的新闻已被撤稿或转移，去首页看看吧</p><div><h4>热点推荐</h4><ul>{hot}</ul></div><p>{foot}</p></body></html>'),
    Template("laravel", "soft-404", '<html><head><title>Whoops, looks like something went wrong.</title></head><body><h1>Whoops, looks like something went wrong.</h1><p>1/1 ErrorException in Repository.php line 61: Undefined property: stdClass::$id</p></body></html>', 500),
    Template("busy", "soft-404", '<html><head><title>{site}</title></head><body><p>服务器繁忙，请稍后再试！</p></body></html>'),
    Template("vue-cli-cn", "shell", '<html><head><title>{site}</title><meta name="keywords" content="新闻,资讯"></head><body><div id="app"><div id="loading">页面加载中</div></div><script src="/chunk.js"></script></body></html>'),
    Template("svelte", "shell", '<html><head><title>{site}</title></head><body><div id="svelte"></div><script type="module" src="/build/bundle.js"></script></body></html>'),
    Template("meta-js", "shell", '<html><head><title></title><script>top.location="http://{host}/new/{n}.html";</script></head><body></body></html>'),
    Template("noframes", "shell", '<html><head><title>{site}</title></head><frameset rows="*"><frame src="http://{host}/index1.htm"></frameset><noframes>对不起，您的浏览器不支持框架</noframes></html>'),
)
# fmt: on
