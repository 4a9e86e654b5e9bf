"""The examples in the docstrings of the package give the results that they show."""

from collections.abc import Iterator
from doctest import DocTestFinder, DocTestRunner
from importlib import import_module

from scorekeeper.paths import PACKAGE
from tests.common.each import each
from tests.test_boundaries import ALL_FILES


def showing() -> Iterator[str]:
    """Yield each module that shows an example."""
    for file in ALL_FILES:
        if ">>> " in file.read_text(encoding="utf-8"):
            yield ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)


@each("module", showing())
def test_every_example_is_true(module: str) -> None:
    runner, output = DocTestRunner(verbose=False), list[str]()
    for test in DocTestFinder().find(import_module(module)):
        runner.run(test, out=output.append)

    assert runner.tries
    assert not output, "".join(output)
