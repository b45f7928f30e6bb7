import Bytes
import SQLite
import SQLiteFile

extension Connection {
  /// What a table puts in place of nothing, as SQL: the defaults of columns that are declared
  /// `NOT NULL ON CONFLICT REPLACE`, by the names of these.
  func valuesForNothing(inTable name: String) throws(SQLiteError) -> [ExactText: String] {
    guard let sql = try declaration(of: .table, named: name) else { return [:] }
    let replaced = Self.columnsWithoutNull(declaredBy: sql)
    guard !replaced.isEmpty else { return [:] }
    var values: [ExactText: String] = [:]
    var columns = try prepare("PRAGMA main.table_xinfo(\(quoted(name)))")
    while try columns.step() {
      let column = ExactText(columns.name(at: 1))
      guard replaced.contains(column), let text = columns.text(at: 4) else { continue }
      values[column] = value(ofDefault: text)
    }
    return values
  }

  /// A default as a value that any statement takes; nil for NULL, and where there is none such: a bare
  /// word is a text there alone.
  private func value(ofDefault text: String) -> String? {
    let value = "(\(text)\n)"
    guard var statement = try? prepare("SELECT \(value) IS NULL"), (try? statement.step()) == true
    else { return nil }
    return statement.integer(at: 0) == 0 ? value : nil
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
