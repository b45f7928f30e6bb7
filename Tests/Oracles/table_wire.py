"""HTTP/1.1 by hand over asyncio: requests in, answers out, and the faults carried out."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

from table_faults import AFTER, LATE, Fault
from table_rules import Answer, Request

PHRASES = {200: "OK", 201: "Created", 204: "No Content", 400: "Bad Request", 404: "Not Found",
           409: "Conflict", 412: "Precondition Failed", 503: "Service Unavailable"}
LIMIT = 64 << 20


class Connection(asyncio.Protocol):
    """One connection; requests on it are answered one after another."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.buffer = bytearray()
        self.busy = False
        self.closing = False
        self.ends_with_next = False
        self.told_to_go_on = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.site.connections += 1
        plain = transport.get_extra_info("socket")
        if plain is not None:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def connection_lost(self, error: Exception | None) -> None:
        self.closing = True

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self.go_on()

    def go_on(self) -> None:
        """Takes the next whole request from the buffer, if one is there."""
        if self.busy or self.closing:
            return
        if self.ends_with_next and self.buffer:
            self.close()
            return
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        lines = self.buffer[:end].decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", 0))
        if "transfer-encoding" in headers or length > LIMIT:
            self.transport.write(b"HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\n\r\n")
            self.transport.close()
            return
        if len(self.buffer) < end + 4 + length:
            if "100" in headers.get("expect", "") and not self.told_to_go_on:
                self.told_to_go_on = True
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            return
        body = bytes(self.buffer[end + 4 : end + 4 + length])
        del self.buffer[: end + 4 + length]
        self.busy, self.told_to_go_on = True, False
        self.site.handle(self, Request(0, method, target, headers, body))

    # Answers.

    def send(self, answer: Answer) -> None:
        """A whole answer; the connection stays."""
        if not self.closing:
            self.transport.write(framed(answer))
        self.done()

    def done(self) -> None:
        """The request is answered; the next may come."""
        self.busy = False
        self.go_on()

    def close(self) -> None:
        """Ends the connection in order, after what was written."""
        if not self.closing:
            self.transport.close()

    def reset(self) -> None:
        """Ends the connection with a reset."""
        if self.closing:
            return
        plain = self.transport.get_extra_info("socket")
        if plain is not None:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def trickle(self, data: bytes) -> None:
        """Writes a byte at a time."""
        if self.closing:
            return
        self.transport.write(data[:1])
        if len(data) > 1:
            asyncio.get_running_loop().call_later(0.002, self.trickle, data[1:])
        else:
            self.done()


class Site:
    """Everything that one listener answers with; subclasses say what."""

    connections = 0

    def handle(self, connection: Connection, request: Request) -> None:
        raise NotImplementedError


def encoded(answer: Answer) -> bytes:
    """The body's bytes."""
    if answer.body is None:
        return b""
    if isinstance(answer.body, bytes):
        return answer.body
    return json.dumps(answer.body, ensure_ascii=False, separators=(",", ":")).encode()


def head(answer: Answer, length: int | None) -> bytes:
    """The status line and the headers; no length means chunks."""
    lines = [f"HTTP/1.1 {answer.status} {PHRASES.get(answer.status, 'Some Answer')}"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    if answer.body is not None and "Content-Type" not in answer.headers:
        lines.append("Content-Type: application/json; charset=utf-8")
    if length is None:
        lines.append("Transfer-Encoding: chunked")
    elif answer.status != 204:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def framed(answer: Answer) -> bytes:
    """The whole answer as it goes over the wire."""
    body = encoded(answer)
    return head(answer, len(body)) + body


def misbehave(
    connection: Connection, fault: Fault, work: Callable[[], Answer], elsewhere: str, target: str
) -> None:
    """Carries out one fault; `work` does what the request asks."""
    loop = asyncio.get_running_loop()
    if fault.kind in ("status", "reset", "close", "stall", "redirect", "raw"):
        if fault.commit == AFTER:
            work()
        elif fault.commit == LATE:
            loop.call_later(fault.milliseconds / 1000, work)
    if fault.kind == "status":
        code = {} if fault.code is None else {"code": fault.code}
        connection.send(Answer(fault.status, {**code, "error": "not now"}, retry_after(fault)))
    elif fault.kind == "redirect":
        place = (elsewhere if fault.elsewhere else "") + target
        connection.send(Answer(fault.status, None, {"Location": place}))
    elif fault.kind == "reset":
        connection.reset()
    elif fault.kind == "raw":
        if not connection.closing:
            connection.transport.write(fault.raw)
        connection.close()
    elif fault.kind == "close":
        connection.close()
    elif fault.kind == "once":
        connection.ends_with_next = True
        connection.send(work())
    elif fault.kind == "slow":
        connection.trickle(framed(work()))
    elif fault.kind != "stall":
        spoil(connection, fault, work())


def spoil(connection: Connection, fault: Fault, answer: Answer) -> None:
    """Faults of an answer whose request was carried out."""
    body = encoded(answer)
    half = body[: len(body) // 2]
    if connection.closing:
        return
    if fault.kind == "cut":
        connection.transport.write(head(answer, len(body) + (not body)) + half)
        connection.close()
    elif fault.kind == "cut-chunked":
        connection.transport.write(head(answer, None) + b"%x\r\n" % (len(half) + 2) + half)
        connection.close()
    elif fault.kind == "empty":
        connection.send(Answer(answer.status, b"", answer.headers))
    elif fault.kind == "garbage":
        connection.send(Answer(
            answer.status, b"<html>all is well</html>", {"Content-Type": "text/html"}))
    elif fault.kind == "truncated":
        connection.send(Answer(answer.status, half, answer.headers))
    elif fault.kind == "untagged":
        kept = {name: value for name, value in answer.headers.items() if name != "ETag"}
        connection.send(Answer(answer.status, answer.body, kept))
    else:
        other = {**answer.body, "id": "another"} if isinstance(answer.body, dict) else answer.body
        connection.send(Answer(answer.status, other, answer.headers))


def retry_after(fault: Fault) -> dict[str, str]:
    """The header that says when to come back."""
    if fault.retry_after is None:
        return {}
    if not fault.date:
        return {"Retry-After": str(fault.retry_after)}
    moment = datetime.now(timezone.utc) + timedelta(seconds=float(fault.retry_after))
    return {"Retry-After": format_datetime(moment, usegmt=True)}
