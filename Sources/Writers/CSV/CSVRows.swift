import Bytes
package import Records

/// Spells one table as CSV (RFC 4180): a header, then the rows, each ended by CR and LF.
///
/// NULL is an empty field without quotes, the empty string one with quotes.
package struct CSVRows: TableSpelling {
  private let header: [UInt8]
  private let types: [LogicalType]
  private let isSafe: Bool

  /// Prepares the spelling of a table; a safe one guards against formulas in spreadsheets.
  package init(of table: Table, isSafe: Bool) {
    var header = Array("_pk".utf8)
    for column in table.columns {
      header.append(UInt8(ascii: ","))
      header.append(addingCapacity: csvSize(ofTextOf: column.name.utf8.count)) { output in
        output.appendCSV(column.name.utf8Span.span, isSafe: isSafe)
      }
    }
    header.append("\r\n")
    self.header = header
    types = table.columns.map(\.type)
    self.isSafe = isSafe
  }

  package func appendStart(to output: inout [UInt8]) {
    output.append(contentsOf: header)
  }

  package func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    let cells = batch.cells
    let arena = batch.arena
    var first = 0
    for key in batch.keys {
      let end = first &+ types.count
      append(cells.span.extracting(first..<end), key: key, arena: arena.span, to: &output)
      first = end
    }
    return batch.rowCount
  }

  package func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {}

  @inline(__always)
  private func append(
    _ row: Span<Cell>, key: Int64, arena: Span<UInt8>, to output: inout [UInt8]
  ) {
    var size = decimalSize &+ 2
    for place in row.indices { size &+= csvSize(ofTextOf: row[place].plainSize) &+ 1 }
    output.append(addingCapacity: size) { output in
      output.appendDecimal(key)
      for place in row.indices {
        output.append(UInt8(ascii: ","))
        append(row[place], type: types[place], arena: arena, to: &output)
      }
      output.append("\r\n")
    }
  }

  @inline(__always)
  private func append(
    _ cell: Cell, type: LogicalType, arena: Span<UInt8>, to output: inout OutputSpan<UInt8>
  ) {
    switch cell.kind {
    case .null: break
    case .text:
      let text = arena.extracting(cell.range)
      output.appendCSV(text, isSafe: isSafe && !(type == .decimal && isDigits(text)))
    case .binary: appendBinary(arena.extracting(cell.range), to: &output)
    case .integer: output.appendPlain(cell, type: type, arena: arena)
    case .real: if !cell.real.isNaN { output.appendPlain(cell, type: type, arena: arena) }
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
