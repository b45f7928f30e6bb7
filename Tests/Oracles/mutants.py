"""Makes damaged and hostile variants of stores and exports, the same ones for the same seed.

    mutants.py SEED COUNT TARGET BASE...

Each BASE is a folder that holds one store: a database `store` with its side files, a document
`store`, or a bundle `store/`. The variants are TARGET/0/store, TARGET/1/store and so on.
"""

import os
import random
import sys

import mutate_bundle
import mutate_database
import mutate_text

DATABASE = b"SQLite format 3\0"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def files_of(base):
    return {name: read(os.path.join(base, name)) for name in sorted(os.listdir(base))}


def write(files, target):
    for name, content in files.items():
        with open(os.path.join(target, name), "wb") as file:
            file.write(content)


def mutate(base, target, others, source):
    bundle = os.path.join(base, "store")
    if os.path.isdir(bundle):
        folder = os.path.join(target, "store")
        os.mkdir(folder)
        write(files_of(bundle), folder)
        return mutate_bundle.mutate(folder, source)
    files = files_of(base)
    if files["store"].startswith(DATABASE):
        if source.random() < 0.5:
            write(files, target)
            return mutate_database.change_contents(os.path.join(target, "store"), source)
        return write(mutate_database.damage(files, others, source), target)
    return write({"store": mutate_text.mutate_document(files["store"], source)}, target)


def main(seed, count, target, bases):
    databases = [read(os.path.join(base, "store")) for base in bases
                 if os.path.isfile(os.path.join(base, "store"))]
    others = [content for content in databases if content.startswith(DATABASE)]
    for number in range(count):
        source = random.Random(seed * 100_000 + number)
        folder = os.path.join(target, str(number))
        os.mkdir(folder)
        mutate(source.choice(bases), folder, others, source)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
