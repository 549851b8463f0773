"""Words that login pages use, in English, Chinese and pinyin.

Collected from the login templates of Discuz, phpwind, DedeCMS, WordPress, Django, Rails, Spring Security,
Keycloak and CAS, and from common abbreviations of pinyin; not from measurements.
"""

from __future__ import annotations

import re
from typing import Final

#: Fields for the name of a user.
USER: Final = re.compile(
    r"user|usr|uname|login|logon|account|acct|acc\b|e-?mail|mobile|phone|member|nick|\bname\b|\bid\b|uid"
    r"|identifier|yonghu|yhm|zhanghao|zhang_?hu|\bzh\b|dlm|dengluming|xuehao|gonghao|youxiang|shouji"
    r"|用户|帐号|账号|帐户|账户|会员|邮箱|手机|学号|工号|昵称|登录名|登陆名|卡号|证号|通行证",
)
#: Fields for a password that are not of type ``password``.
PASSWORD: Final = re.compile(r"passw|passwd|\bpwd|pwd\b|mima|密码|口令")
#: Fields that ask for a captcha.
CAPTCHA: Final = re.compile(
    r"captcha|kaptcha|verify_?-?code|verification_?-?code|ver_?code|v_?code\b|vcode|vdcode|chk_?code"
    r"|check_?code|yzm|yanzhengma|yan_zheng|seccode|sec_?code|auth_?code|security_?code|safe_?code|rand_?code"
    r"|vali_?code|validate_?code|valid_?code|image_?code|img_?code|pic_?code|turing|验证码|校验码|验证问题"
    r"|附加码|识别码|图中|图片中|characters (?:above|shown)|not a robot|geetest|cf-turnstile|g-recaptcha|h-captcha"
)
#: Fields that ask for a code that was sent to a person.
ONE_TIME: Final = re.compile(
    r"one-time-code|\botp\b|totp|sms_?code|smscode|dynamic_?code|2fa|mfa|two.?factor|动态码|动态口令|动态密码"
    r"|短信验证码|手机验证码|短信码|令牌"
)
#: Pictures of captchas: address, id, class or text.
CAPTCHA_PICTURE: Final = re.compile(
    r"captcha|kaptcha|verify_?-?(?:code|img|image|pic)|verification|vcode|vdimg|vdcode|check_?code|yzm|yanzheng"
    r"|seccode|auth_?(?:code|img)|rand_?(?:code|img|om)|vali(?:date)?_?(?:code|img)|image_?code|验证码|看不清|换一张"
)
#: Elements of captchas to slide, click or solve: class, id or data attribute.
CAPTCHA_WIDGET: Final = re.compile(
    r"g-recaptcha|h-captcha|cf-turnstile|geetest|gt_(?:captcha|slider)|tcaptcha|tencentcaptcha|yidun|nc-container"
    r"|nc_wrapper|nc_1|slide-?verify|slider-?captcha|verify-?slide|slidecaptcha|drag-?verify|captcha-?(?:slider|box)"
    r"|vaptcha|dx-?captcha|aliyuncaptcha|smcaptcha|jigsaw|puzzle-?(?:slider|captcha)"
)
#: What a page asks of a person before it logs in.
CAPTCHA_TEXT: Final = re.compile(
    r"(?:拖动|拖拽|滑动|按住)(?:左边|下方|右侧)?(?:的)?滑块|请完成(?:安全)?验证|点击按钮进行验证|依次点击|拼图"
    r"|drag the slider|slide to (?:verify|unlock)|complete the (?:captcha|puzzle)"
)
#: Forms for something else than a login.
OTHER_FORM: Final = re.compile(
    r"regist|sign-?_?up|create-?_?account|newsletter|subscri|forgot|reset|recover|找回|注册|重置|zhuce|search|sousuo|搜索|检索"
)
#: Forms for a login.
LOGIN_FORM: Final = re.compile(
    r"log-?_?[io]n|sign-?_?in|signon|auth|passport|session|denglu|登录|登陆|登入|\bsso\b|\bcas\b"
)
#: Names of tokens against forged requests.
TOKEN: Final = re.compile(
    r"csrf|xsrf|_token|^token$|authenticity|formhash|form_?key|nonce|__requestverification|_wpnonce|hash$|posttoken",
    re.IGNORECASE,
)
#: Boxes that must be ticked.
AGREEMENT: Final = re.compile(r"agree|accept|terms|policy|xieyi|同意|协议|条款")
#: Links to a login page, whole texts.
LOGIN_LINK: Final = re.compile(
    r"(?:请|会员|用户|帐号|账号|立即|马上|密码)?(?:登录|登陆|登入)|(?:log|sign) ?-?(?:in|on)|login|member login",
    re.IGNORECASE,
)
#: Links that end a session, whole texts.
LOGOUT_LINK: Final = re.compile(
    r"\[?(?:安全|账号|帐号|用户)?(?:退出|注销|登出|签退)(?:登录|登陆|系统|账号|帐号)?\]?|(?:log|sign) ?-?(?:out|off)"
    r"|logout|disconnect",
    re.IGNORECASE,
)
#: Addresses that end a session.
LOGOUT_ADDRESS: Final = re.compile(
    r"(?:^|[/?&=_.-])(?:log-?_?out|log-?_?off|sign-?_?out|sign-?_?off|tuichu|zhuxiao|end-?session)(?:$|[/?&=_.#-])",
    re.IGNORECASE,
)
#: Paths of login pages.
LOGIN_PATH: Final = re.compile(
    r"/(?:[\w-]*(?:log-?_?in|log-?_?on|sign-?_?in|denglu)|(?:[\w-]*[_-])?(?:passport|sso|cas|auth(?:orize)?))"
    r"(?:[_.-]\w++)*+(?:$|[/?;])",
    re.IGNORECASE,
)
#: Answers to a wrong name or password.
REFUSED: Final = re.compile(
    r"(?:密码|口令|用户名?|账号|帐号|账户|帐户|凭证|身份)[^。<>\n]{0,14}(?:错误|不正确|有误|不存在|不匹配|不符|无效|失败)"
    r"|登[录陆入]失败|(?:错误|无效|不正确)的?(?:用户|账号|帐号|密码)|还可以尝试|认证失败|鉴权失败"
    r"|(?:invalid|incorrect|wrong|bad)\s+(?:user|login|pass|credential|e-?mail|account)"
    r"|(?:password|login|credentials?|username|user name|sign-?in)\b[^.<]{0,40}"
    r"(?:incorrect|invalid|wrong|failed|not match|n.t match|not recogni[sz]ed|mismatch|unsuccessful)"
    r"|authentication fail|unknown user|no such user|log ?in fail|unauthorized",
    re.IGNORECASE,
)
#: Answers after too many tries.
LOCKED: Final = re.compile(
    r"(?:账号|帐号|账户|用户|登录)[^。<>\n]{0,8}(?:锁定|冻结|禁用|停用)|尝试次数|过于频繁"
    r"|too many (?:attempts|tries|failed)"
    r"|account (?:is |has been )?(?:locked|disabled|suspended)",
    re.IGNORECASE,
)
#: What a page says to those who are not logged in.
WALL_TEXT: Final = re.compile(
    r"请(?:您)?(?:先)?(?:登录|登陆|登入)|(?:登录|登陆)(?:后|之后|以后|才)(?:才?能|才?可以?|方可|即可|再|继续|查看|浏览|阅读)"
    r"|(?:您|你|用户)?(?:还|尚)?(?:没有|未|没)(?:登录|登陆)|需要(?:先)?(?:登录|登陆)|(?:仅|只)(?:限|对)?(?:会员|登录用户|注册用户)"
    r"|(?:会话|登录|登陆|身份)(?:状态|信息)?(?:已)?(?:过期|超时|失效)|重新(?:登录|登陆)"
    r"|(?:please|must|need to|have to|you are not) (?:first )?(?:log|sign|logged|signed) ?-?in"
    r"|(?:log|sign) ?-?in (?:to (?:continue|view|read|see|access)|required|first)|login (?:is )?required"
    r"|session (?:has )?(?:expired|timed out)|members only|authentication required",
    re.IGNORECASE,
)
