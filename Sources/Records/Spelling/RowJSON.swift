import Bytes

/// Spells rows of one table as JSON objects: `_pk` first, then the columns in their order.
package struct RowJSON: Sendable {
  /// What is the same in all rows, one after the other: what stands before the key, what stands
  /// before each value, what stands behind the last; then as much as copies may touch.
  ///
  /// An array of arrays would have its elements retained for each cell, by all threads at once.
  private let frame: [UInt8]
  /// How much of the frame stands before the key.
  private let openingSize: Int
  private let fields: [Field]
  /// What of the frame stands behind the last value of each row.
  private let closing: Range<Int>
  private let size: RowSize

  private struct Field {
    /// What of the frame stands before the value: a comma, the column's name and a colon.
    let prefix: Range<Int>
    let type: LogicalType
    let isBoolean: Bool
  }

  /// Prepares the spelling of a table's rows, each with something before it and behind it.
  package init(
    of table: Table, separator: StaticString = "", terminator: StaticString = ""
  ) {
    var frame: [UInt8] = []
    frame.append(separator)
    frame.append("{\"_pk\":")
    openingSize = frame.count
    fields = table.columns.map { column in
      let start = frame.count
      frame.append(UInt8(ascii: ","))
      frame.appendJSONString(column.name.utf8Span.span)
      frame.append(UInt8(ascii: ":"))
      return Field(
        prefix: start..<frame.count, type: column.type, isBoolean: column.type == .boolean)
    }
    let end = frame.count
    frame.append(UInt8(ascii: "}"))
    frame.append(terminator)
    closing = end..<frame.count
    // No byte takes more than six; of base64 and its quotes the fixed size has the rest.
    size = RowSize(fixed: frame.count + decimalSize + fields.count * (realSize + 2), growth: 6)
    frame.append(contentsOf: repeatElement(0, count: ByteRoom.slack))
    self.frame = frame
  }

  /// Appends the rows of a batch.
  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) {
    append(rows: 0..<batch.rowCount, of: batch, to: &output)
  }

  /// Appends one row of a batch.
  package func append(
    row: Int, of batch: borrowing RecordBatch, to output: inout [UInt8]
  ) {
    append(rows: row..<row &+ 1, of: batch, to: &output)
  }

  private func append(
    rows: Range<Int>, of batch: borrowing RecordBatch, to output: inout [UInt8]
  ) {
    let (cells, keys, arena) = (batch.cells, batch.keys, batch.arena)
    // Of a wider batch the first cells of each row are spelled.
    let (stride, width) = (batch.columnCount, fields.count)
    output.append(items: rows) { row in
      size.maximum(of: cells.span.extracting(row &* stride..<row &* stride &+ width)) {
        $0.jsonSize(in: arena.span)
      }
    } _: { row, room in
      append(
        cells.span.extracting(row &* stride..<row &* stride &+ width), key: keys[row],
        arena: arena.span, to: &room)
    }
  }

  @inline(__always)
  private func append(
    _ row: Span<Cell>, key: Int64, arena: Span<UInt8>, to room: inout ByteRoom
  ) {
    room.append(frame.span, 0..<openingSize)
    room.appendDecimal(key)
    for index in fields.indices {
      let field = fields[index]
      room.append(frame.span, field.prefix)
      let cell = row[index]
      switch cell.kind {
      case .text:
        room.appendJSONString(arena, cell.range)
      case .integer where !field.isBoolean:
        room.appendDecimal(cell.integer)
      default:
        room.append(upTo: cell.jsonSize(in: arena)) {
          $0.appendJSON(cell, type: field.type, arena: arena)
        }
      }
    }
    room.append(frame.span, closing)
  }
}
