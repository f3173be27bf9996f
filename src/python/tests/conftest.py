"""What the tests share: the source tree, the tool that was built beside the module, and its JSON."""
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("STILLPOINT_BUILD", ROOT / "build" / "release"))
CASES = sorted(path.parent.name for path in ROOT.glob("cases/*/model.yaml"))

os.chdir(ROOT)  # paths in examples are those of the command line, from the top of the tree


def without_timing(value):
    """JSON less what is measured by a clock."""
    if isinstance(value, dict):
        return {key: without_timing(one) for key, one in value.items() if key not in ("timing", "seconds", "time")}
    return [without_timing(one) for one in value] if isinstance(value, list) else value


def exact(text):
    """JSON with its numbers as they are written, so that equal means equal in each digit."""
    return without_timing(json.loads(text, parse_float=str, parse_int=str, parse_constant=str))


@pytest.fixture(scope="session")
def tool():
    """Runs the command line; returns what it wrote to stdout."""

    def run(*arguments):
        done = subprocess.run([BUILD / "stillpoint", *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
        assert done.stdout, done.stderr
        return done.stdout

    return run


def interrupted_after(seconds, work):
    """Sends Ctrl-C after so many seconds; returns how long the work still took."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
        timer.cancel()  # the work was done too early; no later test may be interrupted instead
    return time.perf_counter() - sent[0]


@pytest.fixture
def four_bar():
    import stillpoint as sp

    return sp.read_model("cases/four_bar", set={"N": 5})
