"""The two forms, and how they come back with their mistakes."""

from typing import List, Optional, Sequence

from counter import OpenForm
from fields import PRODUCTS, Fault, Payload, format_price
from markup import draw, when
from pages import draw_notice, draw_plate, draw_send, lay_out
from tollgate import Html, render_widget


class FormView:
    """Everything that a form page shows."""

    def __init__(
        self, form: OpenForm, sitekey: str, url: str, typed: Payload, faults: Sequence[Fault], notice: str
    ) -> None:
        self.form = form
        self.sitekey = sitekey
        #: Of Tollgate, for the browser.
        self.url = url
        self.typed = typed
        self.faults = faults
        #: Said above the form when it replaces one that did not go through.
        self.notice = notice

    def link(self, field: str) -> Optional[Html]:
        """The attributes by which a control names its fault."""
        faulty = any(fault.field == field for fault in self.faults)
        return draw(' aria-invalid="true" aria-describedby="{field}-fault"', field=field) if faulty else None

    def fault(self, field: str) -> List[Html]:
        return [
            draw('<p class="fault" id="{field}-fault">{message}</p>', field=field, message=fault.message)
            for fault in self.faults
            if fault.field == field
        ]


def draw_form(action: str, view: FormView) -> Html:
    title, lead, button, fields = _checkout(view) if action == "checkout" else _signup(view)
    summary = draw(
        """<div class="summary" role="alert" tabindex="-1" autofocus>
  <h2>Please look at this again</h2><ul>{faults}</ul></div>""",
        faults=[draw('<li><a href="#{field}">{message}</a></li>', **fault._asdict()) for fault in view.faults],
    )
    main = draw(
        """<section class="sheet {action}">
  <h1>{title}</h1>
  <p class="lead">{lead}</p>
  {notice}{summary}
  <form method="post" action="/{action}" novalidate>
    <input type="hidden" name="attempt" value="{attempt}">
    {fields}
    <div class="check" id="check" tabindex="-1">{widget}{fault}</div>
    {send}
  </form>
</section>""",
        action=action,
        title=title,
        lead=lead,
        notice=when(view.notice, draw_notice(view.notice)),
        summary=when(view.faults, summary),
        attempt=view.form.attempt,
        fields=fields,
        widget=render_widget(
            url=view.url,
            sitekey=view.sitekey,
            intent_id=view.form.intent_id,
            renew="/renew",
            noscript="To keep robots out, your browser does a short calculation here. Please switch on JavaScript.",
        ),
        fault=view.fault("check"),
        send=draw_send(button),
    )
    return lay_out(("Error: " if view.faults else "") + title, main, f"/{action}", view.url)


def _checkout(view: FormView) -> "tuple[str, str, str, List[Html]]":
    choices = [
        draw(
            """<label class="choice"><input type="radio" name="product" value="{slug}"{id}{checked}>
  {plate}<span class="choice-name">{name}</span> <span class="price">{price}</span></label>""",
            slug=product.slug,
            id=when(index == 0, Html(' id="product"')),
            checked=when(view.typed.get("product") == product.slug, Html(" checked")),
            plate=draw_plate(product.slug),
            name=product.name,
            price=format_price(product.cents),
        )
        for index, product in enumerate(PRODUCTS)
    ]
    quantities = [
        draw(
            "<option{selected}>{n}</option>",
            n=n,
            selected=when(view.typed.get("quantity") == str(n), Html(" selected")),
        )
        for n in range(1, 10)
    ]
    fields = [
        draw(
            """<fieldset{link}><legend>Which part?</legend><div class="choices">{choices}</div>{fault}</fieldset>""",
            link=view.link("product"),
            choices=choices,
            fault=view.fault("product"),
        ),
        draw(
            """<div class="field narrow"><label for="quantity">Quantity</label>
  <select id="quantity" name="quantity"{link}>{options}</select>{fault}</div>""",
            link=view.link("quantity"),
            options=quantities,
            fault=view.fault("quantity"),
        ),
        _input(view, "name", "Name", "name", 80),
        _input(view, "email", "E-mail", "email", 254),
        draw(
            """<div class="field"><label for="address">Delivery address</label>
  <textarea id="address" name="address" autocomplete="street-address" rows="3" maxlength="300"{link}>{value}</textarea>
  {fault}</div>""",
            link=view.link("address"),
            value=view.typed.get("address", ""),
            fault=view.fault("address"),
        ),
    ]
    return "Your order", "Packed by hand, posted tomorrow. You pay by invoice.", "Place the order", fields


def _signup(view: FormView) -> "tuple[str, str, str, List[Html]]":
    lead = "One repair, one ride and one old catalogue page, every Sunday morning."
    return "The Sunday letter", lead, "Sign me up", [_input(view, "email", "E-mail", "email", 254)]


def _input(view: FormView, name: str, label: str, kind: str, longest: int) -> Html:
    return draw(
        """<div class="field"><label for="{name}">{label}</label>
  <input id="{name}" name="{name}" type="{type}" autocomplete="{kind}" maxlength="{longest}" value="{value}"{link}>
  {fault}</div>""",
        name=name,
        label=label,
        type="email" if kind == "email" else "text",
        kind=kind,
        longest=longest,
        value=view.typed.get(name, ""),
        link=view.link(name),
        fault=view.fault(name),
    )
