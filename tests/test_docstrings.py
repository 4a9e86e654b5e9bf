"""What a docstring shows is what comes out, in every module of the package."""

from doctest import DocTestFinder, DocTestRunner
from importlib import import_module

from scorekeeper.paths import PACKAGE
from tests.each import each

SHOWING = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in sorted(PACKAGE.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@each("module", SHOWING)
def test_every_example_is_true(module: str) -> None:
    runner, said = DocTestRunner(verbose=False), list[str]()
    for test in DocTestFinder().find(import_module(module)):
        runner.run(test, out=said.append)

    assert runner.tries
    assert not said, "".join(said)
