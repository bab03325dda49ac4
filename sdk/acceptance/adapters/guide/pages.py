"""The pages that the guide asks of checkout.py, and the guide's code itself."""

import re
from html import escape
from pathlib import Path

GUIDE = (Path(__file__).resolve().parents[4] / "docs" / "backend.md").read_text(encoding="utf-8")
FORM = '<form method="post" action="/checkout">'
LINK = '<p><a href="/checkout">Open a new form</a></p>'


def read_block(pattern):
    """The one block of the guide that the pattern finds."""
    (block,) = re.findall(pattern, GUIDE, re.S)
    return block


def field(name, value, kind="text"):
    return f'<input type="{kind}" name="{name}" aria-label="{name}" value="{escape(value)}">'


def draw_form(attempt, typed, widget):
    """``widget`` is HTML already."""
    fields = "".join(field(name, value) for name, value in typed.items())
    return f"{FORM}{field('attempt', attempt, 'hidden')}{fields}{widget}<button>Order</button></form>"


def draw_again(sent):
    """A button that sends the same content and token again."""
    fields = "".join(field(name, value, "hidden") for name, value in sent.items())
    return f"<p>We could not take your order yet.</p>{FORM}{fields}<button>Try again</button></form>"
