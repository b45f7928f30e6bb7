import Bytes

/// Spells the 16 bytes of a UUID in upper case with hyphens; nil for another number of bytes.
func uuidText(_ bytes: [UInt8]) -> String? {
  guard bytes.count == 16 else { return nil }
  var text: [UInt8] = []
  text.appendUUID(bytes.span)
  return String(decoding: text, as: UTF8.self)
}

/// Spells a real number as JSON: infinities as text, no value for something that is no number.
func jsonReal(_ value: Double) -> JSONValue? {
  if value.isInfinite { return .string(value < 0 ? "-Infinity" : "Infinity") }
  return JSONNumber(value).map { .number($0) }
}

/// Spells a moment as ISO 8601 in UTC; nil outside the years 1 to 9999.
func timestampText(secondsSince2001 seconds: Double) -> String? {
  Timestamp(secondsSince2001: seconds)?.text
}
