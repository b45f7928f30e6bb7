import Formats
package import Records
package import SQLite

/// What the columns of a queue's row hold that no field of its record can say.
///
/// It is kept behind the raw payload, in a line of its own: an object `unread` of such columns.
package struct UnreadColumns {
  private let columns: [String?]
  private var record: (kind: String, number: Int)?
  private var operation: Int64?
  private var values = JSONObject()
  /// Whether there is nothing of the kind.
  package var isEmpty: Bool { values.members.isEmpty }
  /// What a person should know of them.
  package private(set) var findings: [Finding] = []

  /// Reads a row of these columns, which is that of a record with a number where it is told.
  package init(of columns: [String?], of record: (kind: String, number: Int)? = nil) {
    self.columns = columns
    self.record = record
  }

  /// Begins the row of a further record, of which in most there is nothing.
  package mutating func begin(record number: Int) {
    record?.number = number
    forget()
  }

  /// Begins the row of an operation whose id is in the first column.
  package mutating func begin(_ operation: borrowing PendingOperation, _ row: borrowing Statement) {
    self.operation = operation.sequence
    forget()
    if row.damagedText(at: 0) != nil { keepName(row, at: 0, Self.idWords) }
  }

  private mutating func forget() {
    if !isEmpty { values = JSONObject() }
    if !findings.isEmpty { findings = [] }
  }

  /// Words for an id that an SDK gave to its own record.
  package static let idWords = "record's id"

  /// A text that names something; what is no text names nothing.
  package mutating func name(
    _ row: borrowing Statement, at column: Int, _ what: String
  ) -> String? {
    if let name = row.strictText(at: column) { return name }
    keepName(row, at: column, what)
    return nil
  }

  /// A text that is for people.
  package mutating func text(
    _ row: borrowing Statement, at column: Int, _ what: String
  ) -> String? {
    if let text = row.strictText(at: column) { return text }
    keep(row, at: column, what, "is no text")
    return nil
  }

  /// A code of the SDK's, which a number may be, too; one that no SDK has is told by its own finding.
  package mutating func code(_ row: borrowing Statement, at column: Int) -> String? {
    if row.storageClass(at: column) != .blob, let code = row.name(at: column) { return code }
    keep(row, at: column)
    return nil
  }

  /// An id of the SDK's own, of any class.
  package mutating func id(
    _ row: borrowing Statement, at column: Int, _ what: String = idWords
  ) -> String? {
    if let id = row.name(at: column) { return id }
    keepName(row, at: column, what)
    return nil
  }

  /// Keeps a name that is no text, if there is one.
  package mutating func keepName(
    _ row: borrowing some StoredRow & ~Copyable, at column: Int, _ what: String
  ) {
    guard let bytes = row.damagedText(at: column) else {
      return keep(row, at: column, what, "is no text and names nothing")
    }
    keep(row, at: column)
    findings.append(.damagedName(what, of: record, bytes.count, ofOperation: operation))
  }

  /// Keeps a value, if there is one, that has some fault.
  package mutating func keep(
    _ row: borrowing some StoredRow & ~Copyable, at column: Int, _ what: String, _ fault: String
  ) {
    guard row.storageClass(at: column) != .null else { return }
    keep(RawValue(row, at: column), as: column, what, fault)
  }

  private mutating func keep(
    _ value: RawValue, as column: Int, _ what: String, _ fault: String
  ) {
    keep(value, named: columns[column])
    tell(what, fault)
  }

  /// Tells of a value that is kept elsewhere.
  package mutating func tell(_ what: String, _ fault: String) {
    findings.append(
      Finding(
        "value-of-wrong-type", .warning, operation: operation,
        message: "the \(what)\(Finding.place(of: record)) \(fault)"))
  }

  /// The fault of an item that nobody can read.
  package static let noObject =
    "is no JSON object; it is kept as stored, in a converted store in rehome_error.raw"

  /// The item that a payload is; one that is no JSON object is kept.
  package mutating func item(
    _ row: borrowing Statement, at column: Int, _ what: String
  ) -> RawValue? {
    let payload = row.optionalRaw(at: column)
    if JSONPayload.objectBytes(of: payload) != nil { return payload }
    // These say that there is none.
    guard let payload, !["", "null"].contains(row.strictText(at: column)) else { return nil }
    keep(payload, as: column, what, Self.noObject)
    return nil
  }

  /// Keeps a value, if there is one, of which others tell.
  package mutating func keep(_ row: borrowing some StoredRow & ~Copyable, at column: Int) {
    guard row.storageClass(at: column) != .null else { return }
    keep(RawValue(row, at: column), named: columns[column])
  }

  /// Keeps a value of which nobody need be told.
  package mutating func keep(_ value: RawValue, named name: String?) {
    guard let name else { return }
    values[name] = value.inJSON
  }

  /// The payload as stored, and behind it what was kept.
  package func raw(behind payload: RawValue?) -> RawValue? {
    RawValue(payload, keeping: values)
  }
}
