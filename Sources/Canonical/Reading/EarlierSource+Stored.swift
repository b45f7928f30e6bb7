import Formats
import Records
import SQLite

extension EarlierSource {
  /// How many sources a store may name; what claims more was not written by this tool.
  private static let highest: Int64 = 1 << 24

  /// The stores from which a canonical store was made, in the order of their numbers; none where
  /// the numbers are of no use.
  static func all(in connection: borrowing Connection) throws(SQLiteError)
    -> [EarlierSource]
  {
    var stores: [EarlierSource] = []
    let files = try SourceFile.all(in: connection)
    var statement = try connection.prepare(
      """
      SELECT id, name, layout, generation, nameOrigin, evidence, metadata, readAt, toolVersion
      FROM rehome_source ORDER BY id
      """)
    while try statement.step() {
      let number = statement.integer(at: 0)
      guard (1...highest).contains(number) else { return [] }
      var store = EarlierSource(stored: statement)
      store.source.files = files[number] ?? []
      stores.append(store)
    }
    return stores
  }

  private init(stored row: borrowing Statement) {
    let layout = row.text(at: 2).flatMap(Layout.init(rawValue:)) ?? .sqlite
    var source = SourceDescription(
      name: row.text(at: 1) ?? "a store", layout: layout, generation: row.text(at: 3))
    // What is no JSON was not written by this tool, and says nothing that could be relied on.
    if case .array(let texts)? = try? JSONValue(parsing: row.bytes(at: 5).span) {
      source.evidence = texts.compactMap { text in
        if case .string(let text) = text { text } else { nil }
      }
    }
    if case .object(let facts)? = try? JSONValue(parsing: row.bytes(at: 6).span) {
      source.metadata = facts.members.compactMap { member in
        guard case .string(let value) = member.value else { return nil }
        return SourceDescription.Fact(member.key, value)
      }
    }
    self.init(
      number: row.integer(at: 0), source,
      nameOrigin: row.text(at: 4).flatMap(NameOrigin.init(rawValue:)) ?? .schema)
    readAt = row.text(at: 7)
    toolVersion = row.text(at: 8)
  }
}

extension SourceFile {
  fileprivate static func all(
    in connection: borrowing Connection
  ) throws(SQLiteError) -> [Int64: [SourceFile]] {
    let hasFiles = "SELECT count(*) FROM sqlite_schema WHERE name = 'rehome_source_file'"
    guard try connection.integer(hasFiles) > 0 else { return [:] }
    var files: [Int64: [SourceFile]] = [:]
    var statement = try connection.prepare(
      "SELECT source, name, bytes, sha256 FROM rehome_source_file ORDER BY rowid")
    while try statement.step() {
      files[statement.integer(at: 0), default: []].append(
        SourceFile(
          name: statement.text(at: 1) ?? "", bytes: Int(statement.integer(at: 2)),
          sha256: statement.text(at: 3) ?? ""))
    }
    return files
  }
}
