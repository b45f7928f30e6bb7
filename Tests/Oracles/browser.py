"""A headless Chromium, driven through its own protocol with nothing but the standard library."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def program() -> str | None:
    """The browser, if one is installed."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Socket:
    """The client's side of one web socket (RFC 6455), for texts only."""

    def __init__(self, address: str) -> None:
        host, _, path = address.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self.stream = socket.create_connection((name, int(port)), timeout=120)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self._take(1)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise RuntimeError(answer.decode(errors="replace"))

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.stream.recv(count - len(data))
            if not piece:
                raise EOFError("the browser has gone")
            data += piece
        return data

    def send(self, text: str) -> None:
        """Sends one text, masked as clients must."""
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        if size < 126:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, size)
        masked = bytes(byte ^ mask[place & 3] for place, byte in enumerate(data))
        self.stream.sendall(head + mask + masked)

    def receive(self) -> str:
        """The next text."""
        text = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", self._take(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self._take(8))
            data = self._take(size)
            if first & 0x0F in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()


class Browser:
    """One browser with one page."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="browser-")
        name = program()
        if name is None:
            raise FileNotFoundError("no Chromium is installed")
        self.process = subprocess.Popen(
            [
                name, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-extensions", "--disable-background-networking",
                "--remote-debugging-port=0", f"--user-data-dir={self.folder}", "about:blank",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.number = 0
        self.events: list[dict[str, Any]] = []
        self.socket = Socket(self._page())
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _page(self) -> str:
        port_file = Path(self.folder) / "DevToolsActivePort"
        end = time.monotonic() + 60
        while time.monotonic() < end:
            # The file appears in pieces, and the page a little later than the port.
            try:
                port = port_file.read_text().splitlines()[0]
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=5) as answer:
                    pages = [each for each in json.load(answer) if each["type"] == "page"]
                return pages[0]["webSocketDebuggerUrl"]
            except (OSError, IndexError, ValueError):
                time.sleep(0.1)
        raise TimeoutError("the browser did not start")

    def close(self) -> None:
        """Ends the browser and removes its folder."""
        try:
            self.call("Browser.close")
        except (OSError, EOFError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        self.socket.send(
            json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def run(self, script: str) -> Any:
        """The value of an expression in the page, waited for where it is a promise."""
        answer = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def open(self, path: str | Path, anchor: str = "") -> float:
        """Opens a page and returns how many seconds it took until it was ready for use."""
        start = time.monotonic()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=Path(path).resolve().as_uri() + anchor)
        self.wait("document.documentElement?.dataset.ready === 'yes'")
        return time.monotonic() - start

    def wait(self, condition: str, seconds: float = 60) -> None:
        """Waits until an expression holds."""
        end = time.monotonic() + seconds
        while not self.run(condition):
            if time.monotonic() > end:
                raise TimeoutError(condition)
            time.sleep(0.02)

    def view(self, width: int, *, dark: bool = False, height: int = 900) -> None:
        """Sets the size of the window and the colours that its reader prefers."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=width < 600)
        scheme = "dark" if dark else "light"
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path: str | Path, *, whole: bool = True) -> None:
        """Writes a picture of the page."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(answer["data"]))

    def print(self, path: str | Path | None = None) -> int:
        """Prints the page and returns how many sheets it takes."""
        answer = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        data = base64.b64decode(answer["data"])
        if path is not None:
            Path(path).write_bytes(data)
        return data.count(b"/Type /Page\n") or data.count(b"/Type /Page ")

    def press(self, key: str, code: int, *, shift: bool = False) -> None:
        """Presses and releases a key."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key,
                windowsVirtualKeyCode=code, modifiers=8 if shift else 0)

    def complaints(self) -> list[str]:
        """What the page's console and its policy complained about."""
        found = []
        for event in self.events:
            details = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                found.append(json.dumps(details["exceptionDetails"])[:500])
            elif event["method"] == "Log.entryAdded":
                found.append(details["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(json.dumps(details["args"])[:500])
        return found
