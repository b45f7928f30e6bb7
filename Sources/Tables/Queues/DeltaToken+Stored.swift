import Bytes
import Records
package import SQLite

extension DeltaToken {
  /// A token of a query, with nothing known about its time yet.
  package init(table: String?, query: String?) {
    self.init()
    self.table = table
    self.query = query
  }

  /// Takes the time from ISO text.
  package mutating func readISO(_ statement: borrowing Statement, at column: Int) {
    raw = statement.spelledText(at: column)
    updatedAt = statement.strictText(at: column).flatMap { Timestamp(parsing: $0.utf8.span)?.text }
  }

  /// Takes the time from a number of milliseconds since 1970, also one in a text.
  package mutating func readMilliseconds(_ statement: borrowing Statement, at column: Int) {
    raw = statement.spelledText(at: column)
    let number: Int64?
    switch statement.storageClass(at: column) {
    case .integer: number = statement.integer(at: column)
    case .text: number = statement.strictText(at: column).flatMap { Int64($0) }
    case .real, .blob, .null: number = nil
    }
    updatedAt = number.flatMap { Timestamp(millisecondsSince1970: $0)?.text }
  }
}

extension Statement {
  /// A text that names something; in what is no text each byte is spelled, so that it names nothing and
  /// is told from others but a text that is spelled so itself.
  package func spelledName(at column: Int) -> String? {
    guard storageClass(at: column) == .blob else { return spelledText(at: column) }
    return bytes(at: column).map { "\\x" + String($0, radix: 16, uppercase: true) }.joined()
  }

  /// A column as text, in which bytes that are no UTF-8 are spelled: repaired, two values would be one.
  ///
  /// A text that has a backslash, an x and such digits itself is not told from that. It stays as it is,
  /// because names of tables are found by it.
  package func spelledText(at column: Int) -> String? {
    damagedText(at: column).map { String(keepingBytes: $0).withKeptBytesSpelled }
      ?? text(at: column)
  }
}
