import Bytes
import Formats
package import Records

/// How the SDK that made a store spells the row of an item when it sends it.
///
/// Only what the app itself put into the item is sent: no key, no reference, no place in an
/// order, and none of the properties that the server keeps.
package struct ItemBody: Sendable {
  private struct Member: Sendable {
    let column: Int
    let name: [UInt8]
    let type: LogicalType
  }

  private let members: [Member]
  private let style: SDKStyle

  /// Prepares the spelling of the rows of one table.
  package init(of table: Table, style: SDKStyle) {
    self.style = style
    members = table.columns.enumerated().compactMap { place, column in
      guard column.role == .value || column.role == .id, style.sends(column) else { return nil }
      var name: [UInt8] = []
      name.appendJSONString(column.sourceName.utf8Span.span)
      return Member(column: place, name: name, type: column.type)
    }
  }

  /// The row as a JSON object; nil when it holds text that is not UTF-8.
  package func json(_ values: [RawValue?]) -> [UInt8]? {
    var json: [UInt8] = [UInt8(ascii: "{")]
    for member in members where member.column < values.count {
      let value = values[member.column]
      guard value != nil || !style.omitsNulls else { continue }
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json.append(contentsOf: member.name)
      json.append(UInt8(ascii: ":"))
      guard append(value, member.type, to: &json) else { return nil }
    }
    json.append(UInt8(ascii: "}"))
    return json
  }

  /// A row of a batch as a JSON object; nil when it holds text that is not UTF-8.
  package func json(ofRow row: Int, of batch: borrowing RecordBatch) -> [UInt8]? {
    json(
      batch.cells(ofRow: row).map { cell in
        switch cell.kind {
        case .null: nil
        case .integer: .integer(cell.integer)
        // The engine keeps NULL for what is not a number.
        case .real: cell.real.isNaN ? nil : .real(cell.real)
        case .text: .text(Array(batch.arena[cell.range]))
        case .binary: .binary(Array(batch.arena[cell.range]))
        }
      })
  }

  private func append(_ value: RawValue?, _ type: LogicalType, to json: inout [UInt8]) -> Bool {
    switch value {
    case nil: json.append("null")
    case .integer(let number) where type == .boolean: json.append(number != 0 ? "true" : "false")
    case .integer(let number): json.appendDecimal(number)
    case .real(let number): append(number, to: &json)
    case .text(let text):
      guard isValidUTF8(text.span) else { return false }
      append(text: text, type, to: &json)
    case .binary(let bytes):
      json.append(UInt8(ascii: "\""))
      json.appendBase64(bytes.span)
      json.append(UInt8(ascii: "\""))
    }
    return true
  }

  private func append(_ number: Double, to json: inout [UInt8]) {
    guard number.isFinite else {
      // JSON has no such number; this is how the SDKs that can say it at all do.
      return json.append(number.isNaN ? "null" : number < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }
    if !style.marksWholeReals, let whole = Int64(exactly: number), abs(number) < 1e15 {
      json.appendDecimal(whole)
    } else {
      json.appendReal(number == 0 ? 0 : number)
    }
  }

  private func append(text: [UInt8], _ type: LogicalType, to json: inout [UInt8]) {
    switch type {
    case .timestamp:
      let time = style.time(text)
      json.appendJSONString(time.span)
    case .decimal where JSONNumber(String(decoding: text, as: UTF8.self)) != nil:
      json.append(contentsOf: text)
    case .json where (try? JSONValue(parsing: text.span)) != nil:
      // What is no JSON after all goes as the text that it is.
      json.append(contentsOf: text)
    default:
      json.appendJSONString(text.span)
    }
  }
}
