"""The frame of every page: one HTML document without scripts, without anything from elsewhere, in light and dark."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.publish.drawings.frame import quoted, shown

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
STYLE = """
:root{color-scheme:light dark;
--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--back:#fff;--panel:#f6f8fa;--pass:#0b6e99;--fail:#9a3f00;--odd:#6b5300}
@media screen and (prefers-color-scheme:dark){:root{
--ink:#e6edf3;--soft:#9aa4ae;--line:#3d444d;--back:#0d1117;--panel:#161b22;--pass:#58b7e6;--fail:#f0a06a;--odd:#e0c45c}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 ui-sans-serif,system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.25rem 0 .5rem;padding-top:.75rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.25rem 0 .25rem}
p,li{max-width:46rem;overflow-wrap:anywhere}
.soft{color:var(--soft)}
.said{background:var(--panel);border-left:4px solid var(--ink);padding:.75rem 1rem;margin:1rem 0}
.said p{margin:.25rem 0}.said.clear{border-left-color:var(--pass)}.said.stopped{border-left-color:var(--fail)}
.said .word{font-size:1.1rem}
.wide{overflow-x:auto;margin:0 0 1.25rem}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:0 0 .35rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600}tbody th{max-width:20rem;overflow-wrap:break-word}
td{max-width:22rem;min-width:6rem;overflow-wrap:break-word}td:last-child{min-width:12rem}td.number{white-space:nowrap;min-width:0}
.wide:has(td:nth-child(2):last-child>.bar){display:inline-block;vertical-align:top;max-width:100%;margin-right:2.5rem}
td.number,th.number{text-align:right}thead th.number{white-space:nowrap}
code,.mono{font:.85em ui-monospace,monospace;overflow-wrap:anywhere}
.bar{display:block;height:.55rem;min-width:6rem;background:var(--panel);border:1px solid var(--line)}
.bar>i{display:block;height:100%}
.pass>i{background:var(--pass)}.fail>i{background:repeating-linear-gradient(45deg,var(--fail) 0 3px,transparent 3px 5px)}
.odd>i{background:var(--odd)}
a{color:inherit}a:focus-visible,summary:focus-visible,.wide:focus-visible,pre:focus-visible{outline:3px solid var(--pass)}
pre{font:.8rem/1.45 ui-monospace,monospace;overflow:auto;max-height:24rem;margin:.25rem 0 .75rem;padding:.5rem .75rem;
background:var(--panel);border:1px solid var(--line)}
ins{text-decoration:none;color:var(--pass)}del{text-decoration:none;color:var(--fail)}
details{margin:.35rem 0;border:1px solid var(--line);padding:.4rem .75rem}summary{cursor:pointer;overflow-wrap:anywhere}
details[open]>summary{margin-bottom:.5rem}details details{background:var(--back)}
h4{font-size:.9rem;margin:.75rem 0 .25rem}
figure{margin:0 0 1.25rem}figcaption{color:var(--soft);font-size:.9rem}figure svg{display:block}
nav ul{list-style:none;margin:1rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.35rem 1.1rem;font-size:.9rem}
.word{font-weight:600;letter-spacing:.02em}
.finding{border-left:4px solid var(--line);padding:.1rem 0 .1rem .75rem;margin:.75rem 0}.finding p{margin:.25rem 0}
.finding.block,.finding.unknown{border-left-color:var(--fail)}
@media (max-width:40rem){td{max-width:14rem}td:nth-child(n+5):last-child{min-width:20rem;max-width:none}}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem}
@media print{body{font-size:11px}main{max-width:none;padding:0}h2{break-after:avoid}tr{break-inside:avoid}.wide{overflow:visible}
nav,.skip{display:none}pre{max-height:none;overflow:visible;white-space:pre-wrap;overflow-wrap:anywhere}
figure svg{max-width:100%;height:auto}details{border-style:dotted}
details::details-content{content-visibility:visible;block-size:auto}}
"""


def document(title: str, body: Iterable[str]) -> str:
    """A whole page, ending with a newline. `body` is markup, `title` is text."""
    parts = (
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{quoted(POLICY)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{shown(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        '<a class="skip" href="#said">To the result</a>',
        "<main>",
        *body,
        "</main>",
        "</body>",
        "</html>",
    )
    return "\n".join(parts) + "\n"
