import Bytes
import Formats
import Records

/// Spells a whole store as one JSON object, counts and hashes behind what they count.
struct JSONDocument: DocumentSpelling {
  private var isInTables = true
  private var isFirst = true

  mutating func appendStart(_ head: ExportHead, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    output.appendJSON(
      "rehome",
      .members(["format": .count(1), "kind": .string("document"), "tool": .string(head.tool)]))
    output.append(",\n")
    output.appendJSON("nameOrigin", .string(head.nameOrigin.rawValue))
    output.append(",\n")
    output.appendJSONLines("sources", [.source(head.source, files: nil)])
    output.append(",\n\"tables\":[")
  }

  mutating func appendSeparator(
    before table: Table, as part: BookkeepingTable?, to output: inout [UInt8]
  ) -> any TableSpelling {
    if let part {
      closeTables(&output)
      output.append(",\n")
      output.appendJSON(part.rawValue)
      output.append(UInt8(ascii: ":"))
    } else {
      output.append(isFirst ? "\n" : ",\n")
    }
    isFirst = false
    return JSONTable(of: table, isPart: part != nil)
  }

  mutating func spellEnd(_ tail: ExportTail, to take: PartTaker) throws(StoreError) {
    var output: [UInt8] = []
    closeTables(&output)
    output.append(",\n")
    try output.appendJSONLines(tail.findings, to: take)
    output.append(",\n")
    output.appendJSONLines("files", tail.files.map(JSONValue.file))
    output.append(",\n")
    output.appendJSON("hash", .string(tail.hash.hexadecimal))
    output.append("}\n")
    try output.lendAll(to: take)
  }

  private mutating func closeTables(_ output: inout [UInt8]) {
    if isInTables { output.append(UInt8(ascii: "]")) }
    isInTables = false
  }

  /// Spells a table of a JSON document: its columns, its rows, its count and hash.
  fileprivate struct JSONTable: TableSpelling {
    private let head: [UInt8]
    private let rows: JSONRows

    var separatorSize: Int { rows.separatorSize }

    init(of table: Table, isPart: Bool) {
      var head = Array("{".utf8)
      head.appendJSON("name", .string(table.name))
      if !isPart {
        head.append(UInt8(ascii: ","))
        head.appendJSON("sourceName", .string(table.sourceName))
        head.append(UInt8(ascii: ","))
        head.appendJSON("sourceTable", .string(table.sourceTable))
      }
      head.append(UInt8(ascii: ","))
      head.appendJSON("columns", .array(table.columns.map(JSONValue.column)))
      head.append(",\"rows\":")
      self.head = head
      rows = JSONRows(of: table)
    }

    func appendStart(to output: inout [UInt8]) {
      output.append(contentsOf: head)
      rows.appendStart(to: &output)
    }

    func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
      rows.append(batch, to: &output)
    }

    func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
      rows.appendEnd(seal, to: &output)
      output.append(UInt8(ascii: ","))
      output.appendJSON("count", .count(seal.rows))
      output.append(UInt8(ascii: ","))
      output.appendJSON("hash", .optional(seal.hash?.hexadecimal))
      output.append(UInt8(ascii: "}"))
    }
  }
}

/// Spells the rows of one table as a JSON array of objects, one object a line.
struct JSONRows: TableSpelling {
  private let rows: RowJSON

  var separatorSize: Int { 1 }

  /// Prepares the spelling of a table.
  init(of table: Table) {
    rows = RowJSON(of: table, separator: ",\n")
  }

  func appendStart(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
  }

  func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    rows.append(batch, to: &output)
    return batch.rowCount
  }

  func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
    output.append("\n]\n")
  }
}

/// Spells the rows of one table as JSON objects, one a line: `_pk` first, then the columns.
struct NDJSONRows: TableSpelling {
  private let rows: RowJSON

  /// Prepares the spelling of a table's rows.
  init(of table: Table) {
    rows = RowJSON(of: table, terminator: "\n")
  }

  func appendStart(to output: inout [UInt8]) {}

  func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    rows.append(batch, to: &output)
    return batch.rowCount
  }

  func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {}
}
