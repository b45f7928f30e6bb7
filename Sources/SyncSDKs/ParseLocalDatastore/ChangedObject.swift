import Formats

/// An object with the places of its sets by their names, and their texts.
struct ChangedObject {
  let object: ParseObject
  private var places: [String: Int] = [:]
  private let ranges: [Range<Int>]

  init(_ object: ParseObject) {
    self.object = object
    ranges = object.rangesOfSets
    for (place, set) in object.sets.enumerated() {
      guard case .object(let changes) = set, case .string(let name)? = changes["__uuid"],
        places[name] == nil
      else { continue }
      places[name] = place
    }
  }

  func place(ofSet name: String?) -> Int? { name.flatMap { places[$0] } }

  /// The text of a set as stored; nil where it cannot be found.
  func text(ofSet place: Int) -> [UInt8]? {
    place < ranges.count ? Array(object.bytes[ranges[place]]) : nil
  }
}

/// The objects that commands were about lately: one may have thousands of sets, each with a command
/// of its own.
struct RecentObjects {
  private var objects: [ChangedObject] = []

  private static let most = 16

  subscript(key: Int64) -> ChangedObject? { objects.first { $0.object.key == key } }

  mutating func keep(_ object: ChangedObject) {
    if objects.count == Self.most { objects.removeFirst() }
    objects.append(object)
  }
}
