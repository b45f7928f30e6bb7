import Bytes
import Records

/// A table as the script makes it.
struct PostgreSQLTable: Sendable {
  let schema: String
  let name: String
  let key: String
  let columns: [String]
  let types: [PostgreSQLType]
  /// The name of the table in the store, and those of its columns.
  let sourceName: String
  let sourceColumns: [String]
  private let table: Table
  private let origin: String

  /// A table of the app, or a part of the bookkeeping, of which `origin` says what it is.
  init(
    _ table: Table, schema: String, name: String, key: String = "_pk", origin: String? = nil
  ) {
    self.schema = schema
    self.origin = origin ?? "from \(table.sourceTable)"
    self.name = name
    self.table = table
    sourceName = table.name
    sourceColumns = table.columns.map(\.name)
    types = table.columns.map { PostgreSQLType($0.type) }
    var taken = PostgreSQLName.ofEveryTable
    let fitting = PostgreSQLName.fitting([key] + sourceColumns, besides: &taken)
    self.key = fitting[0]
    columns = Array(fitting.dropFirst())
  }

  var qualifiedName: String {
    PostgreSQLName.quoted(schema) + "." + PostgreSQLName.quoted(name)
  }

  /// The statement that makes the table, without keys: they come when it is full.
  var createStatement: String {
    let columns = zip(columns, types).map { "\(PostgreSQLName.quoted($0)) \($1.rawValue)" }
    let all = ["\(PostgreSQLName.quoted(key)) bigint NOT NULL"] + columns
    return "CREATE TABLE \(qualifiedName) (\n  " + all.joined(separator: ",\n  ") + "\n);\n"
  }

  var copyStatement: String {
    let names = ([key] + columns).map(PostgreSQLName.quoted).joined(separator: ", ")
    return "COPY \(qualifiedName) (\(names)) FROM stdin;\n"
  }

  /// Where the table and its columns came from.
  var comments: String {
    var text = "COMMENT ON TABLE \(qualifiedName) IS "
    text += PostgreSQLName.literal(origin) + ";\n"
    for (name, column) in zip(columns, table.columns) {
      var parts: [String] = []
      if column.sourceName != name { parts.append("called \(column.sourceName)") }
      if column.sourceColumn != column.sourceName { parts.append("from \(column.sourceColumn)") }
      if column.role != .value { parts.append("role \(column.role.rawValue)") }
      guard !parts.isEmpty else { continue }
      text += "COMMENT ON COLUMN \(qualifiedName).\(PostgreSQLName.quoted(name)) IS "
      text += PostgreSQLName.literal(parts.joined(separator: ", ")) + ";\n"
    }
    return text
  }

  /// The key, and indexes on what rows are looked up by.
  ///
  /// A sorted index takes no values beyond some 2,700 bytes, and one of hashes takes any; none takes
  /// JSON.
  var keyStatements: String {
    var text = "ALTER TABLE \(qualifiedName) ADD PRIMARY KEY (\(PostgreSQLName.quoted(key)));\n"
    for (place, name) in columns.enumerated() {
      let role = table.columns[place].role
      guard role == .id && types[place] != .json || role == .reference else { continue }
      let method = role == .id ? "USING hash " : ""
      text += "CREATE INDEX ON \(qualifiedName) \(method)(\(PostgreSQLName.quoted(name)));\n"
    }
    return text
  }

  /// References to other tables of the script; where one dangles, the server does not insist.
  func foreignKeys(to tables: [ExactText: PostgreSQLTable]) -> String {
    var text = ""
    for (place, column) in table.columns.enumerated() where column.role == .reference {
      guard let target = column.target.flatMap({ tables[ExactText($0)] }) else { continue }
      // The name need only be another one for each of the table's references.
      let name = PostgreSQLName.quoted("reference_\(place + 1)")
      text += """
        ALTER TABLE \(qualifiedName) ADD CONSTRAINT \(name) FOREIGN KEY \
        (\(PostgreSQLName.quoted(columns[place]))) REFERENCES \(target.qualifiedName) \
        (\(PostgreSQLName.quoted(target.key))) NOT VALID;

        """
      let validation = "ALTER TABLE \(qualifiedName) VALIDATE CONSTRAINT \(name)"
      let block = "BEGIN \(validation); EXCEPTION WHEN foreign_key_violation THEN NULL; END"
      text += "DO \(PostgreSQLName.literal(block));\n"
    }
    return text
  }
}

/// Names and texts as PostgreSQL takes them.
enum PostgreSQLName {
  /// The server cuts longer names, and then two of them may be one.
  private static let mostBytes = 63

  /// Columns that every table has already.
  static let ofEveryTable = Set(
    ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"].map { ExactText($0) })

  static func quoted(_ name: String) -> String {
    enclosed(name, in: UInt8(ascii: "\""))
  }

  /// A text between quotes; a NUL, which no text of the server holds, is left out.
  static func literal(_ text: String) -> String {
    enclosed(text.replacing(byte: 0, with: ""), in: UInt8(ascii: "'"))
  }

  /// Makes names fit for the server, and different from each other and from those that are taken.
  static func fitting(_ names: [String], besides taken: inout Set<ExactText>) -> [String] {
    names.map { name in
      var plain = name.replacing(byte: 0, with: "")
      if plain.isEmpty { plain = "_" }
      var candidate = cut(plain, to: mostBytes)
      var number = 1
      while !taken.insert(ExactText(candidate)).inserted {
        let ending = "_\(number)"
        candidate = cut(plain, to: mostBytes - ending.utf8.count) + ending
        number += 1
      }
      return candidate
    }
  }

  /// The beginning of a name that has at most so many bytes, and whole characters.
  private static func cut(_ name: String, to count: Int) -> String {
    var result = ""
    var size = 0
    for scalar in name.unicodeScalars {
      size += UTF8.width(scalar)
      guard size <= count else { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
