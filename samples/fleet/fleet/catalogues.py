"""The tables of many stores as one: what `rehome convert` does with several sources.

Tables and columns of one name are one, whatever the case of their letters, unless a source tells two
of them apart by that, or its SDK would; types are widened until they hold the values of all.
rehome-store(5), SEVERAL SOURCES, is the rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SYSTEM_ROLES = {"version", "createdAt", "updatedAt", "deleted"}
UNIQUE_ROLES = SYSTEM_ROLES | {"id"}
TEXT_TYPES = {"text", "timestamp", "decimal", "uuid", "uri", "json"}
# To these SDKs names that differ only in the case of their letters are two.
EXACT_LAYOUTS = ("amplify-datastore", "couchbase-lite-1", "parse-command-cache",
                 "parse-local-datastore", "powersync")
# These SDKs send their rows, whatever payloads they have kept.
ROW_SENDERS = ("amplify-datastore",)
ENTITY = "_entity"
SOURCE = "_source"
# The codes of what a person should know.
COLUMNS_CODE = "column-types-differ"
NAME_CODE = "name-changed"


def folded(name: str) -> str:
    """A name as SQLite compares it: ASCII letters in lower case."""
    return "".join(chr(ord(c) | 0x20) if "A" <= c <= "Z" else c for c in name)


class Names:
    """Names that are taken; a twin gets a number."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.next: dict[str, int] = {}

    def claim(self, name: str) -> str:
        """The name, or the first with a number behind it that is free."""
        candidate = name
        while folded(candidate) in self.taken:
            number = self.next.get(folded(candidate), 2)
            self.next[folded(candidate)] = number + 1
            candidate = f"{name}_{number}"
        self.taken.add(folded(candidate))
        return candidate

    def claim_table(self, name: str) -> str:
        """A free name for a table, clear of those that the canonical store needs."""
        name = name.replace("\0", "_")
        if folded(name).startswith(("rehome_", "sqlite_")):
            return self.claim("app_" + name)
        return self.claim(name or "_")

    def claim_column(self, name: str) -> str:
        """A free name for a column."""
        name = name.replace("\0", "_")
        return self.claim(name + "_" if folded(name) == "_pk" else name or "_")


def united_type(one: str, other: str) -> str:
    """The type in which all values of both keep what they say."""
    if one == other:
        return one
    types = {one, other}
    if "json" in types:
        return "json"
    for wide in ("integer", "real", "decimal"):
        if types <= {"boolean", "integer", wide}:
            return wide
    return "text"


# For what columns are to which the app alone gives values.
PURPOSES_OF_APP = {"value", "binary", "reference"}


def purpose(column: dict) -> str:
    """What a column is for; values of one united column serve the same purpose."""
    role = column["role"]
    if role in SYSTEM_ROLES:
        return "system"
    if role == "referenceEntity":
        return "entity"
    return {"reference": "reference", "binary": "binary"}.get(column["type"], "value")


def is_undecided(column: dict) -> bool:
    """Whether the source has no value in a column that would tell its type."""
    return column.get("undecided", False)


def own_names(named: list[dict]) -> list[str]:
    """The names by which a source tells tables or columns from twins in another letter case."""
    taken = {folded(one["name"]) for one in named}
    # To the column that a merge adds, one of the app gives way in the same manner.
    if any("type" in one for one in named):
        taken.add(SOURCE)
    names = [own_name(one, taken) for one in named]
    for place, one in enumerate(named):
        if one.get("type") == "reference" and (entity := entity_place(place, named)) >= 0:
            names[entity] = one["name"] + ENTITY
    return names


def app_names(tables: list[dict]) -> list[str]:
    """What the app calls tables, also where their names had to give way."""
    return [table["sourceName"]
            if own_name == table["sourceName"] or table["name"] == "app_" + table["sourceName"]
            else table["name"] for table, own_name in zip(tables, own_names(tables))]


def entity_place(place: int, columns: list[dict]) -> int:
    """The place of the column with the table names of a reference; -1 where it has none.

    They belong together by their names in the source, which may have had to give way here.
    """
    reference = columns[place]
    if reference["target"] is not None:
        return -1
    places = [number for number, other in enumerate(columns) if other["role"] == "referenceEntity"]
    own = [number for number in places
           if columns[number]["sourceName"] == reference["sourceName"] + ENTITY]
    if len(own) == 1:
        return own[0]
    named = [number for number in places
             if columns[number]["name"] == reference["name"] + ENTITY]
    return next(iter(named + [number for number in own if number > place] + own), -1)


def own_name(named: dict, taken: set[str]) -> str:
    """The name of one of them; `taken` are the names of all, in lower case."""
    if named.get("role", "value") not in ("value", "id") or named.get("type") == "reference":
        return named["name"]
    source = named["sourceName"]
    number = named["name"].removeprefix(source + "_")
    # Where no other has the name without it, it is of a person's choosing, as in sales_2024.
    is_number = number.isascii() and number.isdigit() and number[0] != "0" and number != "1"
    is_twin = number != named["name"] and is_number and folded(source) in taken
    return source if is_twin else named["name"]


def changed_name(what: str, name: str, new: str) -> tuple[str, str]:
    """A note for a name that had to give way."""
    return NAME_CODE, f"the {what} {name} is called {new} here"


def known_as(column: dict, own_name: str) -> tuple[str, str, str, str]:
    """What tells a source's column from others of its table, in all sources alike."""
    return column["name"], own_name, purpose(column), column["type"]


class UnitedColumn:
    """A column of a table that several sources have, each in its own way."""

    def __init__(
        self, column: dict, own_name: str, name: str, *, names_tables: bool = False
    ) -> None:
        self.own_name = own_name
        self.key = folded(self.own_name)
        self.purpose = purpose(column)
        # Whether it refers to rows of one table in some sources and of another in others.
        self.is_polymorphic = False
        # Whether a source tells which rows it refers to.
        self.knows_target = names_tables or column["target"] is not None
        self.column = {**column, "name": name}
        # The types of the sources' columns, but for those that have no value to tell one.
        self.types = set() if is_undecided(column) else {column["type"]}

    def takes(self, other: dict, own_name: str) -> bool:
        """Whether the values of a source's column can be here."""
        own, others = self.purpose, purpose(other)
        is_open = is_undecided(self.column) or is_undecided(other)
        return folded(own_name) == self.key and (
            own == others or is_open and {own, others} <= PURPOSES_OF_APP)

    def differences(self, other: dict, source: str) -> list[str]:
        """What a person should know about the column of another source."""
        name, notes = other["name"], []
        if (self.column["role"] == "id") != (other["role"] == "id"):
            notes.append(
                f"the column {name} has the ids of items in some sources and is one of the app "
                f"in others, among them {source} or one before it; items are compared only where "
                "it has their ids, so one id may be here twice")
        is_open = is_undecided(self.column) or is_undecided(other)
        if not is_open and other["type"] not in self.types:
            kind = self.column["type"]
            notes.append(
                f"the column {name} is {kind} so far and {other['type']} in {source}; in the end "
                f"it is {united_type(kind, other['type'])}")
        return notes

    def unite(self, other: dict, *, names_tables: bool) -> None:
        """Takes the column of another source; where only one knows its target, both have it."""
        column = self.column
        if not is_undecided(other):
            self.types.add(other["type"])
            if is_undecided(column):
                column.update(type=other["type"], target=other["target"], undecided=False)
                self.purpose = purpose(other)
            else:
                column["type"] = united_type(column["type"], other["type"])
        column["nullable"] = column["nullable"] or other["nullable"]
        if column["role"] == "value" and other["role"] != "value":
            column["role"] = other["role"]
            self.purpose = purpose(other)
        is_known = names_tables or other["target"] is not None
        if is_undecided(other) or self.purpose != "reference" or not is_known:
            return
        targets = [t if t is None else folded(t) for t in (column["target"], other["target"])]
        if not self.knows_target:
            self.knows_target = True
            column["target"] = other["target"]
        elif targets[0] != targets[1]:
            self.is_polymorphic = True
            column["target"] = None


class UnitedTable:
    """A table that several sources have, with the columns of them all."""

    def __init__(self, table: dict, own_name: str, name: str, tells_source: bool) -> None:
        self.name = name
        self.own_name = own_name
        # A number that it got here is known by the name without it.
        self.source_name = table["sourceName"] if name == table["name"] else own_name
        self.source_table = table["sourceTable"]
        self.columns: list[UnitedColumn] = []
        self.names = Names()
        if tells_source:
            self.names.claim_column(SOURCE)
        self.taken: dict[tuple[str, str, str, str], UnitedColumn] = {}
        self.has_source = False
        self.is_exact = False

    def unite(self, table: dict, source: str, is_exact: bool) -> list[tuple[str, str]]:
        """Takes the columns of one source; tells of those that are not the same everywhere."""
        notes: list[tuple[str, str]] = []
        self.is_exact = self.is_exact or is_exact
        columns = [column for column in table["columns"] if column["role"] != "source"]
        touched: set[int] = set()
        # Of twins each goes to the column of its own, if there is one.
        exact, names = [], own_names(columns)
        for column, own_name in zip(columns, names):
            exact.append(self.place(column, own_name, touched, is_exact=True))
            if exact[-1] is not None:
                touched.add(id(exact[-1]))
        for number, (column, own_name, place) in enumerate(zip(columns, names, exact)):
            place = place or self.place(column, own_name, touched)
            names_tables = (
                column["type"] == "reference" and entity_place(number, columns) >= 0)
            if place is None:
                key = folded(own_name)
                twin = next((p for p in self.columns if p.key == key), None)
                place = self.append(column, own_name, names_tables)
                if place.column["name"] == column["name"]:
                    pass
                elif twin is None:
                    notes.append(changed_name("column", column["name"], place.column["name"]))
                else:
                    notes.append((
                        COLUMNS_CODE,
                        f"the column {column['name']} of {source} is something else than what is "
                        f"called {twin.column['name']} so far; it is called "
                        f"{place.column['name']}"))
            else:
                role = "value" if self.is_taken(column["role"], place) else column["role"]
                notes += [(COLUMNS_CODE, note) for note in place.differences(column, source)]
                place.unite({**column, "role": role}, names_tables=names_tables)
                self.take(column, own_name, place)
            touched.add(id(place))
        for place in self.columns:
            if self.has_source and id(place) not in touched:
                place.column["nullable"] = 1
        self.has_source = True
        self.add_entities()
        return notes

    def place(
        self, column: dict, own_name: str, claimed: set[int], is_exact: bool = False
    ) -> UnitedColumn | None:
        """Where the values of a column could be.

        A source has one column of each system role, whose name depends on the app's columns.
        """
        in_role = next((
            place for place in self.columns
            if purpose(column) == "system" and place.column["role"] == column["role"]
            and id(place) not in claimed), None)
        return in_role or next((
            place for place in self.columns
            if id(place) not in claimed and place.takes(column, own_name)
            and (not (is_exact or self.is_exact) or place.own_name == own_name)), None)

    def append(self, column: dict, own_name: str, names_tables: bool) -> UnitedColumn:
        """A further column; a second id or system column is a value like others."""
        role = "value" if self.is_taken(column["role"]) else column["role"]
        added = {**column, "role": role, "nullable": int(column["nullable"] or self.has_source)}
        name = self.names.claim_column(column["name"])
        place = UnitedColumn(added, own_name, name, names_tables=names_tables)
        self.columns.append(place)
        self.take(column, own_name, place)
        return place

    def take(self, column: dict, own_name: str, place: UnitedColumn) -> None:
        """Notes where a column went; where one without values goes may matter to others alone."""
        known = known_as(column, own_name)
        if not is_undecided(column) or known not in self.taken:
            self.taken[known] = place

    def is_taken(self, role: str, besides: UnitedColumn | None = None) -> bool:
        """Whether another column has a role that only one can have."""
        return role in UNIQUE_ROLES and any(
            place is not besides and place.column["role"] == role for place in self.columns)

    def add_entities(self) -> None:
        """Gives each reference to several tables a column for their names."""
        for place in reversed(self.columns):
            if place.is_polymorphic and self.entity_of(place) is None:
                key = place.key + ENTITY
                source = place.column["sourceName"] + ENTITY
                column = {"name": key, "sourceName": source, "sourceColumn": key, "type": "text",
                          "role": "referenceEntity", "nullable": 1, "target": None}
                name = self.names.claim_column(place.column["name"] + ENTITY)
                self.columns.insert(self.columns.index(place) + 1, UnitedColumn(column, key, name))

    def entity_of(self, place: UnitedColumn) -> UnitedColumn | None:
        """The column with the table names of a reference."""
        return next((other for other in self.columns
                     if other.key == place.key + ENTITY and other.purpose == "entity"), None)


@dataclass
class Origin:
    """Where the cell of a united column comes from, in one table of one catalogue.

    `act` says what is done with the source's cell `own`: none, copy, digit, real, whole, string,
    number, reference, entity or constant.
    """

    act: str = "none"
    own: int = -1
    text: str | None = None
    entity: int = -1


@dataclass
class Mapping:
    """How the rows of one table of a catalogue become rows of the united table."""

    table: str
    united: int
    origins: list[Origin]
    pair: tuple[int, int] | None
    renamed: dict[str, str]
    columns: dict[str, str] = field(default_factory=dict)
    # What the app calls the table.
    app_name: str | None = None


class UnitedCatalogue:
    """The tables of several sources, those of one name as one.

    The tables of a single source stay as they are: its rows need not tell where they are from.
    """

    def __init__(self, is_alone: bool = False) -> None:
        self.is_alone = is_alone
        self.tables: list[UnitedTable] = []
        self.places: dict[tuple[str, ...], list[int]] = {}
        self.names = Names()

    def unite(
        self, tables: list[dict], source: str, is_exact: bool
    ) -> list[tuple[str, str, str]]:
        """Takes the tables of one source; tells of columns that differ, table by table.

        `is_exact` says that letter case always counts in the names of the source, unless a table
        tells that of its own.
        """
        notes = []
        claimed: set[int] = set()
        exact, names = [], own_names(tables)
        for own_name in names:
            exact.append(self.place(own_name, claimed, is_exact=True))
            claimed.add(exact[-1])
        places = self.places[self.known_as(tables)] = []
        for table, own_name, place in zip(tables, names, exact):
            if place is None:
                place = self.place(own_name, claimed, table.get("isExact", is_exact))
            if place is None:
                place = len(self.tables)
                name = self.names.claim_table(table["name"])
                if name != table["name"]:
                    notes.append((name, *changed_name("table", table["name"], name)))
                self.tables.append(UnitedTable(table, own_name, name, not self.is_alone))
            claimed.add(place)
            places.append(place)
        known = {table[name]: self.tables[place].name for name in ("sourceName", "name")
                 for table, place in reversed(list(zip(tables, places)))}
        for table, place in zip(tables, places):
            united = self.tables[place]
            columns = [{**column, "target": known.get(column["target"], column["target"])}
                       for column in table["columns"]]
            is_own = table.get("isExact", is_exact)
            notes += [(united.name, *note)
                      for note in united.unite({**table, "columns": columns}, source, is_own)]
        return notes

    @staticmethod
    def known_as(tables: list[dict]) -> tuple[str, ...]:
        """What tells the tables of a source from those of others."""
        names = zip(tables, own_names(tables))
        return tuple(name for table, own_name in names for name in (table["name"], own_name))

    def place(self, name: str, claimed: set[int], is_exact: bool = False) -> int | None:
        """Where a table belongs that its source calls so."""
        return next((
            place for place, united in enumerate(self.tables)
            if place not in claimed and folded(united.own_name) == folded(name)
            and (not (is_exact or united.is_exact) or united.own_name == name)), None)

    def shown(self) -> list[dict]:
        """The united tables, as a catalogue."""
        known = {folded(table.name): table.name for table in self.tables}
        found = []
        for table in self.tables:
            columns = [dict(place.column) for place in table.columns]
            for column in columns:
                if column["target"] is not None:
                    column["target"] = known.get(folded(column["target"]), column["target"])
            found.append({"name": table.name, "sourceName": table.source_name,
                          "sourceTable": table.source_table, "columns": columns})
        return found

    def mappings(self, tables: list[dict]) -> list[Mapping]:
        """The ways from the tables of a source to these."""
        renamed = {}
        places = self.places[self.known_as(tables)]
        for table, place in zip(tables, places):
            name = self.tables[place].name
            if name != table["name"]:
                renamed[table["name"]] = name
        found = [self.mapping(table, place, renamed) for table, place in zip(tables, places)]
        for mapping, name in zip(found, app_names(tables)):
            mapping.app_name = name
        return found

    def mapping(self, table: dict, number: int, renamed: dict[str, str]) -> Mapping:
        """The way of one table, to one of a number."""
        united = self.tables[number]
        columns = table["columns"]
        names, found = {}, {}
        known = [own for own, column in enumerate(columns) if column["role"] != "source"]
        for own, own_name in zip(known, own_names([columns[own] for own in known])):
            column = columns[own]
            place = united.taken.get(known_as(column, own_name))
            if place is None:
                continue
            names[column["name"]] = place.column["name"]
            entity = united.entity_of(place)
            found[id(place)] = origin(own, column, columns, place)
            if (purpose(column) == "reference" and column["target"] is None
                    and entity_place(own, columns) < 0):
                found[id(place)] = self.unknown_key(own, columns, place, entity, renamed)
            if (found[id(place)].act == "reference" and found[id(place)].entity < 0
                    and column["target"] is not None and entity is not None):
                target = renamed.get(column["target"], column["target"])
                found[id(entity)] = Origin("constant", own, target)
        origins = [found.get(id(place), Origin()) for place in united.columns]
        return Mapping(table["name"], number, origins, pair_columns(columns), renamed, names)

    def unknown_key(
        self, own: int, columns: list[dict], place: UnitedColumn, entity: UnitedColumn | None,
        renamed: dict[str, str]
    ) -> Origin:
        """Where a reference comes from whose target the source does not know.

        It is that which all others have that know one. A number may stay as it is where nobody
        knows which rows it names.
        """
        target = place.column["target"]
        if target is None:
            return Origin("copy" if entity is None else "reference", own)
        # In a source that is united itself, such numbers are not those of its rows.
        if any(column["role"] == "source" for column in columns):
            return Origin("reference", own)
        target = next(
            (table.name for table in self.tables if folded(table.name) == folded(target)), target)
        call = next((old for old, new in renamed.items() if new == target), None)
        return Origin("reference", own, call or (None if target in renamed else target))


def origin(own: int, column: dict, columns: list[dict], place: UnitedColumn) -> Origin:
    """Where the values of a source's column go, and how."""
    what = purpose(column)
    if what == "entity":
        return Origin("entity", own)
    if what == "reference":
        return Origin("reference", own, column["target"], entity_place(own, columns))
    kind, wide = column["type"], place.column["type"]
    if wide == "json" and kind in TEXT_TYPES | {"real"} and kind != wide:
        return Origin("number" if kind == "real" else "string", own)
    if kind == wide or {kind, wide} <= TEXT_TYPES:
        return Origin("copy", own)
    if kind == "boolean" and wide in ("integer", "decimal"):
        return Origin("digit", own)
    if wide == "real":
        return Origin("real" if kind == "boolean" else "whole", own)
    return Origin("copy", own)


def pair_columns(columns: list[dict]) -> tuple[int, int] | None:
    """The two sides of a table that holds nothing but the pairs of a relationship."""
    sides, rest = [], set(range(len(columns)))
    for name in ("owner", "target"):
        side = next((number for number, column in enumerate(columns)
                     if column["name"] == name and column["type"] == "reference"), None)
        if side is None:
            return None
        sides.append(side)
        rest.discard(entity_place(side, columns))
    rest -= set(sides)
    if any(columns[number]["role"] not in ("position", "source") for number in rest):
        return None
    return sides[0], sides[1]
