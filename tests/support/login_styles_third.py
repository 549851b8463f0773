"""A third set of login styles, after well-known software, to judge the rules again."""

from __future__ import annotations

import json
import secrets

from tests.support.login_server import USER, Asked, LoginSite, Reply, redirect


class WordPressLike(LoginSite):
    """``wp-login.php``: a cookie that tests for cookies, errors in a box above the form."""

    cookie_name = "wordpress_logged_in"

    def wall(self, asked: Asked) -> Reply:
        return redirect(f"/wp-login.php?redirect_to={asked.path}&reauth=1")

    def login(self, asked: Asked) -> Reply:
        if asked.path != "/wp-login.php":
            return Reply("", 404)
        form = """<div id=login><h1><a href="https://cn.wordpress.org/">基于WordPress</a></h1>{}
<form name="loginform" id="loginform" action="/wp-login.php" method="post"><p>
<label for="user_login">用户名或电子邮箱地址</label>
<input type="text" name="log" id="user_login" class="input" value="" size="20"></p>

<div class="user-pass-wrap"><label for="user_pass">密码</label>
<div class="wp-pwd"><input type="password" name="pwd" id="user_pass"></div></div>
<p class="forgetmenot"><input name="rememberme" type="checkbox" id="rememberme" value="forever"></p><p class="submit">
<input type="submit" name="wp-submit" id="wp-submit" value="登录"><input type="hidden" name="redirect_to" value="/">
<input type="hidden" name="testcookie" value="1"></p></form>
<p id=nav><a href="?action=lostpassword">忘记密码？</a></p></div>"""
        if asked.method == "GET":
            return Reply(form.format("")).cookie(
                "wordpress_test_cookie=WP%20Cookie%20check; path=/"
            )
        sent = asked.form()
        if "wordpress_test_cookie" not in asked.cookies or sent.get("testcookie") != "1":
            return Reply(form.format("<div id=login_error>Cookies被禁用</div>"))
        if not self.accepts(sent.get("log"), sent.get("pwd")):
            return Reply(form.format("<div id=login_error>错误：此用户名的密码不正确。</div>"))
        reply = redirect(sent["redirect_to"])
        self.begin(reply, user=USER)
        return reply


class SpringLike(LoginSite):
    """Spring Security: ``_csrf``, errors by a redirect to the login page."""

    cookie_name = "JSESSIONID"

    def login(self, asked: Asked) -> Reply:
        if asked.path == "/login" and asked.method == "GET":
            reply, token = Reply(), secrets.token_hex(18)
            self.begin(reply, token=token)
            error = "<div class=alert>Bad credentials</div>" if "error" in asked.query else ""
            reply.body = f"""<title>Please sign in</title>{error}<form class="form-signin" method="post"
action="/login"><h2>Please sign in</h2><p><label for="username" class="sr-only">Username</label><input type="text"
id="username" name="username" placeholder="Username" required></p><p><input type="password" id="password"
name="password" placeholder="Password" required></p><input name="_csrf" type="hidden" value="{token}">
<button type="submit">Sign in</button></form>"""
            return reply
        session, form = self.session(asked), asked.form()
        if asked.path != "/login" or session is None or form.get("_csrf") != session.get("token"):
            return Reply("Forbidden", 403)
        if not self.accepts(form.get("username"), form.get("password")):
            return redirect("/login?error")
        reply = redirect("/")
        self.begin(reply, user=USER)
        return reply


class WebForms(LoginSite):
    """ASP.NET Web Forms: the state of the view, the name of the button, long names of fields."""

    cookie_name = "ASP.NET_SessionId"

    def wall(self, asked: Asked) -> Reply:
        return redirect(f"/Account/Login.aspx?ReturnUrl={asked.path}")

    def login(self, asked: Asked) -> Reply:
        page = """<form method="post" action="./Login.aspx" id="form1"><div><input type="hidden"
name="__VIEWSTATE" id="__VIEWSTATE" value="/wEPDwUK=="><input type="hidden" name="__EVENTVALIDATION" value="ev01">
<input type="hidden" name="__EVENTTARGET" value=""></div><input name="ctl00$txtKey" type="text" title="站内搜索">
<input type="submit" name="ctl00$btnSearch" value="搜索"><table><tr><td><span>用户名：</span></td><td><input
name="ctl00$Main$txtUser" type="text" id="Main_txtUser"></td></tr><tr><td>密&nbsp;&nbsp;码：</td><td><input
name="ctl00$Main$txtPwd" type="password"></td></tr></table><span class=red>{}</span><input type="submit"
name="ctl00$Main$btnLogin" value="登 录"></form>"""
        if asked.path != "/Account/Login.aspx":
            return Reply("", 404)
        form = asked.form()
        if asked.method == "GET" or "ctl00$Main$btnLogin" not in form:
            return Reply(page.format(""))
        if form.get("__VIEWSTATE") != "/wEPDwUK==" or form.get("__EVENTVALIDATION") != "ev01":
            return Reply("error", 500)
        if not self.accepts(form.get("ctl00$Main$txtUser"), form.get("ctl00$Main$txtPwd")):
            return Reply(page.format("用户名或密码不对！"))
        reply = redirect("/")
        self.begin(reply, user=USER)
        return reply


class Tabs(LoginSite):
    """A registration, a newsletter and a login in one page; the login is in a window that opens."""

    def login(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            return Reply("""<style>.modal,.code-row{display:none}</style><form action=/news method=post>
<input type=email name=email placeholder="Your email"><button>Subscribe</button></form>
<form action=/register method=post><input name=user_name placeholder=用户名><input type=password name=pw1>
<input type=password name=pw2 placeholder=确认密码><input name=captcha><img src=/captcha.png>
<button>注册</button></form>
<div class=modal><form action=/session method=post><input name=act type=hidden value=in><div><input name=nickname
placeholder="昵称/手机号"></div><div><input name=secret type=password></div><div class=code-row><input name=captcha>
<img src=/captcha.png></div><button name=go value=1>登录</button></form></div>""")
        form = asked.form()
        if asked.path != "/session" or form.get("act") != "in" or form.get("go") != "1":
            return Reply("", 400)
        if not self.accepts(form.get("nickname"), form.get("secret")):
            return Reply('{"ret": -1, "msg": "昵称或密码不对"}', kind="application/json")
        reply = Reply('{"ret": 0, "msg": "ok", "url": "/"}', kind="application/json")
        self.begin(reply, user=USER)
        return reply


class ChineseNames(LoginSite):
    """GBK names of fields, and a frame set."""

    def login(self, asked: Asked) -> Reply:
        if asked.path == "/oa":
            return Reply(
                "<frameset cols=10,*><frame src=/top.asp><frame src=/oa/login.asp>",
                charset="gbk",
            )
        if asked.method == "GET":
            return Reply(
                """<meta http-equiv=Content-Type content="text/html; charset=gb2312"><form
action=check.asp method=post>用户：<input type=text name=用户 size=12>密码：<input type=password name=密码 size=12>
<input type=submit value=进入系统 name=Submit></form>""",
                charset="gb2312",
            )
        form = asked.form("gbk")
        if form.get("Submit") != "进入系统":
            return Reply("", 400)
        if not self.accepts(form.get("用户"), form.get("密码")):
            return Reply(
                "<script>alert('密码不对，请重新输入！');history.go(-1);</script>", charset="gbk"
            )
        reply = Reply("<script language=javascript>top.location.href='/'</script>", charset="gbk")
        self.begin(reply, user=USER)
        return reply


class HeaderToken(LoginSite):
    """A token in a header of its own; the API counts its codes from 200."""

    def wall(self, asked: Asked) -> Reply:
        return Reply('{"code":401,"msg":"未登录"}', 401, kind="application/json")

    def session(self, asked: Asked) -> dict[str, object] | None:
        return self.sessions.get(asked.headers.get("x-token", ""))

    def login(self, asked: Asked) -> Reply:
        data = asked.json() if asked.method == "POST" else {}
        if not self.accepts(data.get("loginName"), data.get("pwd")):
            return Reply('{"code":500,"msg":"账号密码不正确","data":null}', kind="application/json")
        token = secrets.token_hex(24)
        self.sessions[token] = {"user": USER, "left": self.lasting}
        answer = {"code": 200, "msg": "操作成功", "data": {"token": token, "tokenHead": "Bearer"}}
        return Reply(json.dumps(answer), kind="application/json")


class TokenCookie(LoginSite):
    """A token that the page's script keeps in a cookie."""

    cookie_name = "Admin-Token"

    def wall(self, asked: Asked) -> Reply:
        return Reply("<title>登录</title><div id=app></div><p>请登录</p>")

    def login(self, asked: Asked) -> Reply:
        data = asked.json() if asked.method == "POST" else {}
        if data.get("type") != "account" or not self.accepts(
            data.get("username"), data.get("password")
        ):
            return Reply(
                '{"message": "Invalid username or password"}', 400, kind="application/json"
            )
        token = secrets.token_hex(24)
        self.sessions[token] = {"user": USER, "left": self.lasting}
        return Reply(json.dumps({"token": token}), kind="application/json")


class OpenIdSite(LoginSite):
    """OpenID Connect: an authorization code over another host, and ``state`` in a cookie."""

    cookie_name = "app"

    def __init__(self) -> None:
        super().__init__()
        self.provider = Provider()

    def wall(self, asked: Asked) -> Reply:
        return redirect("/oauth2/start")

    def login(self, asked: Asked) -> Reply:
        if asked.path == "/oauth2/start":
            state = secrets.token_hex(8)
            query = f"client_id=app&state={state}&redirect_uri={self.url}/oauth2/callback"
            return redirect(f"{self.provider.url}/realms/main/auth?{query}").cookie(
                f"state={state}; Path=/"
            )
        if asked.path != "/oauth2/callback" or asked.query.get("state") != asked.cookies.get(
            "state"
        ):
            return Reply("", 400)
        if asked.query.get("code") not in self.provider.codes:
            return Reply("", 403)
        self.logins += 1
        reply = redirect("/")
        self.begin(reply, user=USER)
        return reply


class Provider(LoginSite):
    """The provider: first the name, then the password, on one address."""

    cookie_name = "AUTH_SESSION_ID"

    def __init__(self) -> None:
        super().__init__()
        self.codes: set[str] = set()

    def login(self, asked: Asked) -> Reply:
        if asked.path == "/realms/main/auth":
            reply = Reply(self.step("username", "text", "Email or username"))
            self.begin(reply, to=asked.query["redirect_uri"], state=asked.query["state"])
            return reply
        session, form = self.session(asked), asked.form()
        if asked.path != "/realms/main/step" or session is None:
            return Reply("", 400)
        if "username" in form:
            session["name"] = form["username"]
            return Reply(self.step("password", "password", "Password"))
        if not self.accepts(session.get("name"), form.get("password")):
            return Reply(
                "<span>Invalid password.</span>" + self.step("password", "password", "Password")
            )
        code = secrets.token_hex(8)
        self.codes.add(code)
        return redirect(f"{session['to']}?state={session['state']}&code={code}")

    def step(self, name: str, kind: str, label: str) -> str:
        return f"""<html class=login-pf><h1>Sign in to your account</h1><form id=kc-form-login method=post
action="{self.url}/realms/main/step"><label for={name}>{label}</label><input id={name} name={name} type={kind}
autofocus><input type=hidden name=credentialId><input type=submit value="Sign In"></form></html>"""


class PersonOnly(LoginSite):
    """Login pages that ask for what only a person can answer."""

    #: What stands in the form, beside the name and the password.
    WAYS = (
        '<div class="g-recaptcha" data-sitekey="6Lc"></div>',
        '<p>验证码 <input name=v type=text size=4> <img src="/code.php?t=1"></p>',
        '<label>3 + 5 = ? 请输入计算结果<input name=answer></label><img src="/yzm.aspx">',
        '<div id="captcha-box" class="geetest_holder"><div class="geetest_btn">点击按钮进行验证</div></div>',
        '<input name=mobileCode placeholder=短信验证码><button type=button>获取验证码</button>',
        '<input type=text id=VerifyCode name=VerifyCode>',
    )  # fmt: skip

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way = way

    def login(self, asked: Asked) -> Reply:
        if asked.method == "POST":
            self.refused += 1
        return Reply(f"""<form method=post action=/login><input name=account placeholder=账号>
<input name=passwd type=password>{self.way}<input type=submit value=登录></form>""")


class CaptchaAfterFailure(LoginSite):
    """A captcha that appears once a login has failed."""

    def login(self, asked: Asked) -> Reply:
        extra = ""
        if asked.method == "POST":
            self.accepts("", "")
            extra = "<p>验证码<input name=vcode><img src=/vcode.gif></p>"
        return Reply(f"""<form method=post action=/login><input name=account><input name=passwd type=password>
{extra}<input type=submit value=登录></form>""")
