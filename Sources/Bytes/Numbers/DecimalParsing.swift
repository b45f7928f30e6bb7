/// Reads a whole number: an optional minus sign and decimal digits, nothing else.
///
/// Leading zeros are allowed; a number that does not fit gives `nil`.
package func parseDecimal(_ text: Span<UInt8>) -> Int64? {
  let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
  let start = isNegative ? 1 : 0
  guard start < text.count else { return nil }
  var value: Int64 = 0
  for place in start..<text.count {
    let digit = text[place] &- 48
    guard digit < 10 else { return nil }
    let (scaled, tooLarge) = value.multipliedReportingOverflow(by: 10)
    // Counting downwards for negative numbers reaches the smallest one too.
    let signed = isNegative ? -Int64(digit) : Int64(digit)
    let (sum, overflows) = scaled.addingReportingOverflow(signed)
    if tooLarge || overflows { return nil }
    value = sum
  }
  return value
}
