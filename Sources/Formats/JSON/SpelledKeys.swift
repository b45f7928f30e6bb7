import Bytes

/// Keys of objects with quotes and colon, as most programs write them.
///
/// Where a text has just these bytes, the key need be neither looked at nor copied.
package struct SpelledKeys: Sendable {
  private var bytes: [UInt8] = []
  /// Where each key ends; one that has escapes is empty.
  private var ends: [Int] = []

  /// Begins without keys.
  package init() {}

  /// Appends a key, which is UTF-8.
  package mutating func append(_ name: [UInt8]) {
    if endOfPlainJSON(in: name.span, from: 0) == name.count {
      bytes.append("\"")
      bytes += name
      bytes.append("\":")
    }
    ends.append(bytes.count)
  }

  /// How many bytes the key at `index` has, if the text begins with it.
  func size(ofPrefix text: Span<UInt8>, _ index: Int) -> Int? {
    guard index < ends.count else { return nil }
    let start = index > 0 ? ends[index &- 1] : 0
    let size = ends[index] &- start
    guard size > 0, size <= text.count,
      text.extracting(..<size).isEqual(to: bytes.span.extracting(start..<ends[index]))
    else { return nil }
    return size
  }
}
