"""The page on Python runs as it stands, and so do the scripts of docs/examples, which draw a picture each."""
import doctest
import os
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))


def test_the_page_on_python():
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, optionflags=flags)
    assert failed == 0 and tried > 30


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_example(script, tmp_path):
    picture = tmp_path / "picture.png"
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run([sys.executable, script, picture], capture_output=True, text=True, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes()[:4] == b"\x89PNG" and picture.stat().st_size > 10_000
    assert f"python3 docs/examples/{script.name}" in script.read_text()
