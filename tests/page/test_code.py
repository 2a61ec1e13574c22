"""Code as various tools mark it up: its language, its lines, and the elements in it that are not code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bonmun
from bonmun import Page
from bonmun.page.code_language import find_language
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

LANGUAGES = {
    "language-x": ('<pre><code class="language-python">a = 1</code></pre>', "python"),
    "lang-x": ('<pre class="lang-js"><code>a</code></pre>', "js"),
    "GitHub": ('<div class="highlight highlight-source-rust"><pre>fn main() {}</pre></div>', "rust"),
    "gh-shell": ('<div class="highlight highlight-source-shell notranslate"><pre>ls</pre></div>', "shell"),
    "gh-objc": ('<div class="highlight highlight-source-objc"><pre>ls</pre></div>', "objc"),
    "gh-html": ('<div class="highlight highlight-text-html-basic"><pre>ls</pre></div>', "html"),
    "gh-cpp": ('<div class="highlight highlight-source-c++"><pre>ls</pre></div>', "c++"),
    "gh-cs": ('<div class="highlight highlight-source-cs"><pre>ls</pre></div>', "cs"),
    "sphinx": ('<div class="highlight-python notranslate"><div class="highlight"><pre>a</pre></div></div>', "python"),
    "sphinx3": (
        '<div class="highlight-python3 notranslate"><div class="highlight"><pre>a</pre></div></div>',
        "python3",
    ),
    "sphinx-ipy": (
        '<div class="highlight-ipython3 notranslate"><div class="highlight"><pre>a</pre></div></div>',
        "ipython3",
    ),
    "sphinx-default": (
        '<div class="highlight-default notranslate"><div class="highlight"><pre>a</pre></div></div>',
        "",
    ),
    "sphinx-c++": ('<div class="highlight-c++ notranslate"><div class="highlight"><pre>a</pre></div></div>', "c++"),
    "brush": ('<pre class="brush: js; title: a">x</pre>', "js"),
    "brush2": ('<pre class="brush:php">x</pre>', "php"),
    "brush3": ('<pre class="toolbar:1 brush: plain">x</pre>', ""),
    "data-lang": ('<pre><code data-lang="go">x</code></pre>', "go"),
    "data-language": ('<pre data-language="TypeScript"><code>x</code></pre>', "typescript"),
    "hljs": ('<pre><code class="hljs cpp">x</code></pre>', "cpp"),
    "hljs-lang": ('<pre><code class="hljs language-java">x</code></pre>', "java"),
    "hljs c#": ('<pre><code class="hljs cs">x</code></pre>', "cs"),
    "prism": ('<pre class=" language-css"><code class=" language-css">x</code></pre>', "css"),
    "shiki": ('<pre class="shiki github-dark" style="x" data-language="ts"><code>x</code></pre>', "ts"),
    "shiki2": (
        '<div class="language-ts vp-adaptive-theme"><button></button><span class="lang">ts</span><pre class="shiki"><code>x</code></pre></div>',
        "ts",
    ),
    "rouge": (
        '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>x</code></pre></div></div>',
        "ruby",
    ),
    "chroma": (
        '<div class="highlight"><pre tabindex="0" class="chroma"><code class="language-go" data-lang="go">x</code></pre></div>',
        "go",
    ),
    "pygments": ('<div class="codehilite python"><pre>x</pre></div>', "python"),
    "pandoc": (
        '<div class="sourceCode" id="cb1"><pre class="sourceCode python"><code class="sourceCode python">x</code></pre></div>',
        "python",
    ),
    "hexo": (
        '<figure class="highlight java"><table><tr><td class="gutter"><pre><span class="line">1</span><br></pre></td><td class="code"><pre><span class="line">x</span></pre></td></tr></table></figure>',
        "java",
    ),
    "plain": ('<pre><code class="language-text">x</code></pre>', ""),
    "plain2": ('<pre><code class="hljs plaintext">x</code></pre>', ""),
    "nohighlight": ('<pre><code class="nohighlight">x</code></pre>', ""),
    "Stack Overflow": ('<pre class="lang-py s-code-block"><code class="hljs language-python">x</code></pre>', "python"),
    "prettyprint": ('<pre class="prettyprint lang-java">x</pre>', "java"),
    "WordPress": ('<pre class="wp-block-code"><code lang="php" class="language-php">x</code></pre>', "php"),
    "enlighter": ('<pre class="EnlighterJSRAW" data-enlighter-language="python">x</pre>', "python"),
    "pre lang": ('<pre lang="python">x</pre>', "python"),
    "crayon": ('<pre class="crayon-plain-tag lang:python decode:true">x</pre>', "python"),
    "MediaWiki": (
        '<div class="mw-highlight mw-highlight-lang-python mw-content-ltr" dir="ltr"><pre>x</pre></div>',
        "python",
    ),
    "asciidoc": (
        '<div class="listingblock"><div class="content"><pre class="highlight"><code class="language-yaml" data-lang="yaml">x</code></pre></div></div>',
        "yaml",
    ),
    "docusaurus": (
        '<div class="language-bash codeBlockContainer_x"><div class="y"><pre class="prism-code language-bash"><code>x</code></pre></div></div>',
        "bash",
    ),
    "r is a class": ('<div class="r"><pre>x</pre></div>', ""),
    "words of a class": ('<pre class="go home now">x</pre>', ""),
    "body": ('<body class="language-selector"><pre>x</pre>', ""),
    "English": ('<div class="lang-en"><pre>x</pre></div>', ""),
    "German": ('<div class="lang-de_de"><pre>x</pre></div>', ""),
    "highlight-box": ('<div class="highlight-box"><pre>x</pre></div>', ""),
    "d-flex": ('<pre class="d-flex">x</pre>', ""),
    "empty": ('<pre class="language-">x</pre>', ""),
    "markdown around": ('<div class="markdown"><pre>x</pre></div>', ""),
    "body lang-en": ('<body class="lang-en"><main><pre>x</pre></main>', ""),
    "obj-c": ('<pre class="language-objective-c"><code>x</code></pre>', "objective-c"),
    "shell-session": ('<pre class="language-shell-session"><code>x</code></pre>', "shell-session"),
    "c#": ('<pre class="language-c#"><code>x</code></pre>', "c#"),
    "c++ with line-numbers": ('<pre class="language-c++ line-numbers"><code>x</code></pre>', "c++"),
    "python-repl": ('<pre class="language-python-repl"><code>x</code></pre>', "python-repl"),
    "upper": ('<pre class="language-JSON"><code>x</code></pre>', "json"),
    "notion": ('<pre class="notion-code language-rust"><code class="language-rust">x</code></pre>', "rust"),
    "vuepress": ('<div class="language-js extra-class"><pre class="language-js"><code>x</code></pre></div>', "js"),
    "code with language:": ('<pre><code class="language:python">x</code></pre>', "python"),
    "sh_": ('<pre class="sh_python">x</pre>', "python"),
    "src-org": ('<div class="org-src-container"><pre class="src src-python">x</pre></div>', "python"),
    "code-lang": ('<pre class="code python literal-block">x</pre>', "python"),
    "Czech": ('<div class="lang-cs"><pre>x</pre></div>', ""),
    "Polish": ('<pre lang="pl">x</pre>', ""),
    "long": ('<pre data-lang="a language that is none">x</pre>', ""),
    "in a list": ('<pre class="lang-js"><ol><li><span>x</span></li></ol></pre>', "js"),
    "a list around": ('<ul class="language-js"><li class="language-js"><pre>x</pre></ul>', ""),
}
CODE = "def light(lamp):\n    lamp.on()\n    return lamp"
MAKERS = {
    "rouge": '<div class="language-python highlighter-rouge"><div class="highlight"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n3\n</pre></td><td class="rouge-code"><pre><span class="k">def</span> light(lamp):\n    lamp.on()\n    return lamp\n</pre></td></tr></tbody></table></code></pre></div></div>',
    "Pygments table": '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span class="normal">1</span>\n<span class="normal">2</span>\n<span class="normal">3</span></pre></div></td><td class="code"><div class="highlight"><pre><span></span>def light(lamp):\n    lamp.on()\n    return lamp\n</pre></div></td></tr></table>',
    "Pygments inline": '<div class="highlight"><pre><span></span><span class="linenos">1</span>def light(lamp):\n<span class="linenos">2</span>    lamp.on()\n<span class="linenos">3</span>    return lamp\n</pre></div>',
    "Pygments, old": '<div class="highlight"><pre><span class="lineno">1 </span>def light(lamp):\n<span class="lineno">2 </span>    lamp.on()\n<span class="lineno">3 </span>    return lamp\n</pre></div>',
    "mkdocs": '<div class="highlight"><pre id="__code_0"><span></span><button class="md-clipboard" title="Copy"></button><code><a id="a" name="a" href="#a"></a><span class="linenos" data-linenos="1 "></span>def light(lamp):\n<span class="linenos" data-linenos="2 "></span>    lamp.on()\n<span class="linenos" data-linenos="3 "></span>    return lamp\n</code></pre></div>',
    "chroma-table": '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span><span class="lnt">3\n</span></code></pre></td><td class="lntd"><pre tabindex="0" class="chroma"><code class="language-python" data-lang="python"><span class="line"><span class="cl">def light(lamp):\n</span></span><span class="line"><span class="cl">    lamp.on()\n</span></span><span class="line"><span class="cl">    return lamp\n</span></span></code></pre></td></tr></table></div></div>',
    "chroma-inline": '<div class="highlight"><pre class="chroma"><code class="language-python" data-lang="python"><span class="line"><span class="ln">1</span><span class="cl">def light(lamp):\n</span></span><span class="line"><span class="ln">2</span><span class="cl">    lamp.on()\n</span></span><span class="line"><span class="ln">3</span><span class="cl">    return lamp\n</span></span></code></pre></div>',
    "chroma-style": '<div class="highlight"><pre style="color:#f8f8f2"><code><span style="display:flex;"><span style="white-space:pre;-webkit-user-select:none;user-select:none;margin-right:0.4em">1</span><span>def light(lamp):\n</span></span><span style="display:flex;"><span style="white-space:pre;-webkit-user-select:none;user-select:none;margin-right:0.4em">2</span><span>    lamp.on()\n</span></span><span style="display:flex;"><span style="white-space:pre;-webkit-user-select:none;user-select:none">3</span><span>    return lamp\n</span></span></code></pre></div>',
    "hexo": '<figure class="highlight python"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br><span class="line">3</span><br></pre></td><td class="code"><pre><span class="line">def light(lamp):</span><br><span class="line">    lamp.on()</span><br><span class="line">    return lamp</span><br></pre></td></tr></table></figure>',
    "hljs-ln": '<pre><code class="hljs python"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-line hljs-ln-code" data-line-number="1">def light(lamp):</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers"><div class="hljs-ln-n"></div></td><td class="hljs-ln-line hljs-ln-code">    lamp.on()</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers"><div class="hljs-ln-n"></div></td><td class="hljs-ln-line hljs-ln-code">    return lamp</td></tr></tbody></table></code></pre>',
    "prism": '<div class="code-toolbar"><pre class="line-numbers language-python"><code class="language-python">def light(lamp):\n    lamp.on()\n    return lamp<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span><span></span></span></code></pre><div class="toolbar"><div class="toolbar-item"><button>Copy</button></div></div></div>',
    "prism-num": '<pre class="language-python"><code>def light(lamp):\n    lamp.on()\n    return lamp<span class="line-numbers-rows"><span>1</span><span>2</span><span>3</span></span></code></pre>',
    "SyntaxHighlighter": '<div id="highlighter_1" class="syntaxhighlighter python"><table border="0"><tbody><tr><td class="gutter"><div class="line number1 index0 alt2">1</div><div class="line number2 index1 alt1">2</div><div class="line number3">3</div></td><td class="code"><div class="container"><div class="line number1 index0 alt2"><code class="python keyword">def</code> <code class="python plain">light(lamp):</code></div><div class="line number2 index1 alt1"><code class="python spaces">&nbsp;&nbsp;&nbsp;&nbsp;</code><code class="python plain">lamp.on()</code></div><div class="line number3"><code class="python spaces">&nbsp;&nbsp;&nbsp;&nbsp;</code><code class="python keyword">return</code> <code class="python plain">lamp</code></div></div></td></tr></tbody></table></div>',
    "github-blob": '<div class="blob-wrapper"><table class="highlight tab-size js-file-line-container"><tbody><tr><td id="L1" class="blob-num js-line-number" data-line-number="1"></td><td id="LC1" class="blob-code blob-code-inner js-file-line">def light(lamp):</td></tr><tr><td class="blob-num"></td><td class="blob-code">    lamp.on()</td></tr><tr><td class="blob-num"></td><td class="blob-code">    return lamp</td></tr></tbody></table></div>',
    "github-blob-num": '<table class="highlight js-file-line-container"><tbody><tr><td class="blob-num">1</td><td class="blob-code">def light(lamp):</td></tr><tr><td class="blob-num">2</td><td class="blob-code">    lamp.on()</td></tr><tr><td class="blob-num">3</td><td class="blob-code">    return lamp</td></tr></tbody></table>',
    "react-syntax-highlighter": '<pre style="display:block"><code class="language-python" style="white-space:pre"><span class="react-syntax-highlighter-line-number linenumber" style="display:inline-block;user-select:none">1</span><span>def light(lamp):\n</span><span class="react-syntax-highlighter-line-number linenumber" style="user-select:none">2</span><span>    lamp.on()\n</span><span class="linenumber">3</span>    return lamp</code></pre>',
    "react-syntax-highlighter column": '<pre><code style="float:left"><span class="linenumber">1\n</span><span class="linenumber">2\n</span><span class="linenumber">3\n</span></code><code class="language-python">def light(lamp):\n    lamp.on()\n    return lamp</code></pre>',
    "unknown": '<pre class="x"><code><i class="zz">1</i>def light(lamp):\n<i class="zz">2</i>    lamp.on()\n<i class="zz">3</i>    return lamp</code></pre>',
    "unknown-div": '<pre class="x"><div><span class="css-1ab">1</span><span>def light(lamp):</span></div><div><span class="css-1ab">2</span><span>    lamp.on()</span></div><div><span class="css-1ab">3</span><span>    return lamp</span></div></pre>',
    "crayon": '<div class="crayon-syntax"><table class="crayon-table"><tr class="crayon-row"><td class="crayon-nums"><div class="crayon-nums-content"><div class="crayon-num">1</div><div class="crayon-num">2</div><div class="crayon-num">3</div></div></td><td class="crayon-code"><div class="crayon-pre"><div class="crayon-line">def light(lamp):</div><div class="crayon-line">    lamp.on()</div><div class="crayon-line">    return lamp</div></div></td></tr></table></div>',
    "Expressive Code": '<div class="expressive-code"><figure class="frame"><figcaption class="header"></figcaption><pre data-language="python"><code><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">1</div></div><div class="code"><span>def light(lamp):</span></div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">2</div></div><div class="code"><span class="indent">    </span>lamp.on()</div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">3</div></div><div class="code"><span class="indent">    </span>return lamp</div></div></code></pre><div class="copy"><button title="Copy to clipboard"><div></div></button></div></figure></div>',
    "Prettify": '<pre class="prettyprint linenums prettyprinted"><ol class="linenums"><li class="L0"><span class="kwd">def</span> light(lamp):</li><li class="L1">    lamp.on()</li><li class="L2">    return lamp</li></ol></pre>',
    "vitepress": '<div class="language-python line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">python</span><pre class="shiki github-dark vp-code"><code><span class="line">def light(lamp):</span>\n<span class="line">    lamp.on()</span>\n<span class="line">    return lamp</span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br><span class="line-number">3</span><br></div></div>',
    "docusaurus": '<div class="language-python codeBlockContainer_x theme-code-block"><div class="codeBlockContent_y"><pre tabindex="0" class="prism-code language-python"><code class="codeBlockLines_z"><span class="token-line" style="color:#393A34"><span class="token keyword">def</span> light(lamp):</span><br></span><span class="token-line">    lamp.on()<br></span><span class="token-line">    return lamp<br></span></code></pre><div class="buttonGroup"><button type="button" aria-label="Copy code to clipboard" class="clean-btn"><span><svg></svg></span>Copy</button></div></div></div>',
    "CodeMirror 6": '<div class="cm-editor"><div class="cm-scroller"><div class="cm-gutters" aria-hidden="true"><div class="cm-gutter cm-lineNumbers"><div class="cm-gutterElement">1</div><div class="cm-gutterElement">2</div><div class="cm-gutterElement">3</div></div></div><div class="cm-content" data-language="python"><div class="cm-line">def light(lamp):</div><div class="cm-line">    lamp.on()</div><div class="cm-line">    return lamp</div></div></div></div>',
    "CodeMirror 5": '<div class="CodeMirror"><div class="CodeMirror-code"><div style="position:relative"><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber CodeMirror-gutter-elt">1</div></div><pre class="CodeMirror-line"><span>def light(lamp):</span></pre></div><div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">2</div></div><pre class="CodeMirror-line"><span>    lamp.on()</span></pre></div><div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">3</div></div><pre class="CodeMirror-line"><span>    return lamp</span></pre></div></div></div>',
    "ace": '<div class="ace_editor"><div class="ace_gutter"><div class="ace_layer"><div class="ace_gutter-cell">1</div><div class="ace_gutter-cell">2</div><div class="ace_gutter-cell">3</div></div></div><div class="ace_scroller"><div class="ace_content"><div class="ace_layer ace_text-layer"><div class="ace_line">def light(lamp):</div><div class="ace_line">    lamp.on()</div><div class="ace_line">    return lamp</div></div></div></div></div>',
    "monaco": '<div class="monaco-editor"><div class="margin"><div class="line-numbers">1</div><div class="line-numbers">2</div><div class="line-numbers">3</div></div><div class="view-lines"><div class="view-line"><span>def&nbsp;light(lamp):</span></div><div class="view-line"><span>&nbsp;&nbsp;&nbsp;&nbsp;lamp.on()</span></div><div class="view-line"><span>&nbsp;&nbsp;&nbsp;&nbsp;return&nbsp;lamp</span></div></div></div>',
    "Sphinx copybutton": '<div class="highlight"><pre id="c1">def light(lamp):\n    lamp.on()\n    return lamp</pre><button class="copybtn o-tooltip--left" data-tooltip="Copy">Copy</button></div>',
    "GitHub": '<div class="highlight highlight-source-python"><pre>def light(lamp):\n    lamp.on()\n    return lamp</pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" class="ClipboardButton btn" value="x"><svg></svg></clipboard-copy></div></div>',
    "copy-div": '<div class="code-block"><div class="header"><span class="lang">python</span><button>Copy code</button></div><pre>def light(lamp):\n    lamp.on()\n    return lamp</pre></div>',
    "Color Scripter": '<div class="colorscripter-code"><table class="colorscripter-code-table"><tr><td><div><div>1</div><div>2</div><div>3</div></div></td><td><div><div>def&nbsp;light(lamp):</div><div>&nbsp;&nbsp;&nbsp;&nbsp;lamp.on()</div><div>&nbsp;&nbsp;&nbsp;&nbsp;<span>return</span>&nbsp;lamp</div></div><div><a href="/info#e">Colored by Color Scripter</a></div></td><td><a href="/info#e"><span>cs</span></a></td></tr></table></div>',
    "Color Scripter without numbers": '<table class="colorscripter-code-table"><tr><td><div><div>def&nbsp;light(lamp):</div><div>&nbsp;&nbsp;&nbsp;&nbsp;lamp.on()</div><div>&nbsp;&nbsp;&nbsp;&nbsp;return&nbsp;lamp</div></div><div><a href="/info#e">Colored by Color Scripter</a></div></td><td><a href="/info#e">cs</a></td></tr></table>',
    "table with a style": '<table style="font-family: Consolas"><tr><td>1<br>2<br>3</td><td><p>def light(lamp):</p><p>&nbsp;&nbsp;&nbsp;&nbsp;lamp.on()</p><p>&nbsp;&nbsp;&nbsp;&nbsp;return lamp</p></td></tr></table>',
    "table of two <pre>": "<table><tr><td><pre>1\n2\n3</pre></td><td><pre>def light(lamp):\n    lamp.on()\n    return lamp</pre></td></tr></table>",
    "box named after a language": '<div class="source"><div class="view language-python">def light(lamp):\n    <span>lamp</span>.on()\n    return lamp\n</div></div>',
    "copy-link": '<pre><a class="copy-button" role="button" href="#">Copy</a>def light(lamp):\n    lamp.on()\n    return lamp</pre>',
}


def read_code(markup: str) -> list[str]:
    """Return the code blocks of a page, and "|" for any other block."""
    page = Page.parse(f"<body><p>Words before.</p>{markup}<p>Words after.</p>")
    return [block.text if block.kind == "code" else "|" for block in page.blocks if not block.hidden]


def write(markup: str) -> str:
    return bonmun.extract(f"<!DOCTYPE html><body>{markup}", method="all").markdown


@pytest.mark.parametrize("maker", LANGUAGES)
def test_the_language_is_declared_in_the_markup(maker: str) -> None:
    markup, expected = LANGUAGES[maker]
    page = Page.parse(f"<body><p>Some words.</p>{markup}")
    (block,) = (block for block in page.blocks if block.kind == "code")
    assert find_language(page, page.leaf_elements[block.start]) == expected


@pytest.mark.parametrize("maker", MAKERS)
def test_code_is_extracted_as_written(maker: str) -> None:
    assert read_code(MAKERS[maker]) == ["|", CODE, "|"]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<span class="mi">80</span>\n<span class="mi">443</span>\n<span class="mi">8080</span>', "80\n443\n8080"),
        ('<span class="mi">1</span>\n<span class="mi">2</span>\n<span class="mi">3</span>', "1\n2\n3"),
        ('<i class="xx">1</i>, <i class="xx">2</i>, <i class="xx">3</i>', "1, 2, 3"),
        ('<b class="port">80</b> a\n<b class="port">443</b> b\n<b class="port">81</b> c', "80 a\n443 b\n81 c"),
        ('<b class="aa">1</b> + <b class="aa">2</b>', "1 + 2"),
        ('<b class="aa">1</b> a\n<b class="aa">2</b> b', "1 a\n2 b"),  # two lines are too few
        ("1 anna\n2 berta\n3 carla", "1 anna\n2 berta\n3 carla"),
        ('<span class="lineno">x1</span> a', "x1 a"),
        ("<b class=aa>99999999</b>\n<b class=aa>100000000</b>\n<b class=aa>1</b>", "99999999\n100000000\n1"),
        ("<b class=aa>\u0661</b>a\n<b class=aa>2</b>b\n<b class=aa>3</b>c", "\u0661a\n2b\n3c"),
    ],
)
def test_numbers_in_code_are_kept(markup: str, expected: str) -> None:
    assert read_code(f"<pre>{markup}</pre>") == ["|", expected, "|"]


def test_numbers_outside_code_are_kept() -> None:
    table = '<table><tr><th>no<th>ship<tr><td class="ln">1<td>Anna<tr><td class="ln">2<td>Berta</table>'
    assert write(table) == "| no | ship |\n| --- | --- |\n| 1 | Anna |\n| 2 | Berta |"
    assert write('<p>a</p><div class="gutter">12</div>') == "a\n\n12"
    assert write('<pre>x</pre><p>a <span class="line-number">12</span></p>').endswith("a 12")


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>1<br>2<br>3</td><td>Anna<br>Berta<br>Carla</td></tr></table>",
        "<table class=code><tr><td>1<br>2<br>4</td><td>Anna<br>Berta<br>Carla</td></tr></table>",
        "<table class=code><tr><td>1</td><td>Anna</td></tr><tr><td>2</td><td>Berta</td></tr></table>",
        "<table class=code><tr><td>1<br>2</td></tr></table>",
        "<div class=language-python><p>Anna\nand Berta</p></div>",
        "<div class=language-english>Anna\nand Berta</div>",
        "<div class=language-python>Anna and Berta</div>",
    ],
    ids=["ranks", "other numbers", "two rows", "no lines", "paragraphs", "other language", "one line"],
)
def test_other_tables_and_boxes_are_no_code(markup: str) -> None:
    read = read_code(markup)
    assert set(read) == {"|"}
    assert len(read) > 2


def test_line_numbers_of_one_block_do_not_affect_another() -> None:
    counted = "".join(f'<b class="aa">{n}</b>line {n}\n' for n in range(1, 9))
    other = 'x = <b class="aa">7</b>'
    assert read_code(f"<pre>{counted}</pre><pre>{other}</pre>")[2] == "x = 7"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div>a</div><div></div><div>b</div>", "a\n\nb"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
        ("<div>a</div><div>\n</div><div>b</div>", "a\n\nb"),
        ("<div>a\n</div><div>b\n</div>", "a\nb"),
        ("<div><div>a</div></div><div><div>b</div></div>", "a\nb"),
        ("<div><div>a</div>b</div>c", "a\nb\nc"),
        ("<ol><li>a<li>  b<li>c</ol>", "a\n  b\nc"),
        ("<table><tbody>\n<tr>\n<td>a</td></tr>\n<tr>\n<td> b</td></tr></table>", "a\n b"),
        ("a<div>b</div>c", "a\nb\nc"),
        ("<p>a</p><p>b</p>", "a\nb"),
        ("a\n\n\nb", "a\n\n\nb"),
        ("a\n&nbsp;&nbsp;b\n&nbsp;\nc", "a\n  b\n\nc"),
        ("<span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span>", "a\n\nb"),
    ],
)
def test_lines_built_from_elements(markup: str, expected: str) -> None:
    assert read_code(f"<pre>{markup}</pre>") == ["|", expected, "|"]


def test_each_language_tab_is_a_block() -> None:
    tabs = "".join(f'<div role=tabpanel><pre><code class="language-{n}">{n}()</code></pre></div>' for n in ("go", "js"))
    assert write(tabs) == "```go\ngo()\n```\n\n```js\njs()\n```"


def test_a_terminal_session_keeps_its_prompts() -> None:
    said = "$ ls\na.txt\n$ <span style='user-select:none'>%</span> cat"
    assert read_code(f"<pre class=language-console>{said}</pre>")[1] == "$ ls\na.txt\n$ % cat"


@pytest.mark.parametrize(
    "markup",
    [
        "<pre>" + "<span class=gutter>" * 20_000 + "1",
        "<pre><code>" + "<div class=lineno><b>x</b>" * 20_000,
        "<table><tr><td class=ln>" * 5_000 + "<pre>x",
        "<table class=code><tr><td>1<td>" * 5_000 + "<pre>x",
        "<pre>" + "<b class=aa>1</b>" * 50_000,
        "<pre><b class='aa " + "x" * 1_000_000 + "'>1</b>\n<b class=aa>2</b>\n<b class=aa>3</b></pre>",
    ],
    ids=["gutters in gutters", "no gutters", "tables in tables", "numbered tables in tables", "all ones", "long class"],
)
def test_hostile_code_is_read(markup: str) -> None:
    assert len(Page.parse(f"<p>Words.</p>{markup}").blocks) >= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda n: "<pre>" + "x = 1; " * n, id="one line"),
        pytest.param(lambda n: "<pre>" + "<div class=gutter>1</div><div>x</div>" * (n // 10), id="gutters"),
        pytest.param(lambda n: "<pre class='language-python'>x = 1</pre>" * (n // 200), id="pres"),
        pytest.param(lambda n: "<pre>" + "<div>" * 200 + "<div>x</div>" * (n // 10), id="lines in boxes"),
        pytest.param(lambda n: f"<div class='{'x' * n}'>" + "<pre>x = 1</pre><p>y</p>" * 500, id="long class"),
        pytest.param(lambda n: f"<div data-lang='{'x' * n}'>" + "<pre>x = 1</pre><p>y</p>" * 500, id="long name"),
        pytest.param(
            lambda n: "<pre>" + "".join(f"<b class=aa>{row}</b>x\n" for row in range(n // 20)), id="counted lines"
        ),
        pytest.param(lambda n: "<table>" + "<tr><td class=ln>1<td>x" * (n // 20) + "<tr><td><pre>x", id="code at last"),
        pytest.param(lambda n: f"<table class=code><tr><td>{'<b>1</b>' * (n // 10)}<td>x</table>" * 3, id="ones"),
        pytest.param(lambda n: "<table class=code><tr><td>1<br>2<td><p>x<p>y</table>" * (n // 50), id="tables"),
    ],
)
def test_code_takes_linear_time(make: Callable[[int], str]) -> None:
    assert "x" in assert_linear(make, write, 600_000, 0.1)


@pytest.mark.parametrize("first", ["foo", "", "٣", "²", "99999999999999999999"])
def test_line_numbers_may_start_at_any_number(first: str) -> None:
    code = f"1 <b class=x>{first}</b>\n<b class=x>2</b> a\n<b class=x>3</b> b"
    assert "2 a" in Page.parse(f"<p>Lamps</p><pre>{code}</pre>").block_texts[1]


@pytest.mark.parametrize(
    ("before", "code", "is_label"),
    [
        ("<div class=h><span>js</span></div>", "<pre class='brush: js bad'>a</pre>", True),
        ("<span>JavaScript</span> ", "<pre><code class=language-js>a</code></pre>", True),
        ("<div><span>c++</span><button>Copy</button></div>", "<pre data-lang=cpp>a</pre>", True),
        ("<div>bash</div>", "<div class='highlight-source-shell language-bash'><pre>a</pre></div>", True),
        ("<div>js</div>", "<pre>a</pre>", False),
        ("<div>js</div>", "<pre class=language-python>a</pre>", False),
        ("<h3>js</h3>", "<pre class=language-js>a</pre>", False),
        ("<p>js</p>", "<pre class=language-js>a</pre>", False),
        ("<div>js and more</div>", "<pre class=language-js>a</pre>", False),
        ("<div>js</div>text", "<pre class=language-js>a</pre>", False),
    ],
)
def test_the_name_of_the_language_before_code_is_no_text(before: str, code: str, is_label: bool) -> None:
    texts = Page.parse(f"<body><p>Before</p>{before}{code}<p>After</p>").texts
    assert (texts[:2] == ["Before", "a"]) == is_label
