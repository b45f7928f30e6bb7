"""Changes bytes the way failing disks and patient attackers do."""

TELLING = [0, 1, 2, 5, 10, 13, 0x40, 0x7F, 0x80, 0xFF]
NUMBERS = [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def flip(content, source, times=None):
    """Some bytes changed, most of them to telling values."""
    if not content:
        return content
    content = bytearray(content)
    for _ in range(times or source.choice([1, 1, 2, 4, 8, 32])):
        place = source.randrange(len(content))
        kind = source.randrange(4)
        if kind == 0:
            content[place] ^= 1 << source.randrange(8)
        elif kind == 1:
            content[place] = source.randrange(256)
        elif kind == 2:
            content[place] = source.choice(TELLING)
        else:
            put(content, place, source.choice(NUMBERS), source.choice([2, 4]))
    return bytes(content)


def put(content, place, number, width):
    """Writes a big-endian number over what stands there, without changing the length."""
    width = max(0, min(width, len(content) - place))
    content[place:place + width] = (number & ((1 << 8 * width) - 1)).to_bytes(width, "big")


def cut(content, source):
    """A beginning."""
    return content[:source.randrange(len(content) + 1)]


def part(content, source, longest):
    """A piece of at most so many bytes."""
    start = source.randrange(len(content) + 1)
    return content[start:start + source.randrange(longest + 1)]
