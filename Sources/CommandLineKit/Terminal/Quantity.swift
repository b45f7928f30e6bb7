/// Numbers as people read them.
package enum Quantity {
  /// A count with thousands separators, as in `12,345`.
  package static func count(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    return number < 0 ? "-\(result)" : result
  }

  /// A count with its noun, as in `1 row` or `1,200 rows`.
  package static func count(_ number: Int, _ singular: String, _ plural: String) -> String {
    "\(count(number)) \(number == 1 ? singular : plural)"
  }

  /// A size in decimal units, as in `512 bytes` or `1.2 MB`.
  package static func bytes(_ number: Int) -> String {
    let sign = number < 0 ? "-" : ""
    let magnitude = UInt64(number.magnitude)
    guard magnitude >= 1000 else { return "\(number) \(magnitude == 1 ? "byte" : "bytes")" }
    var unit: UInt64 = 1000
    var names = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    // The next unit from the point where rounding would show 1000.0 of this one; there are enough
    // names for 64 bits, and 10^18 fits.
    while names.count > 1, magnitude >= unit * 1000 - unit / 20 {
      unit *= 1000
      names = names.dropFirst()
    }
    let tenths = (magnitude + unit / 20) / (unit / 10)
    return "\(sign)\(tenths / 10).\(tenths % 10) \(names.first ?? "")"
  }

  /// A length of time in its one or two largest units, as in `350 ms`, `4.2 s` or `3 min 12 s`.
  package static func duration(nanoseconds: UInt64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    if milliseconds < 10_000 { return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s" }
    let seconds = milliseconds / 1000
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
  }
}
