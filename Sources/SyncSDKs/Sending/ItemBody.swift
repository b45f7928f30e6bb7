import Bytes
import Formats
package import Records

/// How the SDK that made a store spells the row of an item when it sends it.
///
/// Only what the app itself put into the item is sent: no key, no reference, no place in an
/// order, and none of the properties that the server keeps, but for versions where the SDK sends them.
package struct ItemBody: Sendable {
  private struct Member: Sendable {
    let column: Int
    /// Where its name and a colon are among those of all.
    let name: Range<Int>
    let type: LogicalType
    /// Whether it is left out where it has no value, whatever the SDK does with others.
    let isOptional: Bool
  }

  private let members: [Member]
  /// The names in one piece: threads that took hold of each would take its counter from each other.
  private let names: [UInt8]
  private let style: SDKStyle

  /// Prepares the spelling of the rows of one table, or of some of its columns.
  package init(
    of table: Table, style: SDKStyle, where isWanted: (Column) -> Bool = { _ in true }
  ) {
    self.style = style
    var names: [UInt8] = []
    members = table.columns.enumerated().compactMap { place, column in
      let isVersion = style.sendsVersions && column.role == .version
      guard isVersion || style.sends(column), isWanted(column) else { return nil }
      let start = names.count
      names.appendJSONString(column.sourceName.utf8Span.span)
      names.append(UInt8(ascii: ":"))
      return Member(
        column: place, name: start..<names.count, type: column.type,
        // An item that has no id yet is called otherwise.
        isOptional: isVersion || column.role == .id)
    }
    self.names = names
  }

  /// The row as a JSON object; nil when it holds text that is not UTF-8.
  package func json(_ values: [RawValue?]) -> [UInt8]? {
    var batch = RecordBatch(columnCount: values.count)
    for value in values { batch.append(value) }
    batch.endRow(key: 0)
    var json: [UInt8] = []
    return append(row: 0, of: batch, to: &json) ? json : nil
  }

  /// Appends a row of a batch as a JSON object, or nothing when it holds text that is not UTF-8.
  ///
  /// - Returns: whether it was appended.
  package func append(
    row: Int, of batch: borrowing RecordBatch, to json: inout [UInt8]
  ) -> Bool {
    let (cells, arena) = (batch.cells, batch.arena)
    let start = json.count
    json.append(UInt8(ascii: "{"))
    for member in members where member.column < batch.columnCount {
      let cell = cells[row &* batch.columnCount &+ member.column]
      if style.omitsNulls || member.isOptional, cell.isNull { continue }
      if json.count > start &+ 1 { json.append(UInt8(ascii: ",")) }
      json.append(names.span.extracting(member.name))
      guard append(cell, member.type, arena: arena.span, to: &json) else {
        json.removeLast(json.count - start)
        return false
      }
    }
    json.append(UInt8(ascii: "}"))
    return true
  }

  private func append(
    _ cell: Cell, _ type: LogicalType, arena: Span<UInt8>, to json: inout [UInt8]
  ) -> Bool {
    switch cell.kind {
    case _ where cell.isNull: json.append("null")
    case .null: break
    case .integer where type == .boolean: json.append(cell.integer != 0 ? "true" : "false")
    case .integer: json.appendDecimal(cell.integer)
    case .real: append(cell.real, to: &json)
    case .text:
      let text = arena.extracting(cell.range)
      guard isValidUTF8(text) else { return false }
      append(text: text, type, to: &json)
    case .binary:
      json.append(UInt8(ascii: "\""))
      json.appendBase64(arena.extracting(cell.range))
      json.append(UInt8(ascii: "\""))
    }
    return true
  }

  private func append(_ number: Double, to json: inout [UInt8]) {
    guard number.isFinite else {
      // JSON has no such number; this is how the SDKs that can say it at all do.
      return json.append(number < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }
    if !style.marksWholeReals, let whole = Int64(exactly: number), abs(number) < 1e15 {
      json.appendDecimal(whole)
    } else {
      json.appendReal(number == 0 ? 0 : number)
    }
  }

  private func append(text: Span<UInt8>, _ type: LogicalType, to json: inout [UInt8]) {
    switch type {
    case .timestamp: json.appendJSONString(text, asTimeOf: style)
    case .decimal where JSONNumber(string(text)) != nil: json.append(text)
    case .json: append(document: text, to: &json)
    default: json.appendJSONString(text)
    }
  }

  /// Appends JSON, with what a service gets in place of half a character; what is no JSON after all goes
  /// as the text that it is.
  private func append(document text: Span<UInt8>, to json: inout [UInt8]) {
    if (try? JSONValue(parsing: text)) != nil { return json.append(text) }
    if let repaired = replacingHalfCharacters(in: text),
      (try? JSONValue(parsing: repaired.span)) != nil
    {
      return json.append(repaired.span)
    }
    json.appendJSONString(text)
  }

  private func string(_ text: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.append(text)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Cell {
  /// Whether there is no value; the engine keeps NULL for what is not a number.
  fileprivate var isNull: Bool { kind == .null || kind == .real && real.isNaN }
}

extension RecordBatch {
  fileprivate mutating func append(_ value: RawValue?) {
    switch value {
    case nil: append(.null)
    case .integer(let number): append(.integer(number))
    case .real(let number): append(.real(number))
    case .text(let text): appendText(text.span)
    case .binary(let bytes): appendBinary(bytes.span)
    }
  }
}

extension [UInt8] {
  /// Appends a time in canonical spelling as an SDK sends it; other text stays what it is.
  fileprivate mutating func appendJSONString(_ text: Span<UInt8>, asTimeOf style: SDKStyle) {
    guard let end = style.end(ofTime: text) else { return appendJSONString(text) }
    appendJSONString(text.extracting(0..<end))
    self[count - 1] = UInt8(ascii: "Z")
    append(UInt8(ascii: "\""))
  }
}
