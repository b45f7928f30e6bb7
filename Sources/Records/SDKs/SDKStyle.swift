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
  /// What names of properties begin with that are the server's own or the device's, and never sent.
  var reservedPrefixes: [String] = []
  /// Whether rows are sent also where a payload was kept, which has other members than they have; what
  /// both have is sent as the payload says it.
  package var sendsRows = false
  /// Whether the version of an item is sent as a member of it, too, where it has one.
  package var sendsVersions = false
  /// Whether the times at which an item was made and last changed are the app's own, which sends them
  /// as it does its other values.
  package var ownsTimes = false

  /// The style of most.
  package init(
    omitsNulls: Bool = false, fraction: Fraction = .three, marksWholeReals: Bool = false,
    reservedPrefixes: [String] = [], sendsRows: Bool = false, sendsVersions: Bool = false,
    ownsTimes: Bool = false
  ) {
    self.omitsNulls = omitsNulls
    self.fraction = fraction
    self.marksWholeReals = marksWholeReals
    self.reservedPrefixes = reservedPrefixes
    self.sendsRows = sendsRows
    self.sendsVersions = sendsVersions
    self.ownsTimes = ownsTimes
  }

  /// Whether a column is part of what is sent.
  package func sends(_ column: Column) -> Bool {
    let isTime = column.role == .createdAt || column.role == .updatedAt
    guard column.role == .value || column.role == .id || ownsTimes && isTime else { return false }
    // What an archive says was added for people by us; the SDK knows only the archive.
    if column.type == .json, column.name == column.sourceName + "_decoded" { return false }
    return !reserves(column)
  }

  /// Whether there are names of which the SDK never sends anything.
  package var reservesNames: Bool { !reservedPrefixes.isEmpty }

  /// Whether a column has a name of which the SDK never sends anything, so that what it holds is no
  /// part of the item as others know it.
  package func reserves(_ column: Column) -> Bool {
    reservedPrefixes.contains { prefix in
      column.sourceName.hasPrefix(prefix)
        // What was taken from a column has lost its letter case.
        || column.sourceName.hasPrefix(prefix.uppercased()) && column.hasNameOfColumn
    }
  }

  /// Where a time in canonical spelling ends, but for its Z, as the SDK sends it; nil for text that
  /// is no time with a part of a second.
  package func end(ofTime text: Span<UInt8>) -> Int? {
    var end = text.count - 1
    guard end > 19, text[end] == UInt8(ascii: "Z"), text[19] == UInt8(ascii: "."),
      (20..<end).allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[$0] })
    else { return nil }
    switch fraction {
    case .three: end = min(end, 23)
    case .asNeeded:
      while end > 20, text[end - 1] == UInt8(ascii: "0") { end -= 1 }
      if end == 20 { end = 19 }
    }
    return end
  }
}
