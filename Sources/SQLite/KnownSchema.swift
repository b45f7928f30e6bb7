import Bytes

/// What a connection has learned of a schema that nobody changes.
///
/// All who look at a small store ask for the same few facts, and asking takes longer than reading its
/// rows.
final class KnownSchema {
  /// Whether what was learned stays true.
  var isFixed = false
  /// How the database writes its texts, once somebody has asked.
  var encoding = DatabaseEncoding.utf8
  var tables: [SchemaTable]?
  /// By the names that were asked for; nil for those of no table.
  var named: [ExactText: SchemaTable?] = [:]
  var rootPages: [ExactText: Int64?] = [:]
  var keyIndexes: [ExactText: String?] = [:]

  /// Keeps what was read of a table, if it stays true.
  func add(_ table: SchemaTable, root: Int64) {
    guard isFixed else { return }
    named[ExactText(table.name)] = table
    rootPages[ExactText(table.name)] = root
  }
}

extension Connection {
  /// Says that nobody changes the schema from now on, so that it need be read only once.
  func fixSchema() { known.isFixed = true }

  /// An answer that is known, or else is read, and kept where it stays true.
  func remembered<Value>(
    _ name: String, in answers: ReferenceWritableKeyPath<KnownSchema, [ExactText: Value?]>,
    read: () throws(SQLiteError) -> Value?
  ) throws(SQLiteError) -> Value? {
    let key = ExactText(name)
    if let answer = known[keyPath: answers][key] { return answer }
    let answer = try read()
    if known.isFixed { known[keyPath: answers].updateValue(answer, forKey: key) }
    return answer
  }
}
