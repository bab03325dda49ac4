"""The pages of what came of a form: the receipt, and the visitor's activity with its reports."""

import json
import sqlite3
from datetime import datetime, timezone
from typing import Callable, Optional, Sequence

from counter import standing_of
from fields import find_product, format_price
from markup import draw, when
from pages import draw_notice, draw_plate, draw_send, lay_out
from tollgate import Html

STATES = {
    "created": "Form asked for",
    "opened": "Form shown",
    "submitted": "Sent",
    "refused": "Refused",
    "completed": "Done",
}
OUTCOMES = {"confirmed_abuse": "Confirmed abuse", "legitimate": "Legitimate", "unknown": "Unknown"}


def draw_receipt(sale: sqlite3.Row, report: Optional[sqlite3.Row], notice: str) -> Html:
    payload = json.loads(sale["payload"])
    product = find_product(payload.get("product"))
    if product is None:
        title = "You’re on the list"
        about = draw('<p class="lead">The next letter comes on Sunday, to {email}.</p>', email=payload["email"])
    else:
        title = f"Thank you, {payload['name']}"
        about = draw(
            """<p class="lead">Your order <strong class="order-number">PW-{number}</strong> is on the bench.</p>
<div class="receipt">{plate}<dl>
  <div><dt>Part</dt><dd>{quantity} × {name}</dd></div>
  <div><dt>To</dt><dd class="address">{address}</dd></div>
  <div><dt>Invoice</dt><dd>{email}</dd></div>
  <div class="total"><dt>Total</dt><dd>{total}</dd></div>
</dl></div>""",
            number=sale["number"],
            plate=draw_plate(product.slug),
            quantity=payload["quantity"],
            name=product.name,
            address=payload["address"],
            email=payload["email"],
            total=format_price(int(payload["total"])),
        )
    main = draw(
        """<section class="sheet done"><h1>{title}</h1>{notice}{about}{standing}
<p class="fine">Checked by Tollgate as <code>{decision}</code></p>
<div class="fine">{report}</div>
<p><a class="button" href="/">Back to the parts</a></p></section>""",
        title=title,
        notice=when(notice, draw_notice(notice)),
        about=about,
        standing=_draw_standing(sale),
        decision=sale["decision_id"],
        report=_draw_report(sale["id"], report),
    )
    return lay_out(title, main)


def _draw_standing(sale: sqlite3.Row) -> Optional[Html]:
    standing = standing_of(sale)
    if standing == "offered":
        return draw(
            """<div class="offer"><p>More to come? Your next form within 15 minutes can do without the check.</p>
<form method="post" action="/exemptions"><input type="hidden" name="attempt" value="{attempt}">{send}</form></div>""",
            attempt=sale["id"],
            send=draw_send("Skip the check next time on this device", quiet=True),
        )
    texts = {
        "ready": "Your next form on this device skips the check. You can undo that under Your activity.",
        "skipped": "The check was skipped this time, as you asked.",
        "over": "The skipped check that came of this has been used, has expired or was forgotten.",
    }
    return draw('<p class="fine">{text}</p>', text=texts[standing]) if standing in texts else None


def draw_activity(
    lines: Sequence[sqlite3.Row], report_of: Callable[[str], Optional[sqlite3.Row]], notice: str = ""
) -> Html:
    rows = [
        draw(
            """<tr><td>{moment}</td><td>{form}</td><td><span class="state state-{state}">{label}</span></td>
<td class="result">{result}</td><td class="ids"><code>{intent}</code> <code>{decision}</code></td>
<td class="reports">{report}</td></tr>""",
            moment=_moment(line["created_at"]),
            form="Order" if line["action"] == "checkout" else "Sunday letter",
            state=line["state"],
            label=STATES[line["state"]],
            result=_draw_result(line),
            intent=line["intent_id"],
            decision=line["decision_id"],
            report=_draw_report(line["id"], report_of(line["id"])) if line["state"] == "completed" else None,
        )
        for line in lines
    ]
    columns = ("When (UTC)", "Form", "State", "Result", "Intent, decision", "Report")
    table = draw(
        """<table class="activity"><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table>
<form method="post" action="/exemptions/forget">
<p class="fine">Did you ask us to skip the check on this device? This takes it back.</p>{send}</form>""",
        columns=[draw('<th scope="col">{name}</th>', name=name) for name in columns],
        rows=rows,
        send=draw_send("Forget this device", quiet=True),
    )
    main = draw(
        """<section class="sheet wide"><h1>Your activity</h1>
<p class="lead">Every form this browser has opened here, and what became of it.</p>{notice}{table}</section>""",
        notice=when(notice, draw_notice(notice)),
        table=table if rows else draw('<p class="empty">Nothing yet.</p>'),
    )
    return lay_out("Your activity", main, "/activity")


def _draw_result(line: sqlite3.Row) -> Html:
    if line["state"] != "completed":
        return draw("<code>{code}</code>", code=line["refusal"] or "–")
    label = "Subscribed" if line["number"] is None else f"PW-{line['number']}"
    return draw('<a href="/receipts/{id}">{label}</a>', id=line["id"], label=label)


def _draw_report(attempt: str, report: Optional[sqlite3.Row]) -> Html:
    taken = report is not None and report["revision"] is not None
    name, button = (
        ("Correct the report", "Send the correction") if taken else ("Report this decision", "Send the report")
    )
    options = [
        draw(
            '<option value="{outcome}"{selected}>{label}</option>',
            outcome=outcome,
            label=label,
            selected=when(report is not None and report["outcome"] == outcome, Html(" selected")),
        )
        for outcome, label in OUTCOMES.items()
    ]
    return draw(
        """{state}<details class="report"><summary>{name}</summary><form method="post" action="/reports">
<input type="hidden" name="attempt" value="{attempt}">
<label>What became of it? <select name="outcome">{options}</select></label>{send}</form></details>""",
        state=None if report is None else _draw_state(report),
        name=name,
        attempt=attempt,
        options=options,
        send=draw_send(button, quiet=True),
    )


def _draw_state(report: sqlite3.Row) -> Html:
    told = (
        "not delivered yet"
        if report["revision"] is None
        else f"revision {report['revision']}, can be corrected until {_moment(report['correctable_until'])}"
    )
    return draw(
        '<p class="reported"><strong>{outcome}</strong> <span class="hint">{told}</span></p>',
        outcome=OUTCOMES[report["outcome"]],
        told=told,
    )


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%d %b, %H:%M:%S")
