import Bytes

/// What was made of the payloads that came most lately and are short: the SDK for iOS writes the
/// same ones over and over.
struct CommonPayloads<Value> {
  private var known: [(bytes: [UInt8], isText: Bool, value: Value)] = []
  private var oldest = 0

  private static var limit: Int { 8 }
  private static var longest: Int { 64 }

  /// What `decode` makes of a payload, perhaps from a time before.
  mutating func value(
    _ payload: Span<UInt8>, isText: Bool, decode: (Span<UInt8>) -> Value
  ) -> Value {
    for entry in known where entry.isText == isText && entry.bytes.span.isEqual(to: payload) {
      return entry.value
    }
    let value = decode(payload)
    if payload.count <= Self.longest { keep(payload, isText, value) }
    return value
  }

  private mutating func keep(_ payload: Span<UInt8>, _ isText: Bool, _ value: Value) {
    var bytes: [UInt8] = []
    bytes.append(payload)
    guard known.count == Self.limit else { return known.append((bytes, isText, value)) }
    known[oldest] = (bytes, isText, value)
    oldest = (oldest + 1) % Self.limit
  }
}
