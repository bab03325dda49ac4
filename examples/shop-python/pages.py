"""The pages, as functions that return markup."""

import json
import sqlite3
from datetime import datetime, timezone
from html import escape
from typing import Dict, Iterable, NamedTuple, Optional, Sequence, Union

from fields import FIELDS, PRODUCTS, Payload, Product, find_product
from tollgate import Html, TollgateError

#: What a template takes: None gives nothing, a list gives its members.
Part = Union[str, int, None, Iterable["Part"]]
OUTCOMES = {"confirmed_abuse": "Confirmed abuse", "legitimate": "Legitimate", "unknown": "Unknown"}
CURRENT = ' aria-current="page"'
_ENTRIES = {"/": "Parts", "/signup": "Newsletter", "/activity": "Your activity"}


def draw(template: str, **parts: Part) -> Html:
    """A template with ``{names}``, as markup. Parts are text unless they are markup. Attributes must be quoted."""
    return Html(template.format(**{name: _text_of(part) for name, part in parts.items()}))


def _text_of(part: Part) -> str:
    if part is None or isinstance(part, Html):
        return str(part or "")
    return escape(str(part)) if isinstance(part, (str, int)) else "".join(map(_text_of, part))


def _when(condition: object, markup: str) -> Html:
    return Html(markup if condition else "")


def lay_out(title: str, main: Html, here: str = "") -> Html:
    """The frame of every page."""
    link = '<a href="{path}"{current}>{label}</a>'
    entries = [draw(link, path=path, label=name, current=_when(path == here, CURRENT)) for path, name in _ENTRIES.items()]
    template = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title} · Pennywheel</title>
<link rel="icon" href="/bell.svg" type="image/svg+xml"><link rel="stylesheet" href="/shop.css">
<script src="/shop.js" defer></script></head>
<body><a class="skip" href="#main">Skip to the content</a>
<header><a class="brand" href="/">Pennywheel</a><nav aria-label="Shop">{entries}</nav></header>
<main id="main" tabindex="-1"><h1>{title}</h1>{main}</main>
<footer>Pennywheel is a demonstration of Tollgate, in Python: nothing is delivered and nobody is charged.</footer>
</body></html>"""
    return draw(template, title=title, entries=entries, main=main)


def _price(cents: int) -> Html:
    return draw('<span class="price">€{price}</span>', price=f"{cents / 100:.2f}")


def _about(product: Product) -> Dict[str, Part]:
    part = draw('<img class="plate" src="/{slug}.svg" alt="" width="240" height="200">', slug=product.slug)
    return {**product._asdict(), "part": part, "price": _price(product.cents)}


def _hidden(fields: Dict[str, str]) -> Sequence[Html]:
    return [draw('<input type="hidden" name="{n}" value="{v}">', n=name, v=value) for name, value in fields.items()]


def _notice(text: str) -> Optional[Html]:
    return draw('<p class="notice" role="alert" tabindex="-1" autofocus>{text}</p>', text=text) if text else None


def _form(path: str, fields: Dict[str, str], button: str, inner: Part = None, look: str = "") -> Html:
    template = """<form method="post" action="{path}" novalidate>{hidden}{inner}<div class="send">
<button type="submit" class="{look}">{button}</button><span role="status"></span></div></form>"""
    return draw(template, path=path, hidden=_hidden(fields), inner=inner, look=look, button=button)


def draw_home() -> Html:
    template = """<article>{part}<h2>{name}</h2><p>{line}</p><p class="buy">{price}
<a class="button" href="/checkout?product={slug}" aria-label="Buy {name}">Buy</a></p></article>"""
    parts = [draw(template, **_about(product)) for product in PRODUCTS]
    main = draw('<section class="parts">{parts}</section>', parts=parts)
    return lay_out("Parts for the bicycle you mean to keep", main, "/")


def draw_message(title: str, text: str, link: Part = None) -> Html:
    template = '<p class="lead" role="alert">{text}</p>{link}<p><a href="/">Back to the parts</a></p>'
    return lay_out(title, draw(template, text=text, link=link))


def draw_changed(action: str) -> Html:
    text = "This form was already sent with other content. The first submission counts; nothing was changed."
    return draw_message("Already sent", text, draw('<p><a href="/{path}">Open a new form</a></p>', path=action))


class Advice(NamedTuple):
    """``next``: repeat the same submission, renew the form with what was typed, or leave."""

    status: int
    title: str
    text: str
    next: str


_MISMATCH = "The check didn’t fit this form. Here is a fresh one with what you typed; please send it again."
_RENEWALS = {
    "intent-expired": "The check ran out of time. Here is a fresh form with what you typed.",
    "already-redeemed": "This check has been used already. Here is a fresh form with what you typed.",
}


def advise_on(error: TollgateError, action: str) -> Advice:
    """The advice for any error of Tollgate. No error is a success."""
    undone = "We couldn’t take your order right now; nothing was charged."
    if action == "signup":
        undone = "We couldn’t sign you up right now."
    if error.code == "quota-exceeded":
        text = f"{undone} This is our fault: please try again a little later."
        return Advice(402, "The counter is closed for a moment", text, "repeat")
    if error.code in ("response-invalid", "binding-mismatch", "idempotency-conflict", *_RENEWALS):
        return Advice(409, "One more time, please", _RENEWALS.get(error.code, _MISMATCH), "renew")
    if error.code == "rate-limited":
        text = f"{undone} Please wait {error.retry_after or 10} seconds, then try again."
        return Advice(429, "It’s busy just now", text, "repeat")
    if error.retryable or (error.status or 0) >= 500:
        text = "We couldn’t finish the check just now. Try again: the same order is never placed twice."
        return Advice(503, "That took too long", text, "repeat")
    return Advice(500, "Something is wrong on our side", f"{undone} Please come back later.", "leave")


def draw_advice(advice: Advice, action: str, fields: Optional[Dict[str, str]]) -> Html:
    """``fields`` are those of the submission to repeat; without them the form is opened again."""
    anew = draw('<p><a class="button" href="/{action}">Try again</a></p>', action=action)
    again = anew if fields is None else _form(f"/{action}", fields, "Try again")
    return draw_message(advice.title, advice.text, None if advice.next == "leave" else again)


#: ``mark`` and ``fault`` name what has to be corrected.
_CONTROLS = {
    "product": """<fieldset><legend>Which part?</legend>
<div class="choices" id="product" tabindex="-1">{choices}</div>{fault}</fieldset>""",
    "quantity": """<label for="quantity">Quantity</label>
<select id="quantity" name="quantity"{mark}>{options}</select>{fault}""",
    "name": """<label for="name">Name</label>
<input id="name" name="name" autocomplete="name" maxlength="80" value="{value}"{mark}>{fault}""",
    "email": """<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="{value}"{mark}>{fault}""",
    "address": """<label for="address">Delivery address</label><textarea id="address" name="address"
autocomplete="street-address" rows="3" maxlength="300"{mark}>{value}</textarea>{fault}""",
    "check": '<div class="check" id="check" tabindex="-1">{widget}{fault}</div>',
}


def draw_form(action: str, attempt: str, widget: Html, typed: Payload, faults: Dict[str, str], notice: str) -> Html:
    """``widget`` is the component of the form's intent."""
    title, button = ("Your order", "Place the order") if action == "checkout" else ("Newsletter", "Sign me up")
    controls = []
    for field in (*FIELDS[action], "check"):
        fault = draw('<p class="fault" id="{field}-fault">{says}</p>', field=field, says=faults.get(field))
        mark = draw(' aria-invalid="true" aria-describedby="{field}-fault"', field=field)
        parts: Dict[str, Part] = {"value": typed.get(field), "widget": widget, "choices": None, "options": None}
        if field == "product":
            parts["choices"] = [_choice(product, typed.get("product")) for product in PRODUCTS]
        if field == "quantity":
            parts["options"] = [_option(str(n), str(n), typed.get("quantity")) for n in range(1, 10)]
        is_faulty = field in faults
        parts = {**parts, "mark": mark if is_faulty else None, "fault": fault if is_faulty else None}
        controls.append(draw(_CONTROLS[field], **parts))
    links = [draw('<li><a href="#{field}">{says}</a></li>', field=field, says=says) for field, says in faults.items()]
    summary = draw('<div class="notice" role="alert" tabindex="-1" autofocus><ul>{links}</ul></div>', links=links)
    form = _form(f"/{action}", {"attempt": attempt}, button, controls)
    main = draw("{notice}{summary}{form}", notice=_notice(notice), summary=summary if faults else None, form=form)
    return lay_out(title, main, f"/{action}")


def _choice(product: Product, chosen: Optional[str]) -> Html:
    template = """<label class="choice"><input type="radio" name="product" value="{slug}"{on}>
{part}<span>{name} {price}</span></label>"""
    return draw(template, **_about(product), on=_when(chosen == product.slug, " checked"))


def _option(value: str, label: str, chosen: Optional[str]) -> Html:
    on = _when(value == chosen, " selected")
    return draw('<option value="{value}"{on}>{label}</option>', value=value, on=on, label=label)


def draw_receipt(sale: sqlite3.Row, notice: str = "") -> Html:
    payload = json.loads(sale["payload"])
    product = find_product(payload.get("product"))
    if product is None:
        title = "You’re on the list"
        about = draw('<p class="lead">The next newsletter comes on Sunday, to {email}.</p>', email=payload["email"])
    else:
        title = f"Thank you, {payload['name']}"
        about = draw(
            """<p class="lead">Your order <strong>PW-{number}</strong> leaves tomorrow.</p><dl>
<div><dt>Part</dt><dd>{quantity} × {product}</dd></div><div><dt>To</dt><dd class="address">{address}</dd></div>
<div><dt>Invoice</dt><dd>{email}</dd></div><div><dt>Total</dt><dd>{price}</dd></div></dl>""",
            **{**payload, "number": sale["number"], "product": product.name, "price": _price(int(payload["total"]))},
        )
    template = """{notice}{about}{exemption}<p>Checked by Tollgate as <code>{decision}</code></p>
<p><a class="button" href="/">Back to the parts</a></p>"""
    parts: Dict[str, Part] = {"notice": _notice(notice), "about": about, "exemption": _exemption(sale)}
    return lay_out(title, draw(template, **parts, decision=sale["decision_id"]))


def _exemption(sale: sqlite3.Row) -> Optional[Html]:
    if sale["exemption"] == "offered":
        return _form("/exemptions", {"attempt": sale["id"]}, "Skip the check next time on this device", None, "quiet")
    texts = {
        "ready": "Your next form on this device skips the check. You can undo this under Your activity.",
        "skipped": "The check was skipped this time, as you asked.",
        "over": "The exemption from the check was used, has expired or was forgotten.",
    }
    text = texts.get(sale["exemption"])
    return draw("<p>{text}</p>", text=text) if text else None


def _report(sale: sqlite3.Row) -> Html:
    """The latest report on a decision, and the form to send one. A real shop has this in its back office."""
    correct = sale["revision"] is not None
    state = "not delivered yet"
    if correct:
        state = f"revision {sale['revision']}, can be corrected until {_moment(sale['correctable_until'])}"
    reported = draw("<p><strong>{o}</strong> {state}</p>", o=OUTCOMES.get(sale["outcome"]), state=state)
    options = [_option(value, label, sale["outcome"]) for value, label in OUTCOMES.items()]
    inner = draw('<label>What became of it? <select name="outcome">{it}</select></label>', it=options)
    button = "Send the correction" if correct else "Send the report"
    name = "Correct the report" if correct else "Report this decision"
    form = _form("/reports", {"attempt": sale["id"]}, button, inner, "quiet")
    template = "{reported}<details><summary>{name}</summary>{form}</details>"
    return draw(template, reported=reported if sale["event_id"] else None, name=name, form=form)


def draw_activity(lines: Sequence[sqlite3.Row], notice: str = "") -> Html:
    rows = []
    for line in lines:
        template = "<tr><td>{at}</td><td>{form}</td><td>{state}</td><td>{result}</td><td>{report}</td></tr>"
        form = "Order" if line["action"] == "checkout" else "Newsletter"
        report = _report(line) if line["number"] else None
        parts: Dict[str, Part] = {"at": _moment(line["created_at"]), "form": form, "state": line["state"]}
        rows.append(draw(template, **parts, result=_result(line), report=report))
    template = """{notice}<div class="scroll" tabindex="0" role="region" aria-label="Forms"><table><thead><tr>
<th scope="col">When (UTC)</th><th scope="col">Form</th><th scope="col">State</th><th scope="col">Result</th>
<th scope="col">Report</th></tr></thead><tbody>{rows}</tbody></table></div>{forget}"""
    forget = _form("/exemptions/forget", {}, "Forget this device", None, "quiet")
    return lay_out("Your activity", draw(template, notice=_notice(notice), rows=rows, forget=forget), "/activity")


def _result(line: sqlite3.Row) -> Html:
    if line["number"] is None:
        return draw("<code>{code}</code>", code=line["refusal"] or "–")
    label = f"PW-{line['number']}" if line["action"] == "checkout" else "Subscribed"
    return draw('<a href="/receipts/{id}">{label}</a>', id=line["id"], label=label)


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%d %b, %H:%M:%S")
