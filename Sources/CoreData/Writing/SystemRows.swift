import Bytes
package import Records
import SQLite

/// Inserts rows into a table that is an SDK's own.
struct SystemRows: ~Copyable {
  private let columns: [String]
  private var statement: Statement
  private let entity: Int64
  private var key: Int64

  /// Prepares to insert rows behind the largest key; nil where the app has no such table.
  ///
  /// Columns that the app's generation of the SDK does not have are left out.
  init?(
    of entity: String, _ columns: [String], _ template: ObjectTemplate,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let table = template.storage.systemTables[entity],
      let number = template.storage.entities[entity]
    else { return nil }
    let there = template.columns(ofTable: table)
    self.columns = columns.filter { there.contains($0) }
    self.entity = number
    key = template.keyOffset(ofRoot: number)
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + self.columns).map(quoted).joined(separator: ", ")
    let marks = Array(repeating: "?", count: self.columns.count + 3).joined(separator: ", ")
    statement = try connection.prepare(
      "INSERT INTO \(quoted(table)) (\(names)) VALUES (\(marks))")
  }

  /// Inserts one row.
  mutating func insert(_ values: [String: RawValue]) throws(SQLiteError) {
    key += 1
    try statement.bind(key, at: 1)
    try statement.bind(entity, at: 2)
    try statement.bind(1, at: 3)
    for (place, column) in columns.enumerated() {
      switch values[column] {
      case nil: try statement.bindNull(at: place + 4)
      case .integer(let number): try statement.bind(number, at: place + 4)
      case .real(let number): try statement.bind(number, at: place + 4)
      case .text(let text): try statement.bind(text: text, at: place + 4)
      case .binary(let bytes): try statement.bind(blob: bytes, at: place + 4)
      }
    }
    try statement.run()
  }
}

extension RawValue {
  /// A text.
  package static func text(_ text: String) -> RawValue { .text(Array(text.utf8)) }
}

/// An identifier in capitals that depends only on what it is made of.
func derivedGUID(_ parts: [String]) -> String {
  var hash = SHA256()
  let text = Array(parts.joined(separator: "\u{0}").utf8)
  hash.update(text.span)
  var bytes: [UInt8] = []
  bytes.appendUUID(hash.finish().bytes.span.extracting(0..<16))
  return String(decoding: bytes, as: UTF8.self)
}
