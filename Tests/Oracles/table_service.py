#!/usr/bin/env python3
"""A table server for tests, on loopback only, that is strict and misbehaves as it is told.

    table_service.py --dialect v1|v2-dotnet|v2-node|v3|toolkit|parse [--until-input-ends] [--tls PEM]

The first line of output is JSON: the base URLs of the `service`, of `elsewhere` (another origin,
which writes down what it is sent) and of `control`. The control takes
`POST /plan` (see table_faults.py), `POST /seed` ({table: [items]}), `POST /require` ({header:
value}, else 401), `POST /options` ({"softDelete", "openToAnyTable"}; of Parse {"idempotent",
"unique", "closed", "noConditions"}), `POST /reset`, and answers
`GET /state` (tables and every commit in order), `GET /counts` and `GET /elsewhere`. With
`--until-input-ends` the same verbs are taken as lines of standard input, `VERB PATH [JSON]`, each
answered by a line of JSON; the end of the input ends the service.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import ssl
import sys
import threading
from collections import Counter
from collections.abc import Callable

sys.dont_write_bytecode = True

from parse_rules import ParseRules  # noqa: E402
from table_faults import Plan  # noqa: E402
from table_rules import DIALECTS, Answer, Request, Rules  # noqa: E402
from table_state import State  # noqa: E402
from table_wire import Connection, Site, misbehave  # noqa: E402


class TableSite(Site):
    """The tables, under a plan of faults."""

    def __init__(self, dialect: str) -> None:
        self.elsewhere = ""
        self.dialect = dialect
        self.reset()

    def reset(self) -> None:
        """Forgets everything, settings included."""
        width = 8 if self.dialect.startswith(("v1", "v2")) else 16
        self.rules = ParseRules() if self.dialect == "parse" else \
            Rules(self.dialect, State(width))
        self.plan = Plan()
        self.requests = 0
        self.counts: Counter[str] = Counter()

    def handle(self, connection: Connection, request: Request) -> None:
        self.requests += 1
        request.number = self.requests
        self.counts[request.method] += 1
        wait = self.plan.wait(request.number)
        if wait:
            asyncio.get_running_loop().call_later(wait, self.work, connection, request)
        else:
            self.work(connection, request)

    def work(self, connection: Connection, request: Request) -> None:
        """Answers a request, or does what the plan says."""
        limit = self.plan.unauthorized_after
        if limit is not None and request.number > limit:
            self.counts["401"] += 1
            connection.send(self.rules.refusal(401, "signed out").answer)
            return
        fault = self.plan.fault(request.number, request.method)
        if fault is None:
            answer = self.rules.answer(request)
            self.counts[str(answer.status)] += 1
            connection.send(answer)
            return
        self.counts[fault.kind] += 1
        misbehave(
            connection, fault, lambda: self.rules.answer(request), self.elsewhere, request.target)


class ElsewhereSite(Site):
    """Another origin: nothing secret may ever arrive here."""

    def __init__(self) -> None:
        self.arrived: list[dict[str, object]] = []

    def handle(self, connection: Connection, request: Request) -> None:
        self.arrived.append({"method": request.method, "target": request.target,
                             "headers": request.headers, "body": request.body.decode("latin-1")})
        connection.send(Answer(200, {"id": "elsewhere"}))


class ControlSite(Site):
    """What a test asks and tells the service."""

    def __init__(self, tables: TableSite, elsewhere: ElsewhereSite) -> None:
        self.tables, self.elsewhere = tables, elsewhere
        self.verbs: dict[str, Callable[[dict], object]] = {
            "POST /plan": self.plan, "POST /seed": lambda body: tables.rules.state.seed(body),
            "POST /require": self.require, "POST /options": self.options,
            "POST /reset": lambda _: tables.reset(),
            "GET /state": lambda _: tables.rules.state.dump(),
            "GET /counts": lambda _: {"requests": tables.requests,
                                      "connections": tables.connections, **tables.counts},
            "GET /elsewhere": lambda _: elsewhere.arrived,
        }

    def handle(self, connection: Connection, request: Request) -> None:
        connection.send(self.answer(f"{request.method} {request.target}", request.body))

    def answer(self, name: str, body: bytes | str) -> Answer:
        """Does what a verb says."""
        verb = self.verbs.get(name)
        if verb is None:
            return Answer(404, {"error": "no such verb"})
        try:
            result = verb(json.loads(body or "{}"))
            return Answer(200, {} if result is None else result)
        except (ValueError, KeyError, TypeError) as error:
            return Answer(400, {"error": str(error)})

    def obey(self, line: str) -> None:
        """Does what a line of standard input says."""
        method, path, *body = line.strip().split(" ", 2)
        print(json.dumps(self.answer(f"{method} {path}", "".join(body)).body), flush=True)

    def plan(self, body: dict) -> None:
        self.tables.plan = Plan.read(body)

    def require(self, body: dict) -> None:
        self.tables.rules.required = body

    def options(self, body: dict) -> None:
        if isinstance(self.tables.rules, ParseRules):
            self.tables.rules.options = body
            return
        self.tables.rules.soft_delete = bool(body.pop("softDelete", True))
        self.tables.rules.state.open_to_any_table = bool(body.pop("openToAnyTable", True))
        self.tables.rules.listing = int(body.pop("listing", 200))
        self.tables.rules.doubles = bool(body.pop("doubles", False))
        self.tables.rules.undeletes = bool(body.pop("undeletes", True))
        if body:
            raise ValueError(f"unknown options {sorted(body)}")


async def serve(dialect: str, until_input_ends: bool, context: ssl.SSLContext | None) -> None:
    """Listens until told to end."""
    loop = asyncio.get_running_loop()
    tables, elsewhere = TableSite(dialect), ElsewhereSite()
    control = ControlSite(tables, elsewhere)
    places = {}
    servers = []
    for name, site in (("service", tables), ("elsewhere", elsewhere),
                       ("control", control)):
        secure = context if name == "service" else None
        server = await loop.create_server(
            lambda site=site: Connection(site), "127.0.0.1", 0, ssl=secure, backlog=1024)
        servers.append(server)
        port = server.sockets[0].getsockname()[1]
        places[name] = f"http{'s' if secure else ''}://127.0.0.1:{port}"
    tables.elsewhere = places["elsewhere"]
    print(json.dumps(places), flush=True)
    ended = asyncio.Event()
    if until_input_ends:
        threading.Thread(target=listen, args=(loop, control, ended), daemon=True).start()
    await ended.wait()


def listen(loop: asyncio.AbstractEventLoop, control: ControlSite, ended: asyncio.Event) -> None:
    """Hands lines of standard input to the service until they end."""
    for line in sys.stdin:
        if line.strip():
            loop.call_soon_threadsafe(control.obey, line)
    loop.call_soon_threadsafe(ended.set)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--dialect", choices=(*DIALECTS, "parse"), default="v2-dotnet")
    parser.add_argument("--until-input-ends", action="store_true")
    parser.add_argument("--tls", help="a PEM file with a key and its certificates")
    given = parser.parse_args()
    context = None
    if given.tls:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(given.tls)
    asyncio.run(serve(given.dialect, given.until_input_ends, context))


if __name__ == "__main__":
    main()
