"""Damages bundles: the manifest, a file with its hash put right or not, and what stands there."""

import hashlib
import json
import os

import mutate_text


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def mutate_file(path, source):
    """A damaged file; mostly the manifest then agrees, so that its parser is reached."""
    old = read(path)
    new = mutate_text.mutate(old, source)
    write(path, new)
    if os.path.basename(path) == "manifest.json" or source.random() < 0.2:
        return
    manifest = os.path.join(os.path.dirname(path), "manifest.json")
    value = json.loads(read(manifest))
    put_right(value, hashlib.sha256(old).hexdigest(), new)
    write(manifest, json.dumps(value).encode())


def put_right(value, old, new):
    members = value.values() if isinstance(value, dict) else value
    for member in members:
        if isinstance(member, (dict, list)):
            put_right(member, old, new)
    if isinstance(value, dict) and value.get("sha256") == old:
        value["sha256"] = hashlib.sha256(new).hexdigest()
        value["bytes"] = len(new)


def mutate(folder, source):
    names = sorted(os.listdir(folder))
    path = os.path.join(folder, source.choice(names + ["manifest.json"] * 3))
    chance = source.random()
    if path.endswith("manifest.json") and chance < 0.7:
        return write(path, mutate_text.mutate_json(read(path), source))
    if chance < 0.85:
        return mutate_file(path, source)
    os.remove(path)
    if chance < 0.88:
        os.symlink("/etc/passwd", path)
    elif chance < 0.91:
        os.symlink("/dev/zero", path)
    elif chance < 0.94:
        os.mkfifo(path)
    elif chance < 0.97:
        os.mkdir(path)
    return None
