#!/usr/bin/env python3
"""Makes random stores of Amplify DataStore: `wild_amplify_stores.py OUTDIR SEED COUNT`.

Store number N of a seed is always the same; each gets a folder `SEED-N`. Every generation comes in
turn, and most stores have something that no SDK would have left: damaged payloads, metadata without
rows, ids of two models, values of other classes.
"""

from __future__ import annotations

import json
import random
import sqlite3
import uuid
from pathlib import Path

from wild_files import write_stores

GENERATIONS = (
    "ios-1", "ios-2", "ios-3", "android-1", "android-2", "android-3", "android-4", "android-5", "js")
MODELS = ("Post", "Comment", "Blog", "Setting", "Ünïcode", "it's", "post2", "Record")
WORDS = ("", "x", "äöü ½", "line\nbreak", '"quoted"', "𝄞", "null", "0", "|", "a|b", "'")
TIMES = ("2024-05-01T10:20:30.123Z", "2024-05-01T10:20:30.123456789Z", "1969-12-31T23:59:59Z",
         "2024-05-01T10:20:30.500+02:00", "2016-01-01T00:00:00.000000000Z")


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class Wild:
    """One random store."""

    def __init__(self, seed: int, number: int) -> None:
        self.rng = random.Random(f"amplify-{seed}-{number}")
        self.generation = GENERATIONS[number % len(GENERATIONS)]
        self.variant = self.generation.partition("-")[0]
        self.level = int(self.generation.partition("-")[2] or 0)
        self.odd = self.rng.random() < 0.7
        self.bare = self.generation in ("ios-1", "android-1")
        names = [each for each in MODELS if self.variant != "js" or each != "Setting"]
        self.models = self.rng.sample(names, self.rng.randint(1, 4))
        self.columns: dict[str, dict[str, str]] = {}
        self.ids: dict[str, list[str]] = {}
        self.keys: dict[str, str] = {}

    def chance(self, share: float) -> bool:
        return self.odd and self.rng.random() < share

    def write(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA page_size = %d" % self.rng.choice((512, 1024, 4096)))
        self.db.execute("BEGIN")
        getattr(self, f"{self.variant}_system")()
        for model in self.models:
            self.make_model(model)
        self.fill_metadata()
        for _ in range(self.rng.choice((0, 1, 3, 12))):
            self.add_operation()
        self.add_tokens()
        self.db.execute("COMMIT")
        self.db.close()

    # Schema

    def ios_system(self) -> None:
        name = (lambda text: text) if self.level == 1 else quoted
        predicate = ', "syncPredicate" text' if self.level > 2 else ""
        self.db.execute(f'create table if not exists {name("ModelSyncMetadata")} '
                        f'("id" text primary key not null, "lastSync" integer{predicate})')
        self.db.execute(
            f'create table if not exists {name("MutationEvent")} ("id" text primary key not null, '
            '"createdAt" text not null, "graphQLFilterJSON" text, "inProcess" integer not null, '
            '"json" text not null, "modelId" text not null, "modelName" text not null, '
            '"mutationType" text not null, "version" integer)')
        self.db.execute(
            f'create table if not exists {name("MutationSyncMetadata")} ("id" text primary key '
            'not null, "deleted" integer not null, "lastChangedAt" integer not null, '
            '"version" integer not null)')

    def android_system(self) -> None:
        self.db.execute("CREATE TABLE android_metadata (locale TEXT)")
        tick = "" if self.level == 1 else "`"
        late = self.level >= 3
        def create(table: str, columns: str) -> None:
            first = "`id` TEXT NOT NULL" if late else "`id` TEXT PRIMARY KEY NOT NULL"
            end = ", PRIMARY KEY ( 'id')" if late else ""
            self.db.execute(
                f"CREATE TABLE IF NOT EXISTS {tick}{table}{tick} ({first}, {columns}{end})")
        create("PersistentRecord", "`containedModelClassName` TEXT NOT NULL, `containedModelId` "
               "TEXT NOT NULL, `serializedMutationData` TEXT NOT NULL")
        create("LastSyncMetadata", "`lastSyncTime` INTEGER, `lastSyncType` TEXT NOT NULL, "
               "`modelClassName` TEXT NOT NULL" + (", `syncExpression` TEXT" * (self.level > 3)))
        create("PersistentModelVersion", "`version` TEXT NOT NULL")
        create("ModelMetadata", "`_deleted` INTEGER, `_lastChangedAt` INTEGER, `_version` INTEGER")
        if self.level > 4:
            self.db.execute("CREATE TABLE migration_flags (flag_name TEXT PRIMARY KEY)")

    def js_system(self) -> None:
        self.db.execute('CREATE TABLE IF NOT EXISTS "Setting" ("id" PRIMARY KEY NOT NULL, '
                        '"key" TEXT NOT NULL, "value" TEXT NOT NULL)')
        self.db.execute('CREATE TABLE "MutationEvent" ("id" PRIMARY KEY NOT NULL, "model" TEXT NOT '
                        'NULL, "data" TEXT NOT NULL, "modelId" TEXT NOT NULL, "operation" TEXT NOT '
                        'NULL, "condition" TEXT NOT NULL)')
        self.db.execute('CREATE TABLE "ModelMetadata" ("id" PRIMARY KEY NOT NULL, "namespace" TEXT '
                        'NOT NULL, "model" TEXT NOT NULL, "lastSync" INTEGER, "lastFullSync" '
                        'INTEGER, "fullSyncInterval" INTEGER NOT NULL, "lastSyncPredicate" TEXT)')

    def make_model(self, model: str) -> None:
        rng = self.rng
        key = "id"
        if self.variant != "js":
            key = rng.choice(("id", "id", "id", "isbn", "@@primaryKey"))
        self.keys[model] = key
        pool = {"title": "TEXT", "rating": "INTEGER", "weight": "REAL", "done": "INTEGER",
                "tags": "INTEGER" if self.variant == "js" else "TEXT", "createdAt": "TEXT",
                "updatedAt": "TEXT", "version": rng.choice(("INTEGER", "TEXT")), "deleted": "INTEGER"}
        chosen = rng.sample(sorted(pool), rng.randint(1, len(pool)))
        columns = {name: pool[name] for name in chosen}
        if key == "@@primaryKey" and rng.random() < 0.5:
            columns = {"id": "TEXT"} | columns
        parent = rng.choice(self.models[:self.models.index(model)] or [""])
        lines = [f"{quoted(name)} {kind.lower() if self.variant == 'ios' else kind}"
                 for name, kind in columns.items()]
        if self.variant == "ios":
            lines = [f"{quoted(key)} text primary key not null", *lines]
        elif self.variant == "android":
            bare = self.level < 3
            lines = [f"`{key}` TEXT " + ("PRIMARY KEY NOT NULL" if bare else "NOT NULL"), *lines]
            if not bare:
                lines.append(f"PRIMARY KEY ( '{key}')")
        else:
            lines = [f'"id" PRIMARY KEY NOT NULL', *lines]
            lines += ['"_version" INTEGER', '"_lastChangedAt" INTEGER', '"_deleted" INTEGER']
        if parent and self.variant != "js":
            at = 1 + len(columns)
            lines.insert(at, f'"parentId" TEXT')
            columns["parentId"] = "TEXT"
            lines.append(f'foreign key("parentId") references {quoted(parent)}'
                         f'({quoted(self.keys[parent])}) on delete cascade')
        self.columns[model] = columns
        self.db.execute(f"CREATE TABLE {quoted(model)} ({', '.join(lines)})")
        self.ids[model] = []
        for _ in range(rng.choice((0, 1, 4, 25))):
            self.add_row(model, parent)

    # Rows

    def new_id(self, model: str) -> str:
        text = str(uuid.UUID(int=self.rng.getrandbits(128)))
        if self.keys[model] == "@@primaryKey":
            return f'"{text[:4]}"#"{text[4:8]}"'
        if self.chance(0.1):
            return self.rng.choice(WORDS) + text[:6]
        return text.upper() if self.variant == "ios" else text

    def value(self, kind: str, name: str) -> object:
        rng = self.rng
        if rng.random() < 0.2:
            return None
        if self.chance(0.05):
            return rng.choice((b"\xff\x00", "text", 7, 2.5))
        if name in ("createdAt", "updatedAt"):
            return rng.choice(TIMES) if not self.chance(0.1) else "yesterday"
        if name == "tags":
            return json.dumps(rng.sample(range(9), 2))
        if kind == "INTEGER":
            return rng.choice((0, 1, 7, -5, 2**40)) if name != "done" else rng.choice((0, 1))
        if kind == "REAL":
            return rng.choice((0.5, 3.0, -1e300, 1))
        return rng.choice(WORDS) if not self.chance(0.05) else sqlite3.Binary(b"x")

    def add_row(self, model: str, parent: str) -> None:
        key = self.new_id(model)
        if key in self.ids[model]:
            return
        row = {self.keys[model]: key}
        for name, kind in self.columns[model].items():
            row[name] = self.value(kind, name)
        if parent and self.variant != "js":
            ids = self.ids[parent]
            row["parentId"] = self.rng.choice(ids) if ids and not self.chance(0.2) else "gone"
        if self.variant == "js" and self.rng.random() < 0.7:
            row["_version"] = self.rng.randint(1, 9)
            row["_lastChangedAt"] = 1_714_558_830_123
            row["_deleted"] = self.rng.choice((None, 0, 0, 1))
        self.insert(model, row)
        self.ids[model].append(key)

    def insert(self, table: str, row: dict[str, object]) -> None:
        names = ", ".join(quoted(name) for name in row)
        self.db.execute(f"INSERT INTO {quoted(table)} ({names}) VALUES "
                        f"({', '.join('?' * len(row))})", list(row.values()))

    def fill_metadata(self) -> None:
        if self.variant == "js" or self.chance(0.15):
            return
        table = "MutationSyncMetadata" if self.variant == "ios" else "ModelMetadata"
        mark = "" if self.variant == "ios" else "_"
        seen = set()
        items = [(model, each) for model in self.models for each in self.ids[model]
                 if self.rng.random() < 0.8]
        items += [(self.rng.choice(self.models), str(self.rng.random()))
                  for _ in range(self.rng.randint(0, 4))]
        if self.chance(0.4):
            items += [("Unknown", "z1"), (self.rng.choice(self.models), "Z|1")]
        if self.bare and len(self.models) > 1 and self.chance(0.6):
            for model in self.models[:2]:
                if self.keys[model] == "id":
                    try:
                        self.insert(model, {"id": "shared"})
                        self.ids[model].append("shared")
                    except sqlite3.IntegrityError:
                        pass
            items.append((self.models[0], "shared"))
        for model, item in items:
            name = item if self.bare else f"{model}|{item}"
            if name in seen:
                continue
            seen.add(name)
            deleted = int(item not in self.ids.get(model, ()) and self.rng.random() < 0.7)
            if self.chance(0.1):
                deleted = 1
            self.insert(table, {"id": name, mark + "deleted": deleted, mark + "lastChangedAt":
                                1_714_558_830_000, mark + "version": self.rng.randint(1, 12)})

    # Queue

    def add_operation(self) -> None:
        rng = self.rng
        model = rng.choice(self.models)
        ids = self.ids[model]
        item = rng.choice(ids) if ids and rng.random() < 0.8 else self.new_id(model)
        if self.chance(0.05):
            model = rng.choice(("Nowhere", model.lower(), model.upper()))
        kind = rng.choice(("create", "update", "delete"))
        if self.chance(0.07):
            kind = rng.choice(("upsert", "", "CREATE", "Create", "create"))
        getattr(self, f"{self.variant}_operation")(model, item, kind)

    def payload(self, model: str, item: str) -> dict[str, object]:
        body: dict[str, object] = {"id": item}
        for name in self.columns.get(model, {}):
            if name != "id":
                body[name] = self.rng.choice((None, "a/b", 5, True, {"id": "p"}, []))
        return body

    def ios_operation(self, model: str, item: str, kind: str) -> None:
        rng = self.rng
        text = json.dumps(self.payload(model, item), sort_keys=True).replace("/", "\\/")
        if rng.random() < 0.2:
            text = "[" + text + "]"
        if self.chance(0.15):
            text = rng.choice(("", "{", "null", "[]", '[{"a":1},{"b":2}]', '{"a":1,"a":2}', "7"))
        self.insert("MutationEvent", {
            "id": str(uuid.UUID(int=rng.getrandbits(128))).upper(),
            "createdAt": "2024-05-01T10:20:%02d.123Z" % rng.randint(0, 9),
            "graphQLFilterJSON": rng.choice((None, None, "{}", '{"title":{"eq":"x"}}')),
            "inProcess": int(rng.random() < 0.2), "json": text, "modelId": item,
            "modelName": model, "mutationType": kind,
            "version": rng.choice((None, None, rng.randint(1, 20)))})

    def js_operation(self, model: str, item: str, kind: str) -> None:
        rng = self.rng
        body = self.payload(model, item) | rng.choice(
            ({}, {"_version": rng.randint(1, 9), "_deleted": None}, {"_version": None},
             {"_version": "5"}))
        text = json.dumps(body)
        if self.chance(0.15):
            text = rng.choice(("", "{", "null", "[]", '{"_version":1,"_version":2}'))
        self.insert("MutationEvent", {
            "id": "%026d" % rng.getrandbits(60), "model": model, "data": text, "modelId": item,
            "operation": kind.capitalize() if kind.islower() else kind,
            "condition": rng.choice(("{}", "{}", "{}", '{"and":[{"title":{"eq":"x"}}]}'))})

    def android_operation(self, model: str, item: str, kind: str) -> None:
        rng = self.rng
        number = str(uuid.UUID(int=rng.getrandbits(128)))
        fields = {name: {"name": name, "targetType": "String", "isModel": name == "parentId"}
                  for name in ["id", *self.columns.get(model, {})]}
        schema = {"name": model, "pluralName": None, "fields": fields, "associations":
                  {"parentId": {"name": "BelongsTo"}}, "indexes": {}, "note": '"mutationId":'}
        data = self.payload(model, item)
        if rng.random() < 0.4:
            data = {name: value for name, value in data.items() if rng.random() < 0.6}
        predicate = rng.choice((
            {"_type": "ALL"}, {"_type": "ALL"},
            {"field": "a", "operator": {"value": 1, "type": "EQUAL"}, "_type": "OPERATION"},
            {"type": "AND", "predicates": [rng.choice(({"_type": "OPERATION"}, {"field": "x"}))],
             "_type": "GROUP"}))
        record = {"modelSchema": schema, "mutatedItem": {
            "id": item, "modelSchema": schema, "serializedData": data},
            "mutationId": number, "mutationType": kind.upper() if kind.islower() else kind,
            "predicate": predicate}
        class_name = "com.amplifyframework.core.model.SerializedModel"
        if self.level == 1 and rng.random() < 0.6:
            record["mutatedItem"] = data
            if rng.random() < 0.5:
                del record["modelSchema"]
                record["classOfMutatedItem"] = f"com.example.{model}"
            class_name = f"com.example.{model}"
        elif self.chance(0.1):
            class_name = f"com.example.{model}"
        if self.chance(0.1):
            del record["mutatedItem"]
        text = json.dumps(record)
        if rng.random() < 0.9:
            head, mark, tail = text.rpartition(f'"mutationId": "{number}"')
            text = head + f'"mutationId":{number}' + tail
        if self.chance(0.15):
            text = rng.choice(("", "{", text[:-1], "null", "[]", '"x'))
        self.insert("PersistentRecord", {
            "id": number, "containedModelClassName": class_name, "containedModelId": item,
            "serializedMutationData": text})

    def add_tokens(self) -> None:
        rng = self.rng
        for number, model in enumerate(self.models + ["Elsewhere"]):
            if rng.random() < 0.4:
                continue
            value = rng.choice((None, 1_714_558_830_123, 0, -1, 4_000_000_000_000))
            if self.chance(0.1):
                value = rng.choice(("soon", 2**62, 1.5))
            query = rng.choice((None, '{"field":"rating"}'))
            if self.variant == "ios":
                row = {"id": model, "lastSync": value}
                row |= {"syncPredicate": query} if self.level > 2 else {}
                self.insert("ModelSyncMetadata", row)
            elif self.variant == "android":
                row = {"id": f"t{number}", "lastSyncTime": value, "lastSyncType": "BASE",
                       "modelClassName": model}
                row |= {"syncExpression": query} if self.level > 3 else {}
                self.insert("LastSyncMetadata", row)
            else:
                self.insert("ModelMetadata", {
                    "id": f"t{number}", "namespace": "user", "model": model, "lastSync": value,
                    "lastFullSync": value, "fullSyncInterval": 86_400_000,
                    "lastSyncPredicate": query})


if __name__ == "__main__":
    write_stores(Wild)
