/// What tells the requests of one SDK from those of another, apart from the protocol.
package struct SDKStyle: Sendable, Equatable {
  /// How many digits of a second a time has.
  package enum Fraction: Sendable {
    case three
    case asNeeded
  }

  /// Whether a field without a value is left out instead of being sent as null.
  package var omitsNulls = false
  /// How times are spelled.
  package var fraction = Fraction.three
  /// Whether a floating point number without a fraction is sent as `5.0` and not as `5`.
  package var marksWholeReals = false
  /// What names of the server's own properties begin with, so that they are never sent.
  var reservedPrefixes: [String] = []
  /// Whether rows are sent also where a payload was kept, which has other members than they have.
  package var sendsRows = false

  /// The style of most.
  package init(
    omitsNulls: Bool = false, fraction: Fraction = .three, marksWholeReals: Bool = false,
    reservedPrefixes: [String] = [], sendsRows: Bool = false
  ) {
    self.omitsNulls = omitsNulls
    self.fraction = fraction
    self.marksWholeReals = marksWholeReals
    self.reservedPrefixes = reservedPrefixes
    self.sendsRows = sendsRows
  }

  /// Whether a column of the app is part of what is sent.
  package func sends(_ column: Column) -> Bool {
    // What an archive says was added for people by us; the SDK knows only the archive.
    if column.type == .json, column.name == column.sourceName + "_decoded" { return false }
    return !reservedPrefixes.contains { column.sourceName.hasPrefix($0) }
  }

  /// A time in canonical spelling as the SDK sends it.
  package func time(_ text: [UInt8]) -> [UInt8] {
    guard text.count > 20, text.last == UInt8(ascii: "Z"), text[19] == UInt8(ascii: ".") else {
      return text
    }
    var time = Array(text.dropLast())
    switch fraction {
    case .three:
      time.removeLast(max(0, time.count - 23))
    case .asNeeded:
      while time.last == UInt8(ascii: "0"), time.count > 20 { time.removeLast() }
      if time.count == 20 { time.removeLast() }
    }
    return time + [UInt8(ascii: "Z")]
  }
}
