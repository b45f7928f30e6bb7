import Bytes
import Records

/// The text that a field stands for that is spelled for a spreadsheet; nil where it is that text.
///
/// A formula is the text that it gives, and a time has lost its zone and zeros. What begins as a
/// formula but is none has the marker of safe fields before it.
func spreadsheetText(_ field: Span<UInt8>, type: LogicalType?) -> [UInt8]? {
  var text: [UInt8] = []
  let isFormula =
    field.count >= 3 && field[0] == UInt8(ascii: "=") && field[1] == UInt8(ascii: "\"")
    && field[field.count - 1] == UInt8(ascii: "\"")
  if isFormula {
    text.append(field.extracting(2..<field.count - 1))
    return text
  }
  let isTime = type == .timestamp && (19...29).contains(field.count) && field[10] == 0x20
  guard isTime else { return nil }
  text.append(field.extracting(..<10))
  text.append(UInt8(ascii: "T"))
  text.append(field.extracting(11...))
  text.append(field.count == 19 ? ".000Z" : "Z")
  return text
}
