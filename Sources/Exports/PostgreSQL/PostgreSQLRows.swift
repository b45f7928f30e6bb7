import Bytes
import Records

/// Spells the rows of one table as `COPY` reads them, and apart from them what no column holds.
struct PostgreSQLRows: TableSpelling {
  private let head: [UInt8]
  private let table: PostgreSQLTable
  private let types: [PostgreSQLType]
  private let size: RowSize

  init(_ table: PostgreSQLTable, head: [UInt8]) {
    self.table = table
    self.head = head
    types = table.types
    // A byte becomes two, be it escaped or spelled in digits.
    size = RowSize(fixed: decimalSize + 1 + types.count * (realSize + 5), growth: 2)
  }

  func appendStart(to output: inout [UInt8]) {
    output.append(contentsOf: head)
  }

  func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    var misfits = Misfits()
    return append(batch, to: &output, &misfits)
  }

  func append(
    _ batch: borrowing RecordBatch, to output: inout [UInt8], _ misfits: inout Misfits
  ) -> Int {
    let (cells, keys, arena) = (batch.cells, batch.keys, batch.arena)
    let width = types.count
    output.append(items: 0..<batch.rowCount) { row in
      size.maximum(of: cells.span.extracting(row &* width..<(row &+ 1) &* width)) {
        2 &* $0.range.count &+ realSize &+ 5
      }
    } _: { row, room in
      room.appendDecimal(keys[row])
      for place in 0..<width {
        room.append(UInt8(ascii: "\t"))
        let cell = cells[row &* width &+ place]
        if append(cell, types[place], arena: arena.span, to: &room) { continue }
        append(misfit: cell, row: keys[row], column: place, arena.span, to: &misfits)
        room.appendNull()
      }
      room.append(0x0A)
    }
    // The server does not tell in which case the letters of a UUID were.
    for place in 0..<width where types[place] == .uuid {
      var found: LetterCases = []
      for row in 0..<batch.rowCount {
        let cell = cells[row &* width &+ place]
        if cell.kind == .text {
          found.formUnion(LetterCases(of: arena.span.extracting(cell.range)))
        }
      }
      misfits.letterCases[place, default: []].formUnion(found)
    }
    return batch.rowCount
  }

  func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {
    output.append("\\.\n")
  }

  func appendMisfitsStart(to output: inout [UInt8]) {
    output.append("\nCOPY pg_temp.rehome_exact FROM stdin;\n")
  }

  func appendMisfits(
    ofColumn column: Int, besides usual: LetterCases, in rows: [UInt8], to output: inout [UInt8]
  ) {
    for line in rows.split(separator: 0x0A) {
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      // The key is the first field.
      guard column + 1 < fields.count else { continue }
      let value = Array(fields[column + 1])
      guard let key = Int64(String(decoding: fields[0], as: UTF8.self)),
        isUUID(value.span), !LetterCases(of: value.span).isSubset(of: usual)
      else { continue }
      append(misfit: value.span, 0..<value.count, row: key, column: column, to: &output)
    }
  }

  func appendMisfitsEnd(
    _ columns: Set<Int>, usual: [Int: LetterCases], to output: inout [UInt8]
  ) {
    output.append("\\.\n")
    let name = table.qualifiedName
    for place in columns.sorted() where types[place] != .text {
      let column = PostgreSQLName.quoted(table.columns[place])
      let text = types[place].canonicalText(column, usual[place] ?? .lower)
      output.append(
        contentsOf: """
          ALTER TABLE \(name) ALTER COLUMN \(column) TYPE text USING \(text);
          UPDATE \(name) SET \(column) = rehome_exact.value FROM pg_temp.rehome_exact
            WHERE rehome_exact.tbl = \(PostgreSQLName.literal(table.sourceName)) AND rehome_exact.col = \
          \(PostgreSQLName.literal(table.sourceColumns[place])) AND rehome_exact.value IS NOT NULL
            AND rehome_exact."row" = \(name).\(PostgreSQLName.quoted(table.key));

          """.utf8)
    }
    // A part of the queue may be called as a table of the app, and its values are none of that one.
    output.append("DELETE FROM pg_temp.rehome_exact WHERE value IS NOT NULL;\n")
  }

  /// Appends a value; false, and nothing appended, where its column cannot hold it.
  @inline(__always)
  private func append(
    _ cell: Cell, _ type: PostgreSQLType, arena: Span<UInt8>, to room: inout ByteRoom
  ) -> Bool {
    switch cell.kind {
    case .null: room.appendNull()
    case .integer:
      if type == .boolean {
        room.append(cell.integer != 0 ? UInt8(ascii: "t") : UInt8(ascii: "f"))
      } else {
        room.appendDecimal(cell.integer)
      }
    case .real:
      if cell.real.isNaN {
        room.appendNull()
      } else {
        room.append(upTo: realSize) { $0.appendReal(cell.real == 0 ? 0 : cell.real) }
      }
    case .text:
      if type != .text, !type.holds(arena.extracting(cell.range)) { return false }
      return room.appendCopied(arena, cell.range)
    case .binary:
      room.append(UInt8(ascii: "\\"))
      room.append(UInt8(ascii: "\\"))
      room.append(UInt8(ascii: "x"))
      room.append(upTo: 2 &* cell.range.count) { $0.appendHex(arena.extracting(cell.range)) }
    }
    return true
  }

  /// Keeps a value that its column cannot hold: as text where it is one, else as bytes.
  private func append(
    misfit cell: Cell, row: Int64, column: Int, _ arena: Span<UInt8>, to misfits: inout Misfits
  ) {
    misfits.columns.insert(column)
    if !append(misfit: arena, cell.range, row: row, column: column, to: &misfits.bytes) {
      misfits.lost += 1
    }
  }

  /// - Returns: whether it is a text for the server.
  @discardableResult
  private func append(
    misfit arena: Span<UInt8>, _ range: Range<Int>, row: Int64, column: Int,
    to misfits: inout [UInt8]
  ) -> Bool {
    let bytes = arena.extracting(range)
    let isText = !(0..<bytes.count).contains { bytes[$0] == 0 }
    misfits.append(
      roomFor: 2 * 2
        * (table.sourceName.utf8.count
          + table.sourceColumns[column].utf8.count) + 2 * bytes.count + 64
    ) { room in
      room.appendCopied(table.sourceName)
      room.append(UInt8(ascii: "\t"))
      room.appendCopied(table.sourceColumns[column])
      room.append(UInt8(ascii: "\t"))
      room.appendDecimal(row)
      room.append(UInt8(ascii: "\t"))
      if isText {
        _ = room.appendCopied(arena, range)
        room.append(UInt8(ascii: "\t"))
        room.appendNull()
      } else {
        room.appendNull()
        room.append("\t\\\\x")
        room.append(upTo: 2 &* bytes.count) { $0.appendHex(bytes) }
      }
      room.append(0x0A)
    }
    return isText
  }
}

extension ByteRoom {
  /// Appends what `COPY` takes for no value.
  @inline(__always)
  mutating func appendNull() {
    append(UInt8(ascii: "\\"))
    append(UInt8(ascii: "N"))
  }

  /// Appends the bytes of a literal.
  package mutating func append(_ text: StaticString) {
    append(upTo: text.utf8CodeUnitCount) { $0.append(text) }
  }

  /// Appends a short text; a NUL is left out.
  mutating func appendCopied(_ text: String) {
    let bytes = Array(text.utf8).filter { $0 != 0 }
    _ = appendCopied(bytes.span, 0..<bytes.count)
  }

  /// Appends a range of text, escaped; false, and nothing appended, where a NUL is in it.
  ///
  /// There must be room for twice its size.
  @inline(__always)
  mutating func appendCopied(_ source: Span<UInt8>, _ range: Range<Int>) -> Bool {
    if source.count &- range.upperBound >= Self.blockSize, !range.isEmpty,
      append(source, range, unlessAny: bytesToEscape)
    {
      return true
    }
    for place in range where source[place] == 0 { return false }
    append(upTo: 2 &* range.count) { output in
      for place in range {
        let byte = source[place]
        switch byte {
        case UInt8(ascii: "\\"): output.append("\\\\")
        case 0x0A: output.append("\\n")
        case 0x0D: output.append("\\r")
        case 0x09: output.append("\\t")
        default: output.append(byte)
        }
      }
    }
    return true
  }
}

/// Finds the bytes of each word that may have to be escaped: controls and backslashes.
@inline(__always)
private func bytesToEscape(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
  let ones = SIMD2<UInt64>(repeating: 0x0101_0101_0101_0101)
  let tops = SIMD2<UInt64>(repeating: 0x8080_8080_8080_8080)
  let controls = (words &- ones &* 0x20) & ~words
  let slashes = words ^ (ones &* 0x5C)
  return (controls | ((slashes &- ones) & ~slashes)) & tops
}
