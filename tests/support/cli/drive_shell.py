"""Types keys into a shell on a terminal, and prints what the program was called with.

  drive_shell.py SHELL FOLDER KEYS      SHELL: bash, zsh

FOLDER holds the completion files under the names with which they are installed, and a program `stillpoint` that passes
__complete on to the tool and otherwise prints its arguments. KEYS are typed once the shell is ready, with \\t for the
key of completion; then the line is sent.
"""

import os
import pty
import re
import select
import sys
import time

PATIENCE = 30  # seconds; a busy machine starts a shell in two

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source '{folder}/stillpoint.bash'; PS1='REA''DY> '; echo\n"),
    "zsh": (["zsh", "-f", "-i"], "fpath=('{folder}' $fpath); autoload -U compinit; compinit -u -D; PS1='REA''DY> '; echo\n"),
}


def read_until(terminal, pattern):
    seen, end = "", time.time() + PATIENCE
    while time.time() < end:
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            seen += os.read(terminal, 4096).decode(errors="replace")
        except OSError:  # the shell has ended
            break
        found = re.search(pattern, seen, re.DOTALL)
        if found:
            return found
    sys.exit(f"after {seen!r} there was no {pattern!r}")


def main(shell, folder, keys):
    command, setup = START[shell]
    child, terminal = pty.fork()
    if child == 0:
        environment = dict(os.environ, TERM="dumb", COLUMNS="400", INPUTRC="/dev/null", PATH=folder + ":" + os.environ["PATH"])
        environment.pop("HISTFILE", None)
        os.execvpe(command[0], command, environment)
    os.write(terminal, setup.format(folder=folder).encode())
    read_until(terminal, r"READY> ")
    os.write(terminal, (keys + "\n").encode())
    print(read_until(terminal, r"ARGS(.*?)END").group(1))
    os.write(terminal, b"exit\n")
    os.close(terminal)
    os.waitpid(child, 0)


main(sys.argv[1], sys.argv[2], sys.argv[3].replace("\\t", "\t"))
