import Formats
package import XMLFormat

extension XMLPropertyList {
  /// Reads a small property list, be it binary or XML.
  ///
  /// - Throws: `ModelFileError` when it is neither, or too large.
  init(small bytes: [UInt8]) throws(ModelFileError) {
    guard bytes.starts(with: Self.binaryMark) else {
      do { try self.init(parsing: bytes) } catch { throw ModelFileError(error) }
      return
    }
    let list: PropertyList
    do {
      list = try PropertyList(parsing: bytes)
    } catch {
      throw ModelFileError(.unreadable, error.description)
    }
    var budget = Self.maxValues
    guard let copy = Self.copy(of: list.root, in: list, depth: 0, &budget) else {
      throw ModelFileError(.unreadable, "the property list is nested too deeply or too large")
    }
    self = copy
  }

  /// A small property list, be it binary or XML; nil where the bytes are none.
  package static func small(_ bytes: [UInt8]) -> XMLPropertyList? {
    // Whoever asks has nothing to say about why.
    try? XMLPropertyList(small: bytes)
  }

  static let binaryMark = Array("bplist".utf8)
  private static let maxValues = 1_000_000
  private static let maxDepth = 32

  /// Copies a value with everything in it; nil when it contains too much, perhaps itself.
  ///
  /// What XML has no spelling for becomes an empty string: nothing here asks for such values.
  private static func copy(
    of id: PropertyList.ObjectID, in list: PropertyList, depth: Int, _ budget: inout Int
  ) -> XMLPropertyList? {
    guard budget > 0, depth < maxDepth else { return nil }
    budget -= 1
    switch list[id] {
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .unsigned(let value): return .unsigned(value)
    case .real(let value): return .real(value)
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .data(bytes)
    case .string(let text): return .string(text)
    case .null, .uid: return .string("")
    case .array(let elements), .set(let elements):
      var copies: [XMLPropertyList] = []
      for element in elements {
        guard let copy = copy(of: element, in: list, depth: depth + 1, &budget) else { return nil }
        copies.append(copy)
      }
      return .array(copies)
    case .dictionary(let entries):
      var copies: [Entry] = []
      for (key, value) in entries {
        guard let key = list.string(key),
          let copy = copy(of: value, in: list, depth: depth + 1, &budget)
        else { return nil }
        copies.append(Entry(key: key, value: copy))
      }
      return .dictionary(copies)
    }
  }
}

extension XMLPropertyList {
  /// The 32-byte hash of each entity, in a dictionary of them; nil where it is something else.
  var entityHashes: [String: [UInt8]]? {
    guard let entries else { return nil }
    var hashes: [String: [UInt8]] = [:]
    for entry in entries { hashes[entry.key] = entry.value.data }
    return hashes
  }
}
