"""Damages documents: token by token, line by line, value by value, and inside their packing."""

import gzip
import json
import zlib

from mutate_bytes import cut, flip, part

TOKENS = [
    b'"', b"'", b",", b"\n", b"\r", b"{", b"}", b"[", b"]", b":", b"<", b">", b"&", b"&#0;",
    b"&x;", b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"\0", b"\xff", b"null", b"true", b"1e999", b"-0",
    b"9223372036854775808", b"\\u0000", b"\\ud800", b"<![CDATA[", b"]]>", b"<!--", b"[" * 700,
    b'{"a":' * 700, b"\xef\xbb\xbf", b"a" * 70_000, b'""', b"=cmd", b"NaN", b"\xc0\x80"]
LEAVES = [
    None, True, False, 0, -1, 2**63, 2**64, 1.5, 1e300, "", "x", "../../../tmp/evil",
    "/etc/passwd", "a\0b", "..", ".", "data/../../x", [], {}, [[]], {"a": 1}, "text", "integer",
    "timestamp", "0" * 64]


def mutate_document(content, source):
    """A damaged document, packed if the original was."""
    if not content.startswith(b"\x1f\x8b"):
        return mutate_unpacked(content, source)
    kind = source.randrange(8)
    if kind <= 3:
        return gzip.compress(mutate_unpacked(gzip.decompress(content), source), mtime=0)
    if kind <= 5:
        return flip(content, source)
    if kind == 6:
        return cut(content, source)
    return content + source.choice([content, b"x", bytes(100), zlib.compress(content)])


def mutate_unpacked(content, source):
    if content.startswith(b"{\n") or content.startswith(b'{"rehome"'):
        if source.random() < 0.4:
            return mutate_json(content, source)
    return mutate(content, source)


def mutate_json(content, source):
    """Sound JSON that says something else."""
    try:
        value = json.loads(content)
    except ValueError:
        return mutate(content, source)
    for _ in range(source.choice([1, 1, 2, 5])):
        value = changed(value, source)
    return json.dumps(value).encode()


def changed(value, source):
    chance = source.random()
    if isinstance(value, dict) and value:
        key = source.choice(list(value))
        if chance < 0.12:
            return {name: member for name, member in value.items() if name != key}
        if chance < 0.2:
            return {**value, source.choice(["x", key + key, "", "name"]): source.choice(LEAVES)}
        return {**value, key: source.choice(LEAVES) if chance < 0.3 else changed(
            value[key], source)}
    if isinstance(value, list) and value:
        place = source.randrange(len(value))
        if chance < 0.1:
            return value[:place] + value[place + 1:]
        if chance < 0.2:
            return value[:place] + value[place:place + 1] + value[place:]
        if chance < 0.24:
            return value * 50
        new = source.choice(LEAVES) if chance < 0.32 else changed(value[place], source)
        return value[:place] + [new] + value[place + 1:]
    return source.choice(LEAVES)


def mutate(content, source):
    """Some pieces of a text replaced, removed, repeated or moved."""
    for _ in range(source.choice([1, 1, 2, 3, 6])):
        content = change(content, source)
    return content


def change(content, source):
    if not content:
        return content
    place = source.randrange(len(content))
    end = min(len(content), place + source.choice([1, 2, 5, 20, 200]))
    kind = source.randrange(9)
    if kind == 0:
        return content[:place] + source.choice(TOKENS) + content[place:]
    if kind == 1:
        return content[:place] + source.choice(TOKENS) + content[end:]
    if kind == 2:
        return content[:place] + content[end:]
    if kind == 3:
        return content[:place] + part(content, source, 500) + content[place:]
    if kind == 4:
        return flip(content, source, 1)
    if kind == 5:
        return content[:place]
    if kind == 6:
        return change_lines(content, source)
    if kind == 7:
        return change_digit(content, source)
    return content + source.choice(TOKENS)


def change_lines(content, source):
    lines = content.split(b"\n")
    one, two = source.randrange(len(lines)), source.randrange(len(lines))
    kind = source.randrange(3)
    if kind == 0:
        lines[one], lines[two] = lines[two], lines[one]
    elif kind == 1:
        del lines[one]
    else:
        lines.insert(one, lines[two])
    return b"\n".join(lines)


def change_digit(content, source):
    digits = [place for place, byte in enumerate(content) if 48 <= byte <= 57]
    if not digits:
        return content
    place = source.choice(digits)
    new = source.choice([b"0", b"9", b"-", b"9" * 20, b".5", b"e9"])
    return content[:place] + new + content[place + 1:]
