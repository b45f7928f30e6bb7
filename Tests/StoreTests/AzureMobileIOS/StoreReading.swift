import Bytes
import Foundation
import Opening
import Records
import SQLite

/// Everything that a reader gives of one store, as plain values that another program can judge.
struct StoreReading {
  /// The fields of a JSON object; doubles are the text of their bits, so that none is rounded.
  private(set) var fields: [String: Any]

  /// Reads the store at `path` through recognition, as a command does.
  init(ofStoreAt path: String, temporaryFolder: String, model: String? = nil) throws {
    let interruption = Interruption { false }
    defer { withExtendedLifetime(interruption) {} }
    var opening = StoreOpening(temporaryFolder: temporaryFolder, interruption: interruption)
    opening.modelPath = model
    let reader = try opening.reader(forStoreAt: path)
    fields = [
      "store": path, "layout": reader.source.layout.rawValue,
      "generation": Self.orNull(reader.source.generation),
    ]
    var rejects: [[String: Any]] = []
    var tables: [(String, [String: Any])] = []
    for (index, table) in reader.catalogue.tables.enumerated() {
      tables.append((table.name, try Self.table(index, of: reader, &rejects)))
    }
    fields["tableNames"] = tables.map(\.0)
    fields["tables"] = Dictionary(uniqueKeysWithValues: tables)
    fields["rejects"] = rejects
    fields["findings"] = (reader.findings + (try reader.examineRows())).map(\.code)
    let queue = try reader.readQueue()
    fields["operations"] = queue.operations.map(Self.operation)
    fields["errors"] = queue.errors.map(Self.error)
    fields["tokens"] = queue.tokens.map { token in
      [
        "table": Self.orNull(token.table), "query": Self.orNull(token.query),
        "updatedAt": Self.orNull(token.updatedAt), "raw": Self.orNull(token.raw),
      ]
    }
  }

  /// One line of JSON.
  func line() throws -> Data {
    try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys]) + Data("\n".utf8)
  }

  private static func table(
    _ index: Int, of reader: any StoreReader, _ rejects: inout [[String: Any]]
  ) throws -> [String: Any] {
    let table = reader.catalogue.tables[index]
    var rows: [[Any]] = []
    try reader.forEachBatch(inTable: index) { (batch) throws(StoreError) in
      for row in 0..<batch.rowCount {
        rows.append(
          [NSNumber(value: batch.keys[row])]
            + batch.cells(ofRow: row).map { value(of: $0, in: batch) })
      }
      for reject in batch.rejects {
        rejects.append([
          "table": table.name, "pk": NSNumber(value: batch.keys[reject.row]),
          "column": table.columns[reject.column].name, "code": reject.code.rawValue,
        ])
      }
    }
    return [
      "columns": table.columns.map { [$0.name, $0.type.rawValue] }, "rows": rows,
    ]
  }

  private static func value(of cell: Cell, in batch: RecordBatch) -> Any {
    switch cell.kind {
    case .null: NSNull()
    case .integer: NSNumber(value: cell.integer)
    case .real: hexadecimal(cell.real)
    case .text: String(decoding: batch.arena[cell.range], as: UTF8.self)
    case .binary: Data(batch.arena[cell.range]).base64EncodedString()
    }
  }

  /// The exact value as Python's `float.fromhex` reads it.
  private static func hexadecimal(_ value: Double) -> String {
    value.isInfinite ? (value < 0 ? "-inf" : "inf") : String(format: "%a", value)
  }

  private static func operation(_ operation: PendingOperation) -> [String: Any] {
    [
      "sequence": NSNumber(value: operation.sequence), "table": orNull(operation.table),
      "itemId": orNull(operation.itemID), "kind": orNull(operation.kind?.rawValue),
      "state": operation.state.rawValue, "item": text(operation.item),
      "baseVersion": orNull(operation.baseVersion), "originalId": orNull(operation.originalID),
      "rowKey": orNull(operation.rowKey), "rowTable": orNull(operation.rowTable),
    ]
  }

  private static func error(_ error: OperationError) -> [String: Any] {
    [
      "table": orNull(error.table), "itemId": orNull(error.itemID),
      "kind": orNull(error.kind?.rawValue), "status": orNull(error.status),
      "code": orNull(error.code), "message": orNull(error.message), "item": text(error.item),
      "serverItem": text(error.serverItem), "operation": orNull(error.operation),
    ]
  }

  private static func text(_ bytes: [UInt8]?) -> Any {
    orNull(bytes.map { String(decoding: $0, as: UTF8.self) })
  }

  private static func orNull(_ value: (any Sendable)?) -> Any { value ?? NSNull() }
}
