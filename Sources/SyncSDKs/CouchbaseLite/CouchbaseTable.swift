import Bytes
import Formats
import Records
import Tables

/// The documents of one type: the columns by what is in their bodies, and how they become rows.
struct CouchbaseTable {
  /// The type, which names the table; nil for documents without one.
  let type: String?
  /// The documents that are shown, in the order of their numbers, each with its winner.
  private(set) var rows: [Row] = []
  /// The keys of the bodies, in the order of their bytes, with what their values are.
  private(set) var fields: [MemberKinds.Member] = []
  private var kinds = MemberKinds()
  /// Whether values of some key are shown as they are stored.
  private var hasJSON = false

  /// A document that is shown.
  struct Row {
    let document: Int64
    let sequence: Int64
  }

  /// What is none of the app's.
  private static let ownKeys = Set(
    [CouchbaseLite.attachmentsKey, CouchbaseLite.removedKey].map { ExactText($0) })

  init(_ type: String?) { self.type = type }

  /// What the app would call the table.
  var wantedName: String { type ?? "documents" }

  mutating func look(at leaf: CouchbaseRevision) { kinds.add(leaf.body) }

  /// Takes a document that is shown; they come in the order of their numbers.
  mutating func add(_ row: Row) { rows.append(row) }

  /// Decides about the columns when all documents were looked at.
  mutating func finish() {
    fields = kinds.members(but: Self.ownKeys)
    hasJSON = fields.contains { $0.type == .json }
    kinds = MemberKinds()
  }

  /// Whether a leaf is what the app sees of its document.
  func shows(_ leaf: CouchbaseRevision) -> Bool {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = low + (high - low) / 2
      if rows[middle].document < leaf.document { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].document == leaf.document
      && rows[low].sequence == leaf.sequence
  }

  func table(named name: String) -> Table {
    let hasVersion = fields.contains { $0.key == "version" }
    func column(_ name: String, _ source: String, _ type: LogicalType, _ role: ColumnRole) -> Column
    {
      Column(
        name: name, sourceName: source,
        sourceColumn: role == .id ? CouchbaseLite.idColumn : source, type: type, role: role)
    }
    var columns =
      [
        column("_id", "_id", .text, .id),
        column(hasVersion ? "_rev" : "version", "_rev", .text, .version),
      ]
      + fields.map { field in
        var shown = column(field.key, field.key, field.type, .value)
        shown.isUndecided = field.isUndecided
        return shown
      } + [
        column(CouchbaseLite.attachmentsKey, CouchbaseLite.attachmentsKey, .json, .value)
      ]
    columns.claimNames()
    return Table(
      name: name, sourceName: wantedName, sourceTable: wantedName, columns: columns)
  }

  /// Appends a leaf as a row, under the id of its document and with its attachments.
  func append(
    _ leaf: CouchbaseRevision, id: RawValue?, _ attachments: [UInt8]?, to batch: inout RecordBatch
  ) {
    Self.append(id, column: 0, to: &batch)
    Self.append(leaf.name.map { .text(Array($0.utf8)) } ?? leaf.strangeName, column: 1, to: &batch)
    let stored = hasJSON ? leaf.storedValues : [:]
    for (place, field) in fields.enumerated() {
      if leaf.isBroken, place == 0 {
        Self.reject(leaf.json, column: 2, to: &batch)
      } else {
        append(leaf, field, stored, column: place + 2, to: &batch)
      }
    }
    if leaf.isBroken, fields.isEmpty {
      Self.reject(leaf.json, column: 2, to: &batch)
    } else if let attachments {
      batch.appendText(attachments.span)
    } else {
      batch.append(.null)
    }
    batch.endRow(key: leaf.document)
  }

  private func append(
    _ leaf: CouchbaseRevision, _ field: MemberKinds.Member,
    _ stored: [[UInt8]: ArraySlice<UInt8>], column: Int, to batch: inout RecordBatch
  ) {
    switch (field.type, leaf.body[field.key]) {
    case (_, nil), (_, .null?): batch.append(.null)
    case (.text, .string(let text)?): batch.append(text: text)
    case (.boolean, .boolean(let truth)?): batch.append(.integer(truth ? 1 : 0))
    case (.integer, .number(let number)?): batch.append(number.integer.map(Cell.integer) ?? .null)
    case (.real, .number(let number)?):
      guard let real = number.real, number.integer.map({ Int64(exactly: real) == $0 }) ?? true
      else { return Self.reject(.text(Array(number.text.utf8)), column: column, to: &batch) }
      batch.append(.real(real))
    case (_, let value?):
      var compact: [UInt8] = []
      if let text = stored[Array(field.key.utf8)] {
        compact += text
      } else {
        value.append(to: &compact)
      }
      batch.appendText(compact.span)
    }
  }

  /// Appends what must be a text.
  static func append(_ value: RawValue?, column: Int, to batch: inout RecordBatch) {
    switch value {
    case nil: batch.append(.null)
    case .text(let bytes)? where isValidUTF8(bytes.span): batch.appendText(bytes.span)
    case .text(let bytes)?: batch.reject(column: column, code: .invalidText, raw: .text(bytes))
    case let other?: batch.reject(column: column, code: .valueOfWrongType, raw: other)
    }
  }

  private static func reject(_ value: RawValue?, column: Int, to batch: inout RecordBatch) {
    guard let value else { return batch.append(.null) }
    batch.reject(column: column, code: .valueOfWrongType, raw: value)
  }
}
