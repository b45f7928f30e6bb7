import Bytes

/// The details of many operations, in a file but for the last of them.
struct KeptDetails {
  /// Where the details of an operation are, in four bytes.
  struct Place: Hashable {
    /// One more than the number of the step; 0 where there are no details.
    fileprivate var number: UInt32 = 0

    /// Stands for an operation without details.
    static let none = Place()
    var isNone: Bool { number == 0 }
  }

  private var spool = ByteSpool()

  /// With so many bytes a step, most versions take one, and four bytes lead through 64 GiB.
  private static let step = 16

  /// Keeps details; those that lie too far behind others are shown as missing, and none take a place
  /// only where they tell which operations belong together.
  mutating func add(_ details: ReplayDetails, areOfSeveral: Bool) -> Place {
    let packed = Self.packed(details.fields)
    guard packed[0] != 0 || areOfSeveral else { return .none }
    let start = spool.append(counted: packed.span, step: Self.step)
    return Place(number: UInt32(exactly: start / Self.step + 1) ?? 0)
  }

  /// A byte whose bits tell which fields are there, and these.
  private static func packed(_ fields: [[UInt8]?]) -> [UInt8] {
    var packed: [UInt8] = [0]
    for (number, field) in fields.enumerated() {
      guard let field else { continue }
      packed[0] |= 1 << number
      packed.append(counted: field.span)
    }
    return packed
  }

  /// The details at a place; none also where they cannot be read back.
  subscript(place: Place) -> ReplayDetails {
    guard !place.isNone else { return ReplayDetails() }
    return spool.withCounted(at: (Int(place.number) - 1) * Self.step) { packed in
      var start = 1
      return ReplayDetails(
        (0..<ReplayDetails.fieldCount).map { number in
          guard packed.count > 0, packed[0] & 1 << number != 0,
            let place = countedPiece(in: packed, at: start)
          else { return nil }
          start = place.upperBound
          var field: [UInt8] = []
          field.append(packed.extracting(place))
          return field
        })
    }
  }
}
