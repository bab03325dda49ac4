"""The frame around every page, and the pages that only say something."""

from pathlib import Path
from typing import Optional
from urllib.parse import urlsplit

from fields import PRODUCTS, Payload, format_price
from markup import draw, when
from refusals import Advice
from tollgate import Html, render_script

#: The stylesheet and the script are those of the shop in TypeScript.
_SHARED = Path(__file__).resolve().parents[1] / "shop"

ASSETS = {
    "/shop.css": ("text/css; charset=utf-8", (_SHARED / "shop.css").read_bytes()),
    "/shop.js": ("text/javascript; charset=utf-8", (_SHARED / "shop.js").read_bytes()),
    "/favicon.svg": (
        "image/svg+xml",
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="18" fill="#8f2d22"/>'
        b"</svg>",
    ),
}

_ENTRIES = (("/", "Parts"), ("/signup", "Sunday letter"), ("/activity", "Your activity"))


def lay_out(title: str, main: Html, here: str = "", widget: Optional[str] = None) -> Html:
    return draw(
        """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>{title} · Pennywheel</title>
  <link rel="icon" href="/favicon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/shop.css">
  <script src="/shop.js" defer></script>
  {script}
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top">
    <a class="brand" href="/"><span>Pennywheel</span></a>
    <nav aria-label="Shop">{entries}</nav>
  </header>
  <main id="main" tabindex="-1">{main}</main>
  <footer class="bottom">
    <p>Pennywheel is a demonstration: nothing is delivered and nobody is charged.</p>
    <p>Forms guarded by Tollgate, in Python.</p>
  </footer>
</body>
</html>
""",
        title=title,
        script=None if widget is None else render_script(url=widget),
        entries=[
            draw('<a href="{path}"{current}>{label}</a> ', path=path, label=label, current=when(path == here, CURRENT))
            for path, label in _ENTRIES
        ],
        main=main,
    )


CURRENT = Html(' aria-current="page"')


def draw_plate(slug: str) -> Html:
    """A part on its plate, seen from afar. Decoration."""
    shape = {"bell": "brass", "saddle": "leather", "lamp": "enamel"}[slug]
    return draw(
        """<svg class="plate plate-{slug}" viewBox="0 0 240 200" aria-hidden="true"><g class="drawing">
  <circle class="{shape}" cx="120" cy="100" r="56" /></g></svg>""",
        slug=slug,
        shape=shape,
    )


def draw_home() -> Html:
    parts = [
        draw(
            """<article class="part">{plate}<h2>{name}</h2><p>{line}</p>
  <p class="buy"><span class="price">{price}</span>
  <a class="button" href="/checkout?product={slug}" aria-label="Buy {name}">Buy</a></p></article>""",
            plate=draw_plate(product.slug),
            name=product.name,
            line=product.line,
            price=format_price(product.cents),
            slug=product.slug,
        )
        for product in PRODUCTS
    ]
    main = draw(
        """<section class="sheet wide"><h1>Parts for the bicycle you mean to keep.</h1>
<p class="lead">Three things, made well and mended for ever. We have sold nothing else since 1961.</p></section>
<section id="parts" class="parts" aria-label="Parts">{parts}</section>""",
        parts=parts,
    )
    return lay_out("Parts for bicycles you keep", main, "/")


def draw_advice(advice: Advice, action: str, fields: Optional[Payload]) -> Html:
    """``fields`` are those of the submission to repeat; without them a new form is asked for."""
    anew = draw('<p><a class="button" href="/{action}">Try again</a></p>', action=action)
    again = draw(
        '<form method="post" action="/{action}">{fields}{send}</form>',
        action=action,
        fields=[
            draw('<input type="hidden" name="{name}" value="{value}">', name=name, value=value)
            for name, value in (fields or {}).items()
        ],
        send=draw_send("Try again"),
    )
    offer = None if advice.next == "leave" else anew if fields is None else again
    return draw_message(advice.title, advice.text, offer)


def draw_open_new(action: str) -> Html:
    return draw('<p><a class="button" href="/{action}">Open a new form</a></p>', action=action)


def draw_message(title: str, text: str, offer: Optional[Html] = None) -> Html:
    main = draw(
        """<section class="sheet advice"><h1>{title}</h1><p class="lead">{text}</p>{offer}
<p><a href="/">Back to the parts</a></p></section>""",
        title=title,
        text=text,
        offer=offer,
    )
    return lay_out(title, main)


def draw_notice(text: str) -> Html:
    return draw('<div class="notice" role="alert" tabindex="-1" autofocus>{text}</div>', text=text)


def draw_send(button: str, quiet: bool = False) -> Html:
    return draw(
        '<div class="send"><button type="submit"{kind}>{button}</button><p class="progress" role="status"></p></div>',
        button=button,
        kind=when(quiet, Html(' class="quiet"')),
    )


def security_headers(tollgate_url: str) -> "dict[str, str]":
    """What an integrator's pages have to allow for the check: Tollgate's script, its API, and its solver in workers."""
    parts = urlsplit(tollgate_url)
    origin = f"{parts.scheme}://{parts.netloc}"
    policy = [
        "default-src 'none'",
        f"script-src 'self' {origin} 'wasm-unsafe-eval'",
        # 'self': the component asks this shop for another intent when one has expired
        f"connect-src 'self' {origin}",
        f"worker-src blob: {origin}",
        "style-src 'self'",
        "img-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
    return {
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
