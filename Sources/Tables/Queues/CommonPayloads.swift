import Bytes

/// What was made of the payloads that came most lately and are short: the SDK for iOS writes the
/// same ones over and over.
package struct CommonPayloads<Value> {
  private var payloads: [[UInt8]] = []
  private var values: [Value] = []
  private var oldest = 0

  /// Remembers nothing yet.
  package init() {}

  private static var limit: Int { 8 }
  private static var longest: Int { 64 }

  /// What `decode` makes of a payload, perhaps from a time before.
  package mutating func value(
    _ payload: Span<UInt8>, decode: (Span<UInt8>) -> Value
  ) -> Value {
    guard payload.count <= Self.longest else { return decode(payload) }
    for place in payloads.indices {
      let bytes = payloads[place]
      if payload.isEqual(to: bytes.span) { return values[place] }
    }
    let value = decode(payload)
    keep(payload, value)
    return value
  }

  private mutating func keep(_ payload: Span<UInt8>, _ value: Value) {
    let bytes = [UInt8](copying: payload)
    guard payloads.count == Self.limit else {
      payloads.append(bytes)
      return values.append(value)
    }
    payloads[oldest] = bytes
    values[oldest] = value
    oldest = (oldest + 1) % Self.limit
  }
}
