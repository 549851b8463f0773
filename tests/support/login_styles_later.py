"""Login styles that were written after the rules, to judge them."""

from __future__ import annotations

import hashlib
import json
import re
import secrets

from tests.support.login_server import PASSWORD, USER, Asked, LoginSite, Reply, redirect


class Digest(LoginSite):
    """HTTP digest with qop, a nonce that ends after some uses and a fresh one."""

    nonce_uses = 4

    def __init__(self) -> None:
        super().__init__()
        self.nonces: dict[str, int] = {}

    def may_see(self, asked: Asked) -> bool:
        header = asked.headers.get("authorization", "")
        given = dict(re.findall(r'(\w+)="?([^",]+)"?', header))
        nonce = given.get("nonce", "")
        if self.nonces.get(nonce, 0) <= 0:
            return False
        self.nonces[nonce] -= 1

        def md5(text: str) -> str:
            return hashlib.md5(text.encode()).hexdigest()

        one, two = md5(f"{USER}:里 屋:{PASSWORD}"), md5(f"{asked.method}:{asked.path}")
        middle = f"{nonce}:{given['nc']}:{given['cnonce']}:auth"
        return self.accepts(
            USER, PASSWORD if given["response"] == md5(f"{one}:{middle}:{two}") else ""
        )

    def wall(self, asked: Asked) -> Reply:
        nonce = secrets.token_hex(8)
        self.nonces[nonce] = self.nonce_uses
        challenge = f'Digest realm="里 屋", qop="auth", nonce="{nonce}", algorithm=MD5, opaque="zz"'
        header = challenge.encode().decode("latin-1")
        return Reply("", 401, [("WWW-Authenticate", header)])


class MetaToken(LoginSite):
    """Rails or Laravel: a token in a meta tag, taken from a header; the button is outside of the form."""

    cookie_name = "_app_session"

    def login(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            token, reply = secrets.token_urlsafe(32), Reply()
            self.begin(reply, token=token)
            reply.body = f"""<html><head><meta name="csrf-param" content="authenticity_token">
<meta name="csrf-token" content="{token}"></head><body><header><a href=/signup>Sign up</a></header>
<form class=new_user id=new_user action="/login" method=post data-remote=true>
<div class=field><input type=email name="user[email]" autofocus></div>
<div class=field><input type=password name="user[password]" autocomplete=current-password></div>
<input type=hidden name="user[remember_me]" value=0></form>
<button type=submit form=new_user name=commit value="Log in">Log in</button></body></html>"""
            return reply
        session, form = self.session(asked), asked.form()
        if session is None or asked.headers.get("x-csrf-token") != session.get("token"):
            return Reply("Can't verify CSRF token authenticity.", 422)
        if not self.accepts(form.get("user[email]"), form.get("user[password]")):
            return Reply("<div class=alert>Invalid Email or password.</div>", 200)
        reply = redirect("/", 303)
        self.begin(reply, user=USER)
        return reply


class DjangoLike(LoginSite):
    """Double submission: the cookie must equal a field, and the Referer be the site's."""

    cookie_name = "sessionid"

    def wall(self, asked: Asked) -> Reply:
        return redirect(f"{self.url}/accounts/login/?next={asked.path}")

    def login(self, asked: Asked) -> Reply:
        if asked.path != "/accounts/login/":
            return Reply("", 404)
        if asked.method == "GET":
            token = secrets.token_hex(20)
            return Reply(f"""<form method="post"><input type="hidden" name="csrfmiddlewaretoken"
value="{token}"><p><label for="id_username">用户名：</label> <input type="text" name="username"
id="id_username" maxlength=254 required></p><p><label for="id_password">密码：</label>
<input type="password" name="password" required id="id_password"></p>
<input type="submit" value="登录"><input type="hidden" name="next" value="/"></form>""").cookie(
                f"csrftoken={token}; Path=/; SameSite=Lax"
            )
        form = asked.form()
        good = form.get("csrfmiddlewaretoken") == asked.cookies.get("csrftoken", "-")
        if not good or not asked.headers.get("referer", "").startswith(self.url):
            return Reply("<h1>禁止访问 (403)</h1><p>CSRF验证失败</p>", 403)
        if not self.accepts(form.get("username"), form.get("password")):
            return Reply(
                "<ul class=errorlist><li>请输入一个正确的用户名和密码</ul><form method=post>"
                "<input name=username><input type=password name=password></form>"
            )
        reply = redirect(form.get("next") or "/")
        self.begin(reply, user=USER)
        return reply


class ScriptToken(LoginSite):
    """A token in an inline script, which fills in a hidden field; a first cookie from the front page."""

    def login(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            token, reply = secrets.token_hex(12), Reply()
            self.begin(reply, token=token)
            reply.body = f"""<script>var pageConfig = {{"lang": "zh", "csrfToken": "{token}"}};</script>
<div class="login-box"><form id=loginForm action="/dologin.do" method="POST">
<input type="hidden" id="csrfToken" name="csrfToken" value="">
<input type="text" name="zhanghao" placeholder="请输入帐号"><input type="text" name="website"
style="position:absolute;left:-9999px" tabindex=-1>
<input type="password" name="mima" placeholder="请输入密码">
<a href="javascript:;" onclick="$('#csrfToken').val(pageConfig.csrfToken);f.submit()">登 录</a>
</form></div>"""
            return reply
        session, form = self.session(asked), asked.form()
        if session is None or form.get("csrfToken") != session.get("token") or form.get("website"):
            return Reply("<script>alert('非法请求');history.back()</script>")
        if not self.accepts(form.get("zhanghao"), form.get("mima")):
            return Reply("<script>alert('帐号或密码错误');history.back()</script>")
        session["user"] = USER
        return Reply('<script>window.location.href="/";</script>')


class JsonCookies(LoginSite):
    """A JSON login of a single-page application: XSRF-TOKEN as a header, a cookie as the session."""

    cookie_name = "SESSION"

    def answer(self, asked: Asked) -> Reply:
        reply = super().answer(asked)
        if "XSRF-TOKEN" not in asked.cookies:
            reply.cookie(f"XSRF-TOKEN={secrets.token_hex(16)}; Path=/")
        return reply

    def wall(self, asked: Asked) -> Reply:
        return Reply("<title>提示</title><div class=tip>请先登录后再查看本页内容</div>")

    def login(self, asked: Asked) -> Reply:
        if asked.path != "/api/auth/login":
            return Reply("", 404)
        if asked.headers.get("x-xsrf-token") != asked.cookies.get("XSRF-TOKEN", "-"):
            return Reply('{"status": 403}', 403, kind="application/json")
        data = asked.json()
        if not self.accepts(data["account"]["phone"], data["account"]["password"]):
            return Reply('{"success": false, "msg": "登录失败"}', kind="application/json")
        reply = Reply(
            json.dumps({"success": True, "user": {"name": "林"}}), kind="application/json"
        )
        self.begin(reply, user=USER)
        return reply


class CasService(LoginSite):
    """A site whose login is on another host: redirects with a service ticket, which it checks there."""

    cookie_name = "APPSESSION"

    def __init__(self) -> None:
        super().__init__()
        self.cas = CasServer()

    def wall(self, asked: Asked) -> Reply:
        return redirect(f"{self.cas.url}/cas/login?service={self.url}/sso/callback")

    def login(self, asked: Asked) -> Reply:
        if asked.path == "/sso/callback":
            if not self.cas.tickets.pop(asked.query.get("ticket", ""), None):
                return Reply("ticket", 403)
            self.logins += 1
            reply = redirect("/")
            self.begin(reply, user=USER)
            return reply
        if asked.path == "/user/login":
            return self.wall(asked)
        return Reply("", 404)


class CasServer(LoginSite):
    """Its login server: a form with ``lt`` and ``execution``."""

    cookie_name = "CASTGC"

    def __init__(self) -> None:
        super().__init__()
        self.tickets: dict[str, bool] = {}
        self.flows: set[str] = set()

    def login(self, asked: Asked) -> Reply:
        if asked.path != "/cas/login":
            return Reply("", 404)
        if asked.method == "GET":
            flow = secrets.token_hex(8)
            self.flows.add(flow)
            query = f"?service={asked.query.get('service', '')}"
            return Reply(f"""<title>统一身份认证平台</title><form id="fm1" action="/cas/login{query}"
method="post"><section class="row"><label for="username">学号/工号</label><input id="username"
name="username" tabindex="1" type="text" value="" autocomplete="off"></section><section><label
for="password">密码</label><input id="password" name="password" type="password"></section>
<input type="hidden" name="lt" value="LT-{flow}"><input type="hidden" name="execution" value="{flow}">
<input type="hidden" name="_eventId" value="submit"><input class="btn" name="submit" type="submit"
value="登录"></form><a href="/reset">忘记密码</a>""")
        form = asked.form()
        if form.get("execution") not in self.flows or form.get("_eventId") != "submit":
            return Reply("", 400)
        if not self.accepts(form.get("username"), form.get("password")):
            return Reply("<div id=msg>认证信息无效。</div>", 401)
        ticket = f"ST-{secrets.token_hex(8)}"
        self.tickets[ticket] = True
        reply = redirect(f"{asked.query['service']}?ticket={ticket}")
        self.begin(reply, user=USER)
        return reply


class SelfSubmitting(LoginSite):
    """After the password, a page posts an assertion by itself (SAML's HTTP-POST binding)."""

    def login(self, asked: Asked) -> Reply:
        if asked.path == "/saml/acs":
            session = self.sessions.get(asked.form().get("SAMLResponse", ""))
            if session is None or asked.method != "POST":
                return Reply("", 400)
            reply = redirect("/", 303)
            self.begin(reply, user=USER)
            return reply
        if asked.method == "GET":
            return Reply("""<form action="/idp" method="post" enctype="multipart/form-data"><table><tr>
<td>登录名</td><td><input name="j_username"></td></tr><tr><td>口令</td><td><input type="password"
name="j_password"></td></tr></table><label><input type=checkbox name=xy value=y>我已阅读并同意用户协议</label>
<input type="image" src="go.gif" name="go"></form>""")
        body = asked.body.decode()
        form = dict(re.findall(r'name="([^"]+)"\r\n\r\n([^\r]*)\r\n', body))
        if form.get("xy") != "y" or "go.x" not in form:
            return Reply(
                "<p>请先同意协议</p><form method=post><input name=j_username>"
                "<input type=password name=j_password></form>"
            )
        if not self.accepts(form.get("j_username"), form.get("j_password")):
            return Reply("<p>登录失败</p>")
        key = secrets.token_hex(8)
        self.sessions[key] = {}
        return Reply(f"""<body onload="document.forms[0].submit()"><noscript>继续</noscript>
<form action="/saml/acs" method="post"><input type="hidden" name="SAMLResponse" value="{key}"/>
<input type="hidden" name="RelayState" value="r1"/></form></body>""")


class Salted(LoginSite):
    """An old portal: GBK, pinyin names, ``md5(md5(password) + salt)``, a GET form inside a frame."""

    def wall(self, asked: Asked) -> Reply:
        return Reply(
            "<script>alert('会话超时，请重新登录');top.location='/index.asp'</script>",
            charset="gbk",
        )

    def login(self, asked: Asked) -> Reply:
        if asked.path == "/index.asp":
            return Reply(
                '<iframe src="/inc/login.asp" width=200></iframe><p>办公系统</p>', charset="gbk"
            )
        if asked.path == "/inc/login.asp":
            salt, reply = secrets.token_hex(4), Reply(charset="gbk")
            self.begin(reply, salt=salt)
            reply.body = f"""<form name=f action=chk.asp method=get><input type=hidden name=sjs value={salt}>
姓名：<input name=yhm size=10><br>密码：<input type=password id=mm0><input type=hidden name=mm>
<input type=button value=登录 onclick=go()></form>"""
            return reply
        session = self.session(asked)
        if asked.path != "/inc/chk.asp" or session is None:
            return Reply("", 404)
        inner = hashlib.md5(PASSWORD.encode()).hexdigest()
        good = (
            asked.query.get("mm") == hashlib.md5(f"{inner}{session['salt']}".encode()).hexdigest()
        )
        # The name comes in GBK, which the server of the test reads as UTF-8.
        if not good or "yhm" not in asked.query:
            self.refused += 1
            return Reply("<script>alert('口令不正确')</script>口令不正确", charset="gbk")
        self.logins += 1
        session["user"] = USER
        return redirect("/")


class Captcha(LoginSite):
    """A field for the characters of a picture."""

    def login(self, asked: Asked) -> Reply:
        if asked.method == "POST":
            self.refused += 1
        return Reply("""<form method=post action=/login><input name=user placeholder=用户名>
<input name=pass type=password placeholder=密码><input name=code maxlength=4>
<img src="/kaptcha.jpg" onclick="this.src='/kaptcha.jpg?'+Math.random()"><button>登录</button></form>""")


class Slider(LoginSite):
    """A slider to drag."""

    def login(self, asked: Asked) -> Reply:
        if asked.method == "POST":
            self.refused += 1
        return Reply("""<div class=panel><form method=post action=/login><input name=loginName>
<input name=loginPwd type=password><div id="drag"><div class="drag_bg"></div>
<div class="drag_text">请按住滑块，拖动到最右边</div></div><button>登录</button></form></div>""")


#: Their tables in logins.toml.
TEXTS = {
    Digest: 'kind = "digest"\nurl = "{url}/p/0.html"\nSECRETS',
    MetaToken: 'url = "{url}/login"\nSECRETS',
    DjangoLike: 'url = "{url}/accounts/login/"\nSECRETS',
    ScriptToken: 'url = "{url}/login"\nSECRETS',
    JsonCookies: 'kind = "json"\nurl = "{url}/api/auth/login"\nuser_field = "account.phone"\n'
    'password_field = "account.password"\nSECRETS',
    SelfSubmitting: 'url = "{url}/sp"\nSECRETS',
    Salted: 'url = "{url}/index.asp"\ntransform = ["md5", "+sjs", "md5"]\nSECRETS',
}
