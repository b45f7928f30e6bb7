import Bytes
import SQLite
import SQLiteFile

/// What the engine understands of a damaged schema, whose lines it takes or leaves one by one.
struct DamagedSchema {
  /// All lines that were found.
  let entries: [SchemaEntry]
  /// The tables of which rows can be read, each with the place of its line.
  let tables: [(line: Int, table: RebuiltTable)]
  /// The lines of views, triggers and virtual tables.
  let others: Set<Int>
  private let encoding: DatabaseEncoding
  /// The tables that are a part of an index, and of no use without it.
  private let insides: Set<ExactText>

  /// The trees of the scratch database that tables are taken to be in: with row ids, and without.
  private static let trees: (Int64, Int64) = (2, 3)

  init(_ entries: [SchemaEntry], _ encoding: DatabaseEncoding) throws(SQLiteError) {
    let scratch = try Connection(scratchInMemory: true)
    scratch.admitLongStatements()
    // An app's own way to compare texts says nothing about what a table is.
    try scratch.compareBytesForUnknownCollations()
    try scratch.write(in: encoding)
    // A row of one value each shows what rows have in columns that they are too old for.
    try scratch.execute(
      """
      CREATE TABLE a(x); INSERT INTO a VALUES (NULL);
      CREATE TABLE b(x PRIMARY KEY) WITHOUT ROWID; INSERT INTO b VALUES (0)
      """)
    let entries = try Self.respelled(entries, encoding, in: scratch)
    self.entries = entries
    self.encoding = encoding
    insides = Self.insides(of: entries)
    let found = try Self.tables(of: entries, encoding, in: scratch)
    var tables: [(line: Int, table: RebuiltTable)] = []
    for (line, table) in found {
      let root = entries[line].root
      tables.append((line, try RebuiltTable(tables.count, for: table, root: root, in: scratch)))
    }
    self.tables = tables
    let made = Set(tables.map(\.line))
    others = try Self.others(of: entries, besides: made, encoding, in: scratch)
  }

  /// The tables that the engine finds in the lines; the first of those that share a name.
  private static func tables(
    of entries: [SchemaEntry], _ encoding: DatabaseEncoding, in scratch: borrowing Connection
  ) throws(SQLiteError) -> [(line: Int, table: SchemaTable)] {
    let lines = try understood(
      entries.indices.filter { entries[$0].isTable }, of: entries, encoding, in: scratch)
    let all = lines.map { entries[$0].line(root: trees.0) }
    try scratch.replaceSchema(with: all, in: encoding)
    var rooted = all
    var tables: [(line: Int, table: SchemaTable)] = []
    var names: Set<ExactText> = []
    let found = try scratch.tables(named: try scratch.names(ofLines: lines.count))
    for (place, table) in found.enumerated() {
      guard let table, names.insert(ExactText(sqlName: table.name)).inserted else { continue }
      tables.append((lines[place], table))
      if table.isWithoutRowID { rooted[place].root = trees.1 }
    }
    try scratch.replaceSchema(with: rooted, in: encoding)
    return tables
  }

  /// The lines, of which the statements of tables that only a newer engine understands are spelled as
  /// older ones do.
  private static func respelled(
    _ entries: [SchemaEntry], _ encoding: DatabaseEncoding, in scratch: borrowing Connection
  ) throws(SQLiteError) -> [SchemaEntry] {
    var entries = entries
    for line in entries.indices where entries[line].isTable {
      guard let sql = entries[line].sql else { continue }
      let statement = entries[line].text(sql)
      let plain = SQLTokens.withoutDigitSeparators(statement)
      guard plain != statement, let bytes = encoding.bytes(ofName: plain) else { continue }
      let isUnderstood = try areUnderstood([line], of: entries, encoding, in: scratch)
      if !isUnderstood { entries[line].sql = bytes }
    }
    return entries
  }

  /// The lines that the engine would open a file with, at least where each is the only one.
  ///
  /// Of a statement that goes on after its end it would else take the beginning.
  private static func understood(
    _ lines: [Int], of entries: [SchemaEntry], _ encoding: DatabaseEncoding,
    in scratch: borrowing Connection
  ) throws(SQLiteError) -> [Int] {
    let isWhole = try areUnderstood(lines, of: entries, encoding, in: scratch)
    guard !isWhole else { return lines }
    var understood: [Int] = []
    for line in lines where try areUnderstood([line], of: entries, encoding, in: scratch) {
      understood.append(line)
    }
    return understood
  }

  private static func areUnderstood(
    _ lines: [Int], of entries: [SchemaEntry], _ encoding: DatabaseEncoding,
    in scratch: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let all = lines.map { entries[$0].line(root: entries[$0].isTable ? trees.0 : 0) }
    try scratch.replaceSchema(with: all, in: encoding)
    try scratch.execute("PRAGMA writable_schema = RESET")
    do {
      _ = try scratch.prepare("SELECT 1 FROM sqlite_schema")
      return true
    } catch {
      guard error.kind != .interrupted, error.kind != .noSpace else { throw error }
      return false
    }
  }

  /// The lines of what has no rows of its own and that the engine takes beside the tables.
  private static func others(
    of entries: [SchemaEntry], besides made: Set<Int>, _ encoding: DatabaseEncoding,
    in scratch: borrowing Connection
  ) throws(SQLiteError) -> Set<Int> {
    var lines = entries.indices.filter {
      made.contains($0) || (entries[$0].word != .index && entries[$0].root == 0)
    }
    guard lines.count > made.count else { return [] }
    lines = try understood(lines, of: entries, encoding, in: scratch)
    try scratch.replaceSchema(
      with: lines.map { entries[$0].line(root: made.contains($0) ? trees.0 : 0) }, in: encoding)
    var others: Set<Int> = []
    var names: Set<ExactText> = []
    for (line, name) in zip(lines, try scratch.names(ofLines: lines.count)) {
      let isTrigger = entries[line].word == .trigger
      guard names.insert(ExactText(sqlName: (isTrigger ? "trigger " : "") + name)).inserted,
        !made.contains(line)
      else { continue }
      if isTrigger ? scratch.hasTrigger(name) : scratch.isTaken(name) { others.insert(line) }
    }
    return others
  }

  /// The pages where the trees of tables start of which no rows can be read.
  var unreadRoots: [UInt32] { unreadTables.map(\.root) }

  /// The names of the tables of which no rows can be read, but for those that nobody misses.
  var unreadNames: [String] {
    unreadTables.filter { !isInside($0.text($0.name)) }.map { $0.text($0.name) }
  }

  private var unreadTables: [SchemaEntry] {
    let made = Set(tables.map(\.line))
    return entries.indices.filter { entries[$0].isTable && !made.contains($0) }
      .map { entries[$0] }
  }

  /// Whether a table is the engine's own, or a part of an index that is of no use without it.
  func isInside(_ name: String) -> Bool {
    asciiLowercased(name).hasPrefix("sqlite_") || insides.contains(ExactText(name))
  }

  private static func insides(of entries: [SchemaEntry]) -> Set<ExactText> {
    var names: Set<ExactText> = []
    for entry in entries where entry.word == .table && entry.root == 0 {
      guard let sql = entry.sql else { continue }
      let table = VirtualTable(name: entry.text(entry.name), sql: entry.text(sql))
      let endings = table.isFullText ? fullTextIndexes : table.isSpatial ? ["_parent"] : []
      names.formUnion(endings.map { ExactText(table.name + $0) })
    }
    return names
  }

  /// What the tables of a full-text index are called behind the name of its table.
  private static let fullTextIndexes = [
    "_segments", "_segdir", "_docsize", "_stat", "_data", "_idx", "_config",
  ]

  /// The lines of the new schema, with the pages where the plain tables and their indexes start.
  func lines(_ roots: [ExactText: Int64]) -> [SchemaLine] {
    let tables = Dictionary(keepingFirst: self.tables.map { ($0.line, $0.table) })
    return entries.indices.flatMap { place -> [SchemaLine] in
      guard let table = tables[place] else {
        return others.contains(place) ? [entries[place].line(root: 0)] : []
      }
      let line = entries[place].line(root: roots[ExactText(table.name)] ?? 0)
      let indexes = table.indexes.enumerated().compactMap { number, index -> SchemaLine? in
        guard let name = encoding.bytes(ofName: index.name) else { return nil }
        return SchemaLine(
          type: "index", name: name, table: line.name,
          root: roots[ExactText("\(table.name)_\(number)")] ?? 0, sql: nil)
      }
      return [line] + indexes
    }
  }
}

extension SchemaEntry {
  /// Whether it is a table whose rows are its own.
  fileprivate var isTable: Bool { word == .table && root > 0 }

  fileprivate func line(root: Int64) -> SchemaLine {
    SchemaLine(type: word.rawValue, name: name, table: table, root: root, sql: sql ?? [])
  }
}
