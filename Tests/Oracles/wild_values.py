"""Random stored values for each attribute type, with the extremes and the wrong ones."""

from __future__ import annotations

import random
from fractions import Fraction

from maker.values import Raw, TextBytes

SECONDS_1970_TO_2001 = 978_307_200
YEAR_ONE = -63_113_904_000
DISTANT_PAST = -63_114_076_800
YEAR_TEN_THOUSAND = 252_423_993_600
NULL_SHARE, WRONG_SHARE, EXTREME_SHARE = 0.12, 0.05, 0.4

INTEGERS = (0, 1, -1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 255, 65_536)
REALS = (
    0.0, -0.0, 0.1, -1.5, 1e15, 2.0**53, 1e300, -1e300, 5e-324, 1.7976931348623157e308,
    float("inf"), float("-inf"), 3.141592653589793, 1e-5, 100.0,
)
DECIMALS = (
    "0", "1", "-1", "19.99", "-0.000001", "0.1", "123456789012345678", "-9223372036854775808",
    "3.3333333332999993", "1e-7", "1e20", "-1e22", "1e-300", "100.50",
)
TEXTS = (
    "", " ", "plain", "a\0b", "\0", "line\nbreak\r\ntab\t", 'quotes " \' ` \\ / </a> &amp; ]]>',
    "Größe prüfen", "каток", "寿司", "שלום", "e\u0301", "🎉👩‍👩‍👧", "\U0010FFFF", "\uFFFF\uFFFE",
    "\uFEFFmarked", "\u2028\u2029", "\x01\x1f\x7f\x85", "=1+1", "-1", "+x", "@x", "NULL", "null",
    "2016-10-01T09:15:30.123Z", "𝔘𝔫𝔦", "\uD7FF\uE000", "x" * 5000, "12", "1e5", "trailing ",
)
BROKEN_TEXTS = (
    b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xe2\x82", b"\xf4\x90\x80\x80", b"ok\x80",
    b"a\0\xff", b"\xf8\x88\x80\x80\x80",
)
WRONG = {
    "integer": (1.5, "abc", b"\x01", "", float("inf")),
    "boolean": (2, -1, "yes", 0.5, b""),
    "number": ("abc", b"\x00\x01", "", "12 apples"),
    "text": (b"blob", b""),
    "blob": ("text", 5, 1.25, ""),
}
WRONG_OF = {
    "integer16": "integer", "integer32": "integer", "integer64": "integer", "boolean": "boolean",
    "double": "number", "float": "number", "decimal": "number", "date": "number",
    "string": "text", "uri": "text", "binary": "blob", "transformable": "blob", "uuid": "blob",
}


class WildValues:
    """Draws values from a seeded generator."""

    def __init__(self, rng: random.Random, wrong: bool) -> None:
        self.rng = rng
        self.wrong = wrong
        self.draw = {
            "integer16": self.integer, "integer32": self.integer, "integer64": self.integer,
            "boolean": self.boolean, "double": self.real, "float": self.single,
            "decimal": self.decimal, "string": self.text, "uri": self.uri, "date": self.date,
            "binary": self.binary, "transformable": self.binary, "uuid": self.uuid,
        }

    def value(self, kind: str, external: bool = False) -> object:
        """A value for an attribute type: NULL, wrong, extreme or plain."""
        dice = self.rng.random()
        if dice < NULL_SHARE:
            return None
        if external:
            return self.binary()
        if self.wrong and dice < NULL_SHARE + WRONG_SHARE:
            return self.of_wrong_type(kind)
        return self.draw[kind]()

    def of_wrong_type(self, kind: str) -> object:
        """A value the type cannot hold."""
        if kind in ("string", "uri") and self.rng.random() < 0.6:
            return TextBytes(self.rng.choice(BROKEN_TEXTS))
        if kind == "uuid" and self.rng.random() < 0.5:
            return Raw(self.rng.randbytes(self.rng.choice((0, 1, 15, 17))))
        if kind == "date" and self.rng.random() < 0.7:
            return Raw(self.date_out_of_range())
        return Raw(self.rng.choice(WRONG[WRONG_OF[kind]]))

    def extreme(self) -> bool:
        """Whether to draw from the extremes."""
        return self.rng.random() < EXTREME_SHARE

    def integer(self) -> object:
        """An integer."""
        return self.rng.choice(INTEGERS) if self.extreme() else self.rng.randint(-99, 99_999)

    def boolean(self) -> object:
        """A truth value."""
        return self.rng.random() < 0.5

    def real(self) -> object:
        """A double."""
        return self.rng.choice(REALS) if self.extreme() else self.rng.uniform(-1e6, 1e6)

    def single(self) -> object:
        """A number that becomes a 32-bit float."""
        return self.rng.uniform(-1e3, 1e3)

    def decimal(self) -> object:
        """Decimal digits."""
        if self.extreme():
            return self.rng.choice(DECIMALS)
        return f"{self.rng.uniform(-1e5, 1e5):.{self.rng.randint(0, 6)}f}"

    def text(self) -> object:
        """Text."""
        if self.extreme():
            return self.rng.choice(TEXTS)
        length = self.rng.randint(1, 30)
        return "".join(self.character() for _ in range(length))

    def character(self) -> str:
        """A character of any plane, but no surrogate."""
        top = self.rng.choice((0x7E, 0x7E, 0x24F, 0xD7FF, 0x10FFFF))
        code = self.rng.randint(0x20, top)
        return "?" if 0xD800 <= code <= 0xDFFF else chr(code)

    def uri(self) -> object:
        """A URL."""
        return f"https://example.org/{self.rng.randint(0, 9999)}?q=a%20b&c=ü"

    def binary(self) -> object:
        """Never starts like a reference to an external file."""
        if self.extreme():
            return self.rng.choice((b"", b"\0", b"\x01", b"{}", b"bplist00", b"\xff" * 3000))
        return b"\x03" + self.rng.randbytes(self.rng.randint(0, 40))

    def uuid(self) -> object:
        """Sixteen bytes."""
        return Raw(self.rng.randbytes(16))

    def date(self) -> object:
        """Seconds since 2001."""
        draw = self.rng.choice((self.sdk_date, self.sdk_date, self.any_date, self.edge_date))
        return Raw(whole_as_integer(draw(), self.rng))

    def sdk_date(self) -> float:
        """Milliseconds since 1970, as the SDK read them from the server."""
        milliseconds = self.rng.randint(1_400_000_000_000, 1_600_000_000_000)
        return float(Fraction(milliseconds, 1000)) - SECONDS_1970_TO_2001

    def any_date(self) -> float:
        """Any instant: on a millisecond since 2001, or between two."""
        seconds = self.rng.uniform(YEAR_ONE + 1, YEAR_TEN_THOUSAND - 1)
        if self.rng.random() < 0.5:
            seconds = self.rng.uniform(-3e9, 3e9)
        if self.rng.random() < 0.5:
            return float(Fraction(round(seconds * 1000), 1000))
        return seconds + 0.0001 if halfway(seconds) else seconds

    def edge_date(self) -> float:
        last = float(Fraction(YEAR_TEN_THOUSAND * 1000 - 1, 1000))
        return self.rng.choice((
            0.0, 1.0, -1.0, DISTANT_PAST, YEAR_ONE, YEAR_ONE + 0.5, last, YEAR_TEN_THOUSAND - 1.0,
            -SECONDS_1970_TO_2001, -SECONDS_1970_TO_2001 - 0.001, -12_622_780_800.0,
            -12_622_780_800.25, 497_080_800.987654321, 0.123456789, -0.0005, 86_399.999,
        ))

    def date_out_of_range(self) -> object:
        """Seconds outside years 1 to 9999."""
        return self.rng.choice((
            YEAR_TEN_THOUSAND, float(YEAR_TEN_THOUSAND) + 0.5, YEAR_ONE - 1, YEAR_ONE - 0.25,
            DISTANT_PAST - 1, 1e18, -1e18, 1e300, float("inf"), float("-inf"), 2**63 - 1, -(2**63),
        ))


def whole_as_integer(value: float, rng: random.Random) -> object:
    """A whole number goes in as REAL or INTEGER; the column makes it INTEGER either way."""
    return int(value) if float(value).is_integer() and rng.random() < 0.5 else value


def halfway(value: float) -> bool:
    """Whether a number lies halfway between two nanoseconds, where rounding is a choice."""
    return (Fraction(value) * 1024).denominator == 1
