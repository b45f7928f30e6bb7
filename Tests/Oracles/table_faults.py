"""What goes wrong on purpose: a seeded plan that decides for each request by its number."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

# What a fault does; those with a `commit` do it before or after the change is made, or late.
KINDS = {
    "status",        # answers `status`, with `retryAfter` seconds (as a date with `date`), and the
                     # `code` of Parse
    "reset",         # the connection is reset
    "close",         # the connection is closed in order, without an answer
    "cut",           # half of the answer's body, then a close
    "cut-chunked",   # the same in chunks, without the last one
    "empty",         # the answer's status without its body
    "garbage",       # the answer's status with a body that is not JSON
    "truncated",     # the answer's status with half of the JSON, well framed
    "other-item",    # the answer's status with an item of another id
    "redirect",      # `status` to the same host, or with `elsewhere` to another one
    "slow",          # the answer byte by byte
    "stall",         # no answer at all, the connection stays open
    "untagged",      # the answer without its ETag
    "once",          # the answer; the next request on the connection is not read, and ends in a close
    "raw",           # the text of `raw` instead of an answer, a byte for each character; a close
}
AFTER, BEFORE, LATE = "after", "before", "late"


@dataclass
class Fault:
    """One thing to do to one request."""

    kind: str
    commit: str = BEFORE
    status: int = 503
    retry_after: float | None = None
    date: bool = False
    elsewhere: bool = False
    milliseconds: int = 20
    raw: bytes = b""
    code: int | None = None


@dataclass
class Rule:
    """A fault, how often, and for which requests."""

    fault: Fault
    share: float = 1.0
    methods: frozenset[str] = frozenset()
    first: int = 0
    last: int | None = None
    every: int | None = None

    def applies(self, number: int, method: str, draw: float) -> bool:
        if self.methods and method not in self.methods:
            return False
        if number < self.first or (self.last is not None and number > self.last):
            return False
        if self.every:
            return number % self.every == 0
        return draw < self.share


@dataclass
class Plan:
    """All rules of a run, the latency of every answer, and when sign-in ends."""

    seed: int = 0
    latency: float = 0
    jitter: float = 0
    unauthorized_after: int | None = None
    rules: list[Rule] = field(default_factory=list)

    @staticmethod
    def read(document: dict[str, object]) -> Plan:
        """A plan from its JSON; unknown words are errors."""
        plan = Plan(
            int(document.get("seed", 0)), float(document.get("latency", 0)),
            float(document.get("jitter", 0)), document.get("unauthorizedAfter"))
        for entry in document.get("rules", []):
            plan.rules.append(rule(dict(entry)))
        return plan

    def wait(self, number: int) -> float:
        """The seconds before the answer to a request."""
        if not self.jitter:
            return self.latency / 1000
        return (self.latency + self.jitter * random.Random(self.seed ^ -number).random()) / 1000

    def fault(self, number: int, method: str) -> Fault | None:
        """What happens to a request, the first rule that applies."""
        if not self.rules:
            return None
        draws = random.Random(self.seed * 1_000_003 + number)
        for each in self.rules:
            if each.applies(number, method, draws.random()):
                return each.fault
        return None


def rule(entry: dict[str, object]) -> Rule:
    """A rule from its JSON."""
    fault = Fault(
        str(entry.pop("kind")), str(entry.pop("commit", BEFORE)), int(entry.pop("status", 503)),
        entry.pop("retryAfter", None), bool(entry.pop("date", False)),
        bool(entry.pop("elsewhere", False)), int(entry.pop("milliseconds", 20)),
        str(entry.pop("raw", "")).encode("latin-1"), entry.pop("code", None))
    made = Rule(
        fault, float(entry.pop("share", 1)), frozenset(entry.pop("methods", ())),
        int(entry.pop("first", 0)), entry.pop("last", None), entry.pop("every", None))
    if fault.kind not in KINDS or fault.commit not in (AFTER, BEFORE, LATE) or entry:
        raise ValueError(f"not a rule: {fault.kind} {fault.commit} {entry}")
    return made
