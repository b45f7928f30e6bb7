import Bytes
import Records

/// The bookkeeping of format 1, as `rehome-store(5)` describes it.
///
/// Columns are named as the fields of the JSON reports, so that one word means one thing. What makes
/// a table, fills it and reads it follows from its one description here.
enum CanonicalSchema {
  /// `RHM1`, the mark in the file's header.
  static let applicationID = 0x5248_4D31
  /// The format that this tool writes.
  static let version = 1

  /// What stands before the hash of a file that was read in the place of a device's own.
  static let readFrom = "readFrom "
  /// What stands before the name of a table of which the key for further rows is told.
  static let nextKey = "nextKey "
  /// What stands before the name of a table of which columns are told that have no value to tell their
  /// type.
  static let undecided = "undecided "

  /// What makes the tables of a store, of which several sources may share the tables.
  static func creations(merging: Bool) -> [String] {
    [
      marks.creation, facts.creation, sources.creation, files.creation, tables.creation,
      columns.creation, operations.creation, errors.creation, tokens.creation,
      merging ? mergedRows.creation : findings.creation, rejects.creation, journal.creation,
    ]
  }

  /// Single facts about the store.
  static let facts = RecordTable(
    "rehome_meta", key: ["key"], blank: SourceDescription.Fact("", ""),
    [
      .text("key", \.key),
      RecordField("value", value: { .text($0.value) }, take: { $1.value = $0.text ?? "" }),
    ])

  /// The stores that were read.
  static let sources = RecordTable(
    "rehome_source", key: ["id"],
    blank: EarlierSource(
      number: 0, SourceDescription(name: "a store", layout: .sqlite), nameOrigin: .schema),
    [
      .integer("id", \.number), .text("name", \.source.name), .word("layout", \.source.layout),
      .text("generation", \.source.generation),
      RecordField(
        "evidence", isRequired: true, value: { .text(BookkeepingJSON.array($0.source.evidence)) },
        take: { $1.source.evidence = BookkeepingJSON.texts($0.text ?? "") }),
      RecordField(
        "metadata", isRequired: true, value: { .text(BookkeepingJSON.object($0.source.metadata)) },
        take: { $1.source.metadata = BookkeepingJSON.facts($0.text ?? "") }),
      .word("nameOrigin", \.nameOrigin), .text("readAt", \.readAt, .timestamp).required,
      .text("toolVersion", \.toolVersion).required,
    ])

  /// The files of these stores.
  static let files = RecordTable(
    "rehome_source_file", key: ["source", "name"], isOptional: true, blank: StoredFile(),
    [
      .integer("source", \.source), .text("name", \.file.name), .integer("bytes", \.file.bytes),
      .text("sha256", \.file.sha256),
    ])

  /// The tables of the app, with their books.
  static let tables = RecordTable(
    "rehome_table", key: ["name"], zero: ["read", "written", "rejected", "filtered"],
    blank: StoredTable(),
    [
      .text("name", \.table.name), .integer("position", \.position),
      .text("sourceName", \.table.sourceName), .text("sourceTable", \.table.sourceTable),
      .integer("read", \.balance.read), .integer("written", \.balance.written),
      .integer("rejected", \.balance.rejected), .integer("filtered", \.balance.filtered),
    ])

  /// Their columns.
  static let columns = RecordTable(
    "rehome_column", key: ["table", "position"], blank: StoredColumn(),
    [
      .text("table", \.table), .integer("position", \.position), .text("name", \.column.name),
      .text("sourceName", \.column.sourceName), .text("sourceColumn", \.column.sourceColumn),
      .word("type", \.column.type), .word("role", \.column.role),
      RecordField(
        "nullable", .integer, isRequired: true, value: { .integer($0.column.isNullable ? 1 : 0) },
        take: { $1.column.isNullable = ($0.integer ?? 0) != 0 }),
      .text("target", \.column.target),
    ])

  /// The changes that never reached the server.
  static let operations = RecordTable(
    "rehome_operation", key: ["sequence"], blank: PendingOperation(),
    [.integer("sequence", \.sequence), .integer("source", \.source)] + PendingOperation.columns)

  /// The failures that were written down.
  static let errors = RecordTable(
    "rehome_error", blank: OperationError(),
    [.integer("source", \.source)] + OperationError.fields)

  /// How far pulls had come.
  static let tokens = RecordTable(
    "rehome_token", blank: DeltaToken(), [.integer("source", \.source)] + DeltaToken.fields)

  /// What was found.
  static let findings = RecordTable(
    "rehome_finding", blank: Finding("", .warning, message: ""),
    [
      .integer("source", \.source),
      RecordField(
        "code", isRequired: true, value: { .text($0.code) },
        take: { value, finding in
          let code = value.text ?? ""
          finding.code = code == MergedRow.formerCode ? MergedRow.code : code
        }), .word("severity", \.severity), .text("table", \.table), .text("itemId", \.itemID),
      .integer("operation", \.operation), .text("message", \.message),
    ])

  /// What was found in stores of several sources, with the rows that gave way to others.
  static let mergedRows = RecordTable(
    findings.name, optional: ["item"], blank: MergedRow(findings.blank, item: nil),
    findings.fields.map { $0.within(\.finding) } + [.json("item", \.item)])

  /// The values that no column could take.
  static let rejects = RecordTable(
    "rehome_reject", blank: RejectedValue.blank,
    [.integer("source", \.source)] + RejectedValue.placeFields + [
      RecordField(
        "storage", isRequired: true, value: { .text($0.raw?.storage ?? "null") },
        // The value itself comes next, and is a blob also where it is text that is not UTF-8.
        take: { $1.raw = $0.text == "text" ? .text([]) : nil }),
      RejectedValue.valueField,
    ])

  /// What people have decided about operations; stores made before there was such a table get it
  /// with their first mark.
  static let marks = RecordTable(
    "rehome_mark", isOptional: true, blank: .blank, NumberedMark.fields)

  /// What devices would send for their operations; only stores of several sources have it.
  static let deviceItems = RecordTable(
    "rehome_device_item", key: ["operation"], isOptional: true, blank: DeviceItem(operation: 0),
    [.integer("operation", \.operation)] + DeviceItem.fields)

  /// The journal of replays; the first stores had one without targets, in which nothing was ever
  /// written, and get its other columns when they are replayed.
  static let journal = RecordTable(
    "rehome_replay", isOptional: true, optional: ["target", "attempt", "status", "version"],
    blank: .blank, JournalLine.fields)
}

/// A file of one of the stores that were read.
struct StoredFile: Sendable {
  var source: Int64 = 0
  var file = SourceFile(name: "", bytes: 0, sha256: "")
}

/// A table of the app, with its books.
struct StoredTable: Sendable {
  var table = Table(name: "", columns: [])
  var position = 0
  var balance = TableBalance(name: "")
}

/// A column of a table of the app.
struct StoredColumn: Sendable {
  var table = ""
  var position = 0
  var column = Column(name: "", type: .text)
}
