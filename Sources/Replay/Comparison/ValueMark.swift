import Bytes
import Formats

/// A mark that tells values from others, and says nothing about them.
///
/// Values that mean the same have the same mark, as far as numbers and the order of members go.
struct ValueMark {
  private var text: [UInt8] = []

  /// Takes a value in one spelling of those that mean the same.
  mutating func add(_ value: JSONValue) {
    switch value {
    case .number(let number):
      text.append(contentsOf: (number.real.map { "\($0)" } ?? number.text).utf8)
    case .array(let items):
      for item in items { add(item) }
      text.append(UInt8(ascii: "]"))
    case .object(let object):
      for member in object.members.sorted(by: { Self.precedes($0.key, $1.key) }) {
        text.appendJSONString(member.key.utf8Span.span)
        add(member.value)
      }
      text.append(UInt8(ascii: "}"))
    case .null, .boolean, .string: value.append(to: &text)
    }
    text.append(UInt8(ascii: ","))
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// The mark of all values that were taken.
  var digits: String {
    var hash = SHA256()
    hash.update(text.span)
    return String(hash.finish().hexadecimal.prefix(32))
  }
}
