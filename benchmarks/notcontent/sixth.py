"""Templates that were written after the rules were mended for ``fifth``; nothing was changed for them."""

from __future__ import annotations

from typing import Final

from benchmarks.notcontent.filling import Template

# fmt: off
# ruff: noqa: E501
SIXTH: Final = (
    Template("huawei-waf", "blocked", '<html><head><title>418</title></head><body><p>尊敬的用户，您的请求疑似攻击行为，已被拦截！</p><p>事件ID：{id}</p></body></html>', 418),
    Template("kangle", "blocked", '<html><head><title>{site}</title></head><body><p>您的访问频率过高，为保证其他用户的正常使用，请 60 秒后再打开页面。</p></body></html>'),
    Template("library-ip", "blocked", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div>您的 IP（{ip}）未在本库授权范围内，如需使用请联系所在单位图书馆。</div><p>{foot}</p></body></html>'),
    Template("overseas", "blocked", '<html><head><title>提示</title></head><body><h2>该服务仅面向中国大陆地区开放</h2><p>系统检测到您正在使用境外网络。</p></body></html>'),
    Template("adblock", "blocked", '<html><head><title>{site}</title></head><body><p>检测到您使用了广告拦截插件，请将本站加入白名单后刷新页面。</p></body></html>'),
    Template("akamai", "blocked", '<html><head><title>Access Denied</title></head><body><h1>Access Denied</h1><p>You don\'t have permission to access "http://{host}/a/{n}" on this server.</p><p>Reference #18.{id}</p></body></html>', 403),
    Template("cf-1015", "blocked", '<html><head><title>{host} | Error 1015</title></head><body><h1>Error 1015</h1><h2>You are being rate limited</h2><p>The owner of this website ({host}) has banned you temporarily from accessing this website.</p></body></html>', 429),
    Template("arith", "captcha", '<html><head><title>{site}</title></head><body><p>请回答：3 加 8 等于几？</p><form><input name="a"><input type="submit" value="提交"></form><p>答对后自动进入页面</p></body></html>'),
    Template("drag-en", "captcha", '<html><head><title>Security Measure</title></head><body><p>Slide the arrow to complete the puzzle.</p><p>We need to make sure that you are not a robot.</p></body></html>'),
    Template("jd-risk", "captcha", '<html><head><title>京东验证</title></head><body><div>快速验证</div><p>系统监测到您的网络环境存在异常，为保证您的正常访问，请进行快速验证</p><a>快速验证</a></body></html>'),
    Template("cookie-js", "captcha", '<html><head><title>Checking</title></head><body><noscript>Please turn JavaScript on and reload the page.</noscript><p>Checking your browser before accessing {host}. This process is automatic.</p></body></html>', 503),
    Template("toutiao", "captcha", '<html><head><title>验证码中间页</title></head><body><div id="captcha_container"></div><script>{junk}</script></body></html>'),
    Template("forum-reply", "login", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div>游客，本帖隐藏的内容需要登录才可以浏览，您需要登录后才可以回帖 登录 | 立即注册</div><p>{foot}</p></body></html>'),
    Template("oa", "login", '<html><head><title>协同办公系统</title></head><body><form>用户名：<input name="u"> 密码：<input type="password" name="p"> <button>登录</button></form><p>建议使用 IE8 以上浏览器，分辨率 1024*768</p></body></html>', path="/oa/index.jsp"),
    Template("phone-login", "login", '<html><head><title>{site}</title></head><body><h2>手机快捷登录</h2><input placeholder="请输入手机号"><input placeholder="请输入验证码"><a>获取验证码</a><p>登录即代表同意《用户协议》和《隐私政策》</p></body></html>'),
    Template("vip-novel", "login", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>本章为VIP章节，需订阅后阅读</p><p>账户余额不足，请先充值或登录</p><a>去登录</a><p>{foot}</p></body></html>'),
    Template("paper-en", "login", '<html><head><title>{site}</title></head><body><h2>Get access</h2><p>Log in via your institution, or buy this article for $39.95.</p></body></html>'),
    Template("session-cn", "login", '<html><body><p>登录信息已失效，3 秒后转到登录页面</p><script>{junk}</script></body></html>'),
    Template("album", "login", '<html><head><title>{site}</title></head><body><p>主人设置了访问权限，请输入密码</p><form><input type="password"><input type="submit" value="确定"></form></body></html>'),
    Template("gov-404", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>您访问的链接已经失效，本页面将在 5 秒后转到首页</p><p>{foot}</p></body></html>'),
    Template("param", "soft-404", '<html><body>参数错误！</body></html>'),
    Template("script-back", "soft-404", '<html><body><p>该信息未通过审核或已被删除！</p><a href="javascript:history.back()">返回</a></body></html>'),
    Template("shop", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>很抱歉，您查看的商品找不到了</p><h4>猜你喜欢</h4><ul>{hot}</ul></body></html>'),
    Template("q-closed", "soft-404", '<html><head><title>{site}</title></head><body><p>该问题已关闭，去看看其他问题吧</p><ul>{hot}</ul></body></html>'),
    Template("lost-cat", "soft-404", '<html><head><title>{site}</title></head><body><h1>4 0 4</h1><p>页面被喵星人叼走了…</p><a href="/">带我回家</a></body></html>'),
    Template("spring", "soft-404", '<html><body><h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error, so you are seeing this as a fallback.</p><div>There was an unexpected error (type=Not Found, status=404).</div></body></html>'),
    Template("django", "soft-404", '<html><head><title>Page not found at /a/{n}</title></head><body><h1>Page not found <span>(404)</span></h1><p>Using the URLconf defined in web.urls, Django tried these URL patterns, in this order:</p></body></html>'),
    Template("redis", "soft-404", '<html><body><pre>RedisException: Connection refused in /data/www/lib/Cache.php:88</pre></body></html>'),
    Template("closed-site", "soft-404", '<html><head><title>{site}</title></head><body><p>本站因业务调整已于今年6月停止运营，感谢一路陪伴。</p></body></html>'),
    Template("renewal", "soft-404", '<html><head><title>{host}</title></head><body><h1>该域名已过期</h1><p>请域名所有人尽快登录注册商网站续费</p></body></html>'),
    Template("empty-list", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>暂无相关内容</p><p>{foot}</p></body></html>'),
    Template("moved-en", "soft-404", '<html><head><title>{site}</title></head><body><h1>Oops!</h1><p>We looked everywhere but the page you want isn\'t here any more.</p><a href="/">Take me home</a></body></html>'),
    Template("teapot", "soft-404", '<html><head><title>{site}</title></head><body><p>Temporarily down for maintenance. Please check back in an hour.</p></body></html>'),
    Template("angular", "shell", '<html><head><title>{site}</title></head><body><app-root></app-root><script src="runtime.js"></script><script src="main.{id}.js"></script></body></html>'),
    Template("ng-old", "shell", '<html ng-app="web"><head><title>{site}</title></head><body><div ng-controller="c"><h1>{{{{d.title}}}}</h1><p ng-bind-html="d.body"></p><span>{{{{d.time | date}}}}</span></div><script src="/a.js"></script></body></html>'),
    Template("iframe", "shell", '<html><head><title>{site}</title></head><body><iframe src="http://{host}/inner/{n}" width="100%"></iframe></body></html>'),
    Template("old-ie", "shell", '<html><head><title>{site}</title></head><body><p>您的浏览器版本太旧，请升级到最新版 Chrome 或 Edge 后访问本站</p></body></html>'),
    Template("mini", "shell", '<html><head><title>{site}</title></head><body><p>请使用微信扫描二维码，在小程序里查看详情</p><img src="/q.png"></body></html>'),
    Template("post-jump", "shell", '<html><head><title></title></head><body onload="document.forms[0].submit()"><form action="http://{host}/s" method="post"><input type="hidden" name="t" value="{id}"></form></body></html>'),
    Template("loading-en", "shell", '<html><head><title>{site}</title></head><body><div class="spinner"></div><p>Hang tight, we are loading the page…</p><script>{junk}</script></body></html>'),
)
# fmt: on
