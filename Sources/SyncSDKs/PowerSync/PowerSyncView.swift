import Bytes
import Records
import SQLite
import SQLiteFile
import Tables

/// A view that unpacks the documents of a table, as its text tells; it is never run.
struct PowerSyncView {
  /// The name by which the app knows it.
  let name: String
  let table: String
  /// The columns behind the id, in order.
  let columns: [(name: String, type: LogicalType)]

  static func all(in connection: borrowing Connection) throws(SQLiteError) -> [PowerSyncView] {
    var views: [PowerSyncView] = []
    var statement = try connection.prepare(
      "SELECT name, sql FROM sqlite_schema WHERE \(SchemaKind.view.condition()) ORDER BY rowid")
    while try statement.step() {
      guard let name = statement.text(at: 0), let sql = statement.text(at: 1),
        sql.contains("powersync-auto-generated"), let view = PowerSyncView(name, sql)
      else { continue }
      views.append(view)
    }
    return views
  }

  /// The tables whose views take rows and give none back: they have a trigger for an insert and none
  /// for a delete.
  static func writeOnlyTables(in connection: borrowing Connection) throws(SQLiteError) -> Set<
    ExactText
  > {
    var writeOnly: Set<ExactText> = []
    var statement = try connection.prepare(
      "SELECT tbl_name FROM sqlite_schema WHERE \(SchemaKind.trigger.condition()) "
        + "GROUP BY tbl_name COLLATE NOCASE "
        + "HAVING max(sql LIKE '%INSTEAD OF INSERT%') > 0 AND max(sql LIKE '%INSTEAD OF DELETE%') = 0"
    )
    while try statement.step() { writeOnly.insert(ExactText(sqlName: statement.name(at: 0))) }
    guard !writeOnly.isEmpty else { return [] }
    var tables: Set<ExactText> = []
    for view in try all(in: connection) where writeOnly.contains(ExactText(sqlName: view.name)) {
      tables.insert(ExactText(view.table))
    }
    return tables
  }

  /// The types under which triggers write to the queue.
  static func typesOfTriggers(in connection: borrowing Connection) throws(SQLiteError) -> Set<
    ExactText
  > {
    var types: Set<ExactText> = []
    var statement = try connection.prepare(
      "SELECT sql FROM sqlite_schema WHERE \(SchemaKind.trigger.condition()) "
        + "AND (sql LIKE '%powersync_crud%' OR sql LIKE '%\(PowerSync.queue)%')")
    while try statement.step() {
      types.formUnion(Self.types(inTrigger: statement.text(at: 0) ?? ""))
    }
    return types
  }

  /// The texts behind the key `type` of an entry, and in the place of the column of that name.
  private static func types(inTrigger sql: String) -> [ExactText] {
    var types: [ExactText] = []
    var tokens = SQLTokens(of: sql)
    var (last, before, first): (Token?, Token?, Token?)
    while let token = tokens.next() {
      if token.keyword == "powersync_crud", tokens.next() == open {
        types += typeWritten(by: &tokens)
      } else if case .quoted(let text) = token, last == comma, before == .quoted("type"),
        first != dot
      {
        types.append(ExactText(text))
      }
      (first, before, last) = (before, last, token)
    }
    return types
  }

  /// The text that an insertion gives the column `type`, read on from the list of columns.
  private static func typeWritten(by tokens: inout SQLTokens) -> [ExactText] {
    let columns = list(&tokens) { $0 == close }.map { $0.first?.text ?? "" }
    let isList = tokens.next()?.keyword == "values"
    if isList { _ = tokens.next() }
    let values = list(&tokens) { isList ? $0 == close : $0.keyword == "from" || $0 == end }
    guard let place = columns.firstIndex(of: "type"), place < values.count,
      case .quoted(let text)? = values[place].first
    else { return [] }
    return [ExactText(text)]
  }

  private typealias Token = SQLTokens.Token
  private static let open = Token.mark(UInt8(ascii: "("))
  private static let close = Token.mark(UInt8(ascii: ")"))
  private static let end = Token.mark(UInt8(ascii: ";"))
  private static let comma = Token.mark(UInt8(ascii: ","))
  private static let dot = Token.mark(UInt8(ascii: "."))

  /// Reads `CREATE VIEW name(columns) AS SELECT expressions FROM table`; nil for anything else.
  ///
  /// The first SDK has no table behind a view whose rows exist in the queue only, which selects
  /// `WHERE 0`.
  init?(_ name: String, _ sql: String) {
    var tokens = SQLTokens(of: sql)
    while let token = tokens.next(), token != Self.open {}
    let names = Self.list(&tokens) { $0 == Self.close }.map { $0.first?.text ?? "" }
    while let token = tokens.next(), token.keyword != "select" {}
    var hasTable = false
    let expressions = Self.list(&tokens) { token in
      hasTable = token.keyword == "from"
      return hasTable || token.keyword == "where"
    }
    guard let source = tokens.next(), let text = source.text, !names.isEmpty,
      hasTable || source == .word("0")
    else { return nil }
    self.name = name
    table = hasTable ? text : PowerSync.data + name
    // The expression of a column that is no cast shows nothing of the document.
    columns = zip(names, expressions).dropFirst().compactMap { name, expression in
      Self.type(of: expression).map { (name: name, type: $0) }
    }
  }

  /// What stands between commas, up to a token outside of all brackets.
  private static func list(
    _ tokens: inout SQLTokens, until isEnd: (Token) -> Bool
  ) -> [[Token]] {
    var list: [[Token]] = [[]]
    var depth = 0
    while let token = tokens.next() {
      if depth == 0, isEnd(token) { break }
      if token == open { depth += 1 }
      if token == close { depth -= 1 }
      if depth == 0, token == comma {
        list.append([])
      } else {
        list[list.count - 1].append(token)
      }
    }
    return list
  }

  /// The type of `CAST(… AS type)`.
  private static func type(of expression: [Token]) -> LogicalType? {
    guard expression.first?.keyword == "cast", expression.count > 3, expression.last == close,
      expression[expression.count - 3].keyword == "as"
    else { return nil }
    switch expression[expression.count - 2].keyword {
    case "integer": return .integer
    case "real": return .real
    case "text": return .text
    default: return nil
    }
  }
}
