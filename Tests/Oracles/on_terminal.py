"""Runs a program as on a terminal, and prints as JSON what it wrote where and how it ended.

Usage: on_terminal.py [--columns N] [--pipe error] [--slow N] PROGRAM ARGUMENT...

Standard error is a pseudo-terminal, standard output a pipe. With --pipe error both are pipes.
With --slow N it takes about N times as long as it works, since it is stopped most of the time.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time


def hold_back(process: subprocess.Popen[bytes], slowness: int) -> None:
    """Stops a process after every bit of work, for as many times as long as that took it.

    What counts is the processor's time, so that a busy machine changes nothing.
    """
    # The clock of all threads of the process, as `clock_getcpuclockid` gives it.
    clock = ~process.pid << 3 | 2
    seen = 0.0
    while process.poll() is None:
        process.send_signal(signal.SIGSTOP)
        try:
            used = time.clock_gettime(clock)
        except OSError:
            # It has ended.
            return
        time.sleep((used - seen) * (slowness - 1))
        seen = used
        process.send_signal(signal.SIGCONT)
        time.sleep(0.002)


def main() -> None:
    """Runs the program and tells what came."""
    arguments, columns, is_terminal, slowness = sys.argv[1:], 80, True, 1
    while arguments[0].startswith("--"):
        if arguments[0] == "--columns":
            columns = int(arguments[1])
        elif arguments[0] == "--slow":
            slowness = int(arguments[1])
        else:
            is_terminal = False
        arguments = arguments[2:]
    if is_terminal:
        reading, writing = pty.openpty()
        fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    else:
        reading, writing = os.pipe()
    output_reading, output_writing = os.pipe()
    process = subprocess.Popen(
        arguments, stdin=subprocess.DEVNULL, stdout=output_writing, stderr=writing,
        env={**os.environ, "TERM": "xterm"})
    if slowness > 1:
        threading.Thread(target=hold_back, args=(process, slowness), daemon=True).start()
    os.close(writing)
    os.close(output_writing)
    found = {reading: b"", output_reading: b""}
    waiting = set(found)
    while waiting:
        for each in select.select(list(waiting), [], [])[0]:
            try:
                data = os.read(each, 1 << 16)
            except OSError:
                # A terminal that nobody writes to any more.
                data = b""
            if not data:
                waiting.discard(each)
            found[each] += data
    json.dump(
        {"code": process.wait(), "error": found[reading].decode(), "output": found[output_reading].decode()},
        sys.stdout)


if __name__ == "__main__":
    main()
