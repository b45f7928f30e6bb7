/// The status and those headers of an answer that somebody asks for.
struct AnswerHead: Sendable, Equatable {
  /// The status, 0 until one is read.
  private(set) var status = 0
  /// Whether the empty line after the headers has come.
  private(set) var isComplete = false
  private var values: [String: String] = [:]
  private var size = 0

  /// The headers that anybody asks for.
  static let wanted: Set<String> = ["etag", "retry-after", "location"]
  /// More than any server sends.
  static let limit = 256 << 10

  /// The value of a header, its name in lower case.
  subscript(_ name: String) -> String? { values[name] }

  /// Takes one line as it arrives; false when the head grows too large.
  mutating func take(_ line: [UInt8]) -> Bool {
    size += line.count
    guard size <= Self.limit else { return false }
    // What follows the body is of no interest.
    if isComplete { return true }
    let text = line.drop { $0 == 0x0A }.prefix { $0 != 0x0D && $0 != 0x0A }
    if text.isEmpty {
      // Answers below 200 announce another one.
      isComplete = status >= 200 || status == 101
    } else if text.starts(with: Array("HTTP/".utf8)) {
      values = [:]
      status = Self.status(in: text)
    } else {
      keep(text)
    }
    return true
  }

  private mutating func keep(_ line: ArraySlice<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    guard Self.wanted.contains(name), values[name] == nil else { return }
    let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
    let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 } ?? value.startIndex
    values[name] = String(decoding: value[...end].prefix(8 << 10), as: UTF8.self)
  }

  private static func status(in line: ArraySlice<UInt8>) -> Int {
    let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
    return digits.count == 3 ? Int(String(decoding: digits, as: UTF8.self)) ?? 0 : 0
  }

  /// The same head with its values changed, which is how secrets are cleared away.
  func mapped(_ change: (String) -> String) -> AnswerHead {
    var head = self
    head.values = values.mapValues(change)
    return head
  }
}
