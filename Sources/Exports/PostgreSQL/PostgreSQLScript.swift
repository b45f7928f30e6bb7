import Bytes
import Records

/// Spells a whole store as one script for `psql`: one transaction that makes a schema and fills it.
struct PostgreSQLScript: DocumentSpelling {
  private let schema: String
  private var head: ExportHead?
  private var tables: [PostgreSQLTable] = []
  private var parts: [PostgreSQLTable] = []
  private var names = Set(
    (BookkeepingTable.allCases.map(\.scriptName) + [
      "rehome_meta", "rehome_source", "rehome_source_file", "rehome_finding",
    ]).map { ExactText($0) })

  init(schema: String) { self.schema = schema }

  mutating func appendStart(_ head: ExportHead, to output: inout [UInt8]) {
    self.head = head
    let name = PostgreSQLName.quoted(schema)
    output.append(
      contentsOf: """
        \\set ON_ERROR_STOP on
        BEGIN;
        SET LOCAL client_encoding = 'UTF8';
        SET LOCAL standard_conforming_strings = on;
        SET LOCAL datestyle = 'ISO, YMD';
        SET LOCAL client_min_messages = warning;
        CREATE SCHEMA \(name);
        CREATE TEMPORARY TABLE rehome_exact (
          tbl text, col text, "row" bigint, value text, bytes bytea) ON COMMIT DROP;

        """.utf8)
  }

  mutating func appendSeparator(
    before table: Table, as part: BookkeepingTable?, to output: inout [UInt8]
  ) -> any TableSpelling {
    let made: PostgreSQLTable
    if let part {
      made = PostgreSQLTable(
        table, schema: schema, name: part.scriptName, key: part.scriptKey,
        origin: part.scriptComment)
      parts.append(made)
    } else {
      let name = PostgreSQLName.fitting([table.name], besides: &names)[0]
      made = PostgreSQLTable(table, schema: schema, name: name)
      tables.append(made)
    }
    return PostgreSQLRows(
      made, head: Array(("\n" + made.createStatement + made.comments + made.copyStatement).utf8))
  }

  mutating func spellEnd(_ tail: ExportTail, to take: PartTaker) throws(StoreError) {
    var output: [UInt8] = []
    try spell(tail, &output, to: take)
    let rejects = PostgreSQLName.quoted(schema) + ".rehome_reject"
    var text = """

      INSERT INTO \(rejects) (id, "table", "row", "column", code, "rawStorage", raw)
        SELECT (SELECT coalesce(max(id), 0) FROM \(rejects)) + row_number() OVER (), tbl, "row", col,
          '\(RejectCode.valueOutOfRange.rawValue)', 'text', bytes
        FROM pg_temp.rehome_exact WHERE bytes IS NOT NULL;

      """
    for table in tables + parts { text += table.keyStatements }
    let byName = Dictionary(keepingFirst: tables.map { (ExactText($0.sourceName), $0) })
    for table in tables { text += table.foreignKeys(to: byName) }
    text += "COMMIT;\n"
    output.append(contentsOf: text.utf8)
    try output.lendAll(to: take)
  }

  private func spell(
    _ tail: ExportTail, _ output: inout [UInt8], to take: PartTaker
  ) throws(StoreError) {
    let sources = sources(filesRead: tail.files)
    append(
      "rehome_meta", "key text PRIMARY KEY, value text",
      [
        ["tool", head?.tool], ["hash", tail.hash.hexadecimal],
        ["nameOrigin", head?.nameOrigin.rawValue],
      ] + readFrom(tail.files), to: &output)
    append(
      "rehome_source",
      "id bigint PRIMARY KEY, name text, path text, device text, layout text, generation text",
      sources.map { store in
        let source = store.source
        return [
          String(store.number), source.name, source.path, source.device, source.layout.rawValue,
          source.generation,
        ]
      }, to: &output)
    append(
      "rehome_source_file", "source bigint, name text, bytes bigint, sha256 text",
      sources.flatMap { store in
        store.source.files.map { [String(store.number), $0.name, String($0.bytes), $0.sha256] }
      }, to: &output)
    try append(tail.findings, ofSeveral: head?.source.isOfSeveral == true, &output, to: take)
  }

  /// Appends the findings, which tell their sources where there are several.
  private func append(
    _ findings: Findings, ofSeveral isOfSeveral: Bool, _ output: inout [UInt8], to take: PartTaker
  ) throws(StoreError) {
    appendStart(
      "rehome_finding",
      "id bigint PRIMARY KEY, code text, severity text, \"table\" text, \"itemId\" text, "
        + "operation bigint, message text" + (isOfSeveral ? ", \(SourceColumn.name) bigint" : ""),
      to: &output)
    for (place, finding) in findings.enumerated() {
      let source = finding.source == 0 ? nil : String(finding.source)
      output.append(
        copied: [
          String(place + 1), finding.code, finding.severity.rawValue, finding.table,
          finding.itemID, finding.operation.map { String($0) }, finding.message,
        ] + (isOfSeveral ? [source] : []))
      try output.lendIfLong(to: take)
    }
    output.append(Self.endOfRows)
  }

  /// The stores that the rows are of, with the files that were read of each.
  private func sources(filesRead files: [SourceFile]) -> [EarlierSource] {
    guard let head, head.source.earlier.isEmpty else { return head?.source.earlier ?? [] }
    var own = EarlierSource(number: 1, head.source, nameOrigin: head.nameOrigin)
    own.source.files = files
    return [own]
  }

  /// What tells of the files that were read in the place of those of devices, as in a canonical
  /// store.
  private func readFrom(_ files: [SourceFile]) -> [[String?]] {
    guard head?.source.earlier.isEmpty == false else { return [] }
    var seen: Set<ExactText> = []
    return files.compactMap { file in
      let key = "readFrom \(file.sha256) \(file.name)"
      return seen.insert(ExactText(key)).inserted ? [key, file.name] : nil
    }
  }

  private func append(
    _ name: String, _ columns: String, _ rows: [[String?]], to output: inout [UInt8]
  ) {
    appendStart(name, columns, to: &output)
    for row in rows { output.append(copied: row) }
    output.append(Self.endOfRows)
  }

  private func appendStart(_ name: String, _ columns: String, to output: inout [UInt8]) {
    let table = PostgreSQLName.quoted(schema) + "." + name
    output.append(
      contentsOf: "\nCREATE TABLE \(table) (\(columns));\nCOPY \(table) FROM stdin;\n".utf8)
  }

  private static let endOfRows: StaticString = "\\.\n"
}

extension [UInt8] {
  /// Appends a row as `COPY` reads it.
  fileprivate mutating func append(copied row: [String?]) {
    for (place, value) in row.enumerated() {
      if place > 0 { append(UInt8(ascii: "\t")) }
      append(roomFor: 2 * (value?.utf8.count ?? 1)) { room in
        if let value { room.appendCopied(value) } else { room.appendNull() }
      }
    }
    append(0x0A)
  }
}

extension BookkeepingTable {
  /// The table's name in a script, as in a canonical store.
  fileprivate var scriptName: String {
    switch self {
    case .operations: "rehome_operation"
    case .errors: "rehome_error"
    case .tokens: "rehome_token"
    case .rejects: "rehome_reject"
    case .deviceItems: "rehome_device_item"
    case .journal: "rehome_replay"
    case .marks: "rehome_mark"
    }
  }

  /// What a person reads about it in the database.
  fileprivate var scriptComment: String {
    switch self {
    case .operations: "the changes that never reached the server, in the order of sending"
    case .errors: "the failures that the device noted, and deleted items that no delete took"
    case .tokens: "how far pulls had come"
    case .rejects: "values that have no place in their column, as they were stored"
    case .deviceItems: "which device each operation belongs to, and what that would send"
    case .journal: "what replays have done, in the order in which it happened"
    case .marks: "what people have decided about operations, and the states beneath"
    }
  }

  /// What the key of its rows is called.
  fileprivate var scriptKey: String { self == .operations ? "sequence" : "id" }
}
