"""The package: modules, types, documentation, examples. e2e/sdks.test.ts tests the wheel."""

import importlib
import inspect
import os
import pkgutil
import py_compile
import re
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from typing import Any, Dict, List

import tollgate
from vectors import ERRORS

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "tollgate"


class ModulesTest(unittest.TestCase):
    """The imported package."""

    def test_every_module_is_imported_without_a_warning_and_needs_python_alone(self) -> None:
        names = ", ".join(f"tollgate.{module.name}" for module in pkgutil.iter_modules([str(SOURCE)]))
        places = "[str(getattr(module, '__file__', '')) for module in list(sys.modules.values())]"
        script = f"import {names}; print([place for place in {places} if 'site-packages' in place])"
        self.assertEqual(_run_alone(script, SOURCE.parent), "[]")

    def test_public_names_are_listed_and_documented(self) -> None:
        public = (
            {name for name in vars(tollgate) if not name.startswith("_")}
            - set(sys.modules)
            - {module.name for module in pkgutil.iter_modules([str(SOURCE)])}
        )
        self.assertEqual(public, set(tollgate.__all__) - {"__version__"})
        for name in public - {"TEST_KEYS"}:
            thing = getattr(tollgate, name)
            self.assertTrue(thing.__doc__, name)
            for method, function in inspect.getmembers(thing, inspect.isfunction):
                if inspect.isclass(thing) and not method.startswith("_"):
                    self.assertTrue(function.__doc__, f"{name}.{method}")

    def test_everything_is_typed(self) -> None:
        self.assertTrue((SOURCE / "py.typed").is_file())
        for module in pkgutil.iter_modules([str(SOURCE)]):
            for name, function in _functions_of(importlib.import_module(f"tollgate.{module.name}")).items():
                annotated = set(function.__annotations__) | {"self", "cls"}
                parameters = {each.lstrip("_") for each in inspect.signature(function).parameters}
                self.assertLessEqual(parameters, {each.lstrip("_") for each in annotated}, name)
                self.assertIn("return", annotated, name)

    def test_both_clients_have_the_same_methods(self) -> None:
        def methods_of(kind: type) -> Dict[str, List[str]]:
            functions = inspect.getmembers(kind, inspect.isfunction)
            return {name: list(inspect.signature(each).parameters) for name, each in functions if name[0] != "_"}

        self.assertEqual(methods_of(tollgate.Tollgate), methods_of(tollgate.AsyncTollgate))


class ExamplesTest(unittest.TestCase):
    """Examples and README."""

    def test_the_examples_compile_and_use_existing_names(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for example in sorted((ROOT / "examples").glob("*.py")):
                py_compile.compile(str(example), cfile=os.path.join(folder, "x.pyc"), doraise=True)
                for names in re.findall(
                    r"^from tollgate import (\([^)]*\)|.*)$", example.read_text(encoding="utf-8"), re.M
                ):
                    for name in re.findall(r"\w+", names):
                        self.assertIn(name, tollgate.__all__)

    def test_the_readme_uses_existing_names(self) -> None:
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        for name in re.findall(r"\b\w+Error\b|\b(?:create|hash|render|is)_\w+(?=\()", text):
            known = name in tollgate.__all__ or hasattr(tollgate.Tollgate, name) or name == "ValueError"
            self.assertTrue(known, name)

    def test_the_readme_lists_every_code_with_its_class(self) -> None:
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `(\w+Error)` \| (.+?) \|", text, re.M)
        listed = {code: name for name, codes in rows for code in re.findall(r"`([a-z-]+)`", codes)}
        self.assertEqual(listed, {kind["code"]: kind["class"] for kind in ERRORS})


class VersionTest(unittest.TestCase):
    """One version everywhere."""

    def test_it_is_the_latest_release_in_the_changelog(self) -> None:
        (latest, *_) = re.findall(r"^## (\d.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
        self.assertEqual(latest, tollgate.__version__)


def _run_alone(script: str, path: Path) -> str:
    """The output of a script in a separate interpreter with only ``path`` and the standard library."""
    code = f"import sys; sys.path.insert(0, {str(path)!r}); {script}"
    done = subprocess.run([sys.executable, "-I", "-S", "-W", "error", "-c", code], capture_output=True, text=True)
    return done.stdout.strip() + done.stderr


def _functions_of(module: types.ModuleType) -> Dict[str, types.FunctionType]:
    """The functions and methods that a module defines."""
    holders: List[Any] = [module, *(each for each in vars(module).values() if inspect.isclass(each))]
    return {
        f"{holder.__name__}.{name}": thing
        for holder in holders
        for name, thing in vars(holder).items()
        # a dataclass's methods are generated
        if inspect.isfunction(thing)
        and thing.__code__.co_filename.startswith(str(SOURCE))
        and "<" not in thing.__name__
    }
