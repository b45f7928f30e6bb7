import Bytes
package import Records

/// Spells one table as CSV (RFC 4180): a header, then the rows, each ended by CR and LF.
///
/// NULL is an empty field without quotes, the empty string one with quotes.
package struct CSVRows: TableSpelling {
  private let header: [UInt8]
  private let types: [LogicalType]
  private let style: CSVStyle
  private let size: RowSize

  private var isSafe: Bool { style.isSafe }

  /// Prepares the spelling of a table.
  package init(of table: Table, style: CSVStyle) {
    var header = style == .spreadsheet ? byteOrderMark : []
    header.append("_pk")
    for column in table.columns {
      header.append(UInt8(ascii: ","))
      let name = column.name.utf8Span.span
      header.append(addingCapacity: csvSize(ofTextOf: name.count) + spreadsheetFrame) { output in
        if style == .spreadsheet {
          output.appendSpreadsheet(name, isNumber: false)
        } else {
          output.appendCSV(name, isSafe: style.isSafe)
        }
      }
    }
    header.append("\r\n")
    self.header = header
    types = table.columns.map(\.type)
    self.style = style
    // Of the digits of base64 there is room for twice as many as there are, as of any text.
    let number = csvSize(ofTextOf: realSize) + spreadsheetFrame
    size = RowSize(fixed: number + 2 + types.count * (1 + number), growth: 3)
  }

  package func appendStart(to output: inout [UInt8]) {
    output.append(contentsOf: header)
  }

  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    let (cells, keys, arena) = (batch.cells, batch.keys, batch.arena)
    let width = types.count
    output.append(items: 0..<batch.rowCount) { row in
      size.maximum(of: cells.span.extracting(row &* width..<(row &+ 1) &* width)) {
        csvSize(ofTextOf: $0.plainSize)
      }
    } _: { row, room in
      append(
        cells.span.extracting(row &* width..<(row &+ 1) &* width), key: keys[row],
        arena: arena.span, to: &room)
    }
    return batch.rowCount
  }

  package func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {}

  @inline(__always)
  private func append(
    _ row: Span<Cell>, key: Int64, arena: Span<UInt8>, to room: inout ByteRoom
  ) {
    if style == .spreadsheet {
      appendSpreadsheet(row, key: key, arena: arena, to: &room)
    } else {
      room.appendDecimal(key)
      for place in types.indices {
        room.append(UInt8(ascii: ","))
        append(row[place], type: types[place], arena: arena, to: &room)
      }
    }
    room.append(UInt8(ascii: "\r"))
    room.append(UInt8(ascii: "\n"))
  }

  private func appendSpreadsheet(
    _ row: Span<Cell>, key: Int64, arena: Span<UInt8>, to room: inout ByteRoom
  ) {
    let key = Cell.integer(key)
    room.append(upTo: csvSize(ofTextOf: key.plainSize) + spreadsheetFrame) {
      $0.appendSpreadsheet(key, type: .integer, arena: arena)
    }
    for place in types.indices {
      room.append(UInt8(ascii: ","))
      let cell = row[place]
      room.append(upTo: csvSize(ofTextOf: cell.plainSize) + spreadsheetFrame) {
        $0.appendSpreadsheet(cell, type: types[place], arena: arena)
      }
    }
  }

  @inline(__always)
  private func append(
    _ cell: Cell, type: LogicalType, arena: Span<UInt8>, to room: inout ByteRoom
  ) {
    switch cell.kind {
    case .null: break
    case .text:
      let isDigits = isSafe && type == .decimal && isDigits(arena.extracting(cell.range))
      room.appendCSV(arena, cell.range, isSafe: isSafe && !isDigits)
    case .binary:
      room.append(upTo: csvSize(ofTextOf: cell.plainSize)) {
        appendBinary(arena.extracting(cell.range), to: &$0)
      }
    case .real where cell.real.isNaN: break
    case .integer where type != .boolean:
      room.appendDecimal(cell.integer)
    case .integer, .real:
      room.append(upTo: realSize) { $0.appendPlain(cell, type: type, arena: arena) }
    }
  }

  /// Whether a decimal is what it should be; a sign in front of digits is no formula.
  private func isDigits(_ text: Span<UInt8>) -> Bool {
    for place in text.indices {
      switch text[place] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): continue
      case UInt8(ascii: "-") where place == 0: continue
      default: return false
      }
    }
    return true
  }

  /// Base64 needs no quotes, but it can be empty, and it can begin with a plus sign.
  private func appendBinary(_ bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
    guard isSafe || bytes.isEmpty else { return output.appendBase64(bytes) }
    var text: [UInt8] = []
    text.appendBase64(bytes)
    output.appendCSV(text.span, isSafe: isSafe)
  }
}
