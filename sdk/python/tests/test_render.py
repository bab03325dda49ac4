"""The component's HTML."""

import unittest
from typing import Any, Dict

import tollgate
from vectors import read_vectors

RENDER = read_vectors("render")


def render(case: Dict[str, Any]) -> tollgate.Html:
    if case["kind"] == "script":
        return tollgate.render_script(**{"url": None, **case["input"]})
    required = dict.fromkeys(("url", "sitekey", "intent_id"))
    return tollgate.render_widget(**{**required, **case["input"]})


class RenderTest(unittest.TestCase):
    """Markup for the page."""

    def test_options_become_attributes_with_every_value_escaped(self) -> None:
        for case in RENDER["accept"]:
            with self.subTest(case["name"]):
                self.assertEqual(render(case), case["html"])

    def test_an_option_that_the_component_does_not_know_is_refused_by_name(self) -> None:
        for case in RENDER["refuse"]:
            with self.subTest(case["name"]), self.assertRaises(ValueError) as raised:
                render(case)
            self.assertIn(case["says"], str(raised.exception))

    def test_template_engines_take_it_as_it_is_and_escape_what_is_joined_to_it(self) -> None:
        script = tollgate.render_script(url="https://tollgate.example")
        self.assertEqual(script.__html__(), script)
        self.assertFalse(hasattr(script + "<b>", "__html__"))
