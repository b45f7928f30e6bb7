import Bytes
import SQLite
import SQLiteFile
import Tables

extension Connection {
  /// What a table puts in place of nothing, as SQL: the defaults of columns that are declared
  /// `NOT NULL ON CONFLICT REPLACE`, by the names of these.
  func valuesForNothing(inTable name: String) throws(SQLiteError) -> [ExactText: String] {
    var declaration = try prepare(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?")
    try declaration.bind(name: name, at: 1)
    guard try declaration.step() else { return [:] }
    let replaced = Self.columnsWithoutNull(declaredBy: declaration.name(at: 0))
    guard !replaced.isEmpty else { return [:] }
    var values: [ExactText: String] = [:]
    var columns = try prepare("PRAGMA main.table_xinfo(\(quoted(name)))")
    while try columns.step() {
      let column = ExactText(columns.name(at: 1))
      if replaced.contains(column) { values[column] = columns.text(at: 4) }
    }
    return values
  }

  private static func columnsWithoutNull(declaredBy sql: String) -> Set<ExactText> {
    var tokens = SQLTokens(of: sql)
    while let token = tokens.next(), token != .mark(UInt8(ascii: "(")) {}
    let definitions = tokens.takeList().filter { definition in
      definition.map { $0.keyword ?? "" }.contains(["not", "null", "on", "conflict", "replace"])
    }
    return Set(definitions.compactMap { $0.first?.text.map { ExactText($0) } })
  }
}
