"""One run of the tool on one store, which cannot take more than it is given.

The child gets limits of its own for time, memory and the size of a file. When it passes one, it
ends, and what is left of it is a status.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import select
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

OK = "ok"
FINDINGS = "findings"
UNREADABLE = "unreadable"
TIMED_OUT = "timed-out"
KILLED = "killed"

PR_SET_PDEATHSIG = 1
LONGEST_MESSAGE = 2000
# Reading or writing failed, the disk is full, or something else that passes.
PASSING = {74, 75}
# What the system lacks for a while, or fails with.
PASSING_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM,
                  errno.EAGAIN}
# The tool came to the end of what it was given, be there a store in it or none.
DONE = {0, 2, 65, 66}
# What the tool says before it fills the disk; its other limits are about the store.
NO_ROOM = "the copies take more than three quarters of the free disk"


@dataclass(frozen=True)
class Limits:
    """What one store may cost; bytes and seconds."""

    seconds: int = 120
    memory: int = 1 << 30
    output: int = 8 << 30
    row: int = 64 << 20
    copy: int = 16 << 30


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    status: str
    message: str | None
    output: bytes
    # Whether the machine may be at fault, not the store, so that it is worth trying again.
    is_passing: bool = False
    # Whether the tool came to the end, and all that it said is here.
    is_whole: bool = True


class Tool:
    """The tool, as it came with the job."""

    longest_answer = 1 << 26

    def __init__(self, program: str, limits: Limits) -> None:
        self.program = program
        self.limits = limits

    def version(self) -> str:
        """What the tool says about itself."""
        return subprocess.run([self.program, "--version"], capture_output=True, text=True,
                              check=True, timeout=60).stdout.strip()

    def run(self, arguments: list[str], folder: Path) -> Outcome:
        """Runs the tool in a folder; standard output comes back, and a status."""
        try:
            return self.ended(arguments, folder)
        except OSError as error:
            # Whatever the system lacks, no store is to blame.
            return Outcome(UNREADABLE, f"the tool cannot be run: {error.strerror}", b"",
                           is_passing=True, is_whole=False)

    def ended(self, arguments: list[str], folder: Path) -> Outcome:
        """How a run of the tool ends that the system allows."""
        # Files, not pipes: a child that talks without end meets the limit of a file.
        with open(folder / "output", "w+b") as output, open(folder / "errors", "w+b") as errors:
            child = subprocess.Popen(
                [self.program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                stderr=errors, env=environment(folder), start_new_session=True,
                preexec_fn=self.limit)
            try:
                is_late = not ends_within(child, self.limits.seconds)
            finally:
                end(child)
            code = child.returncode
            is_late = is_late or code == -signal.SIGXCPU
            is_cut = output.seek(0, os.SEEK_END) > self.longest_answer
            output.seek(0)
            said = output.read(self.longest_answer)
            errors.seek(0)
            told = errors.read(1 << 16).decode("utf-8", "backslashreplace")
        # What the task has copied lies beside the folder, and is called otherwise each time.
        own = [argument for argument in arguments if argument.startswith(f"{folder.parent}/")]
        status, message = self.judged(code, is_late, told, [*own, str(folder)])
        if is_cut and code in DONE:
            status, message = KILLED, f"the tool said more than {self.longest_answer} bytes"
        return Outcome(status, message, said, code in PASSING or NO_ROOM in told,
                       code in DONE and not is_late and not is_cut)

    def limit(self) -> None:
        """Limits the child, before it becomes the tool."""
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        limits = self.limits
        for what, most in ((resource.RLIMIT_CPU, 2 * limits.seconds), (resource.RLIMIT_CORE, 0),
                           (resource.RLIMIT_AS, limits.memory),
                           (resource.RLIMIT_FSIZE, limits.output)):
            hard = resource.getrlimit(what)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (most, most))

    def judged(
        self, code: int, is_late: bool, told: str, own: list[str]
    ) -> tuple[str, str | None]:
        """The status of an exit code, and what to say of it."""
        if is_late:
            return TIMED_OUT, f"not read within {self.limits.seconds} seconds"
        if code < 0 or code > 128:
            number = -code if code < 0 else code - 128
            return KILLED, f"the tool was ended by {signal_name(number)}"
        if code in (0, 2):
            return (OK if code == 0 else FINDINGS), None
        return UNREADABLE, first_message(told, own) or f"the tool ended with exit code {code}"


def may_pass(error: OSError) -> bool:
    """Whether a trouble is the machine's, so that it is worth trying again."""
    return error.errno in PASSING_ERRORS


def ends_within(child: subprocess.Popen[bytes], seconds: int) -> bool:
    """Whether a child ends by itself in time; the system tells, so that nobody has to ask.

    It is not waited for yet, so that its number stays its own until all of it has been ended.
    """
    descriptor = os.pidfd_open(child.pid)
    try:
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        return bool(waiting.poll(seconds * 1000))
    finally:
        os.close(descriptor)


def end(child: subprocess.Popen[bytes]) -> None:
    """Ends a child with all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def environment(folder: Path) -> dict[str, str]:
    """What the child knows of its surroundings: nothing of the job's secrets."""
    return {"PATH": "/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder), "LC_ALL": "C",
            "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"}


def signal_name(number: int) -> str:
    """A signal as people call it."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def first_message(told: str, own: list[str]) -> str | None:
    """The first line that the tool wrote, without its name and the task's own paths."""
    for line in told.splitlines():
        if not line.startswith("rehome: "):
            continue
        return without_paths(line.removeprefix("rehome: "), own)[:LONGEST_MESSAGE]
    return None


def without_paths(text: str, own: list[str]) -> str:
    """A message without the paths of what it is about, and without the folders of these."""
    for name in own:
        text = text.removeprefix(f"{name}: ")
    folders = {path for name in own for path in (name, os.path.dirname(name))}
    for folder in sorted(folders, key=len, reverse=True):
        text = text.replace(f"{folder}/", "")
    return text
