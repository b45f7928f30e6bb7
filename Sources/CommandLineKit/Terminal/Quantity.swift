/// Sizes as people read them.
package enum Quantity {
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
}
