import Formats

/// The names of a plain file's columns in their order, and the way back from a name to its place.
struct PlainColumnNames {
  private(set) var names: [String] = []
  /// The names as bytes, and as members of JSON.
  private(set) var keys: [[UInt8]] = []
  private(set) var spelledKeys = SpelledKeys()
  private var places: [[UInt8]: Int] = [:]

  /// SQLite takes two thousand columns, and one is the key.
  static let limit = 1999

  /// The place of a name, which most often is `following`; nil where it is not there.
  func place(of name: [UInt8], _ following: Int) -> Int? {
    if following < keys.count, keys[following] == name { return following }
    return places[name]
  }

  /// Adds a name; false where it is there already, or there is no room.
  mutating func add(_ name: [UInt8]) -> Bool {
    guard places[name] == nil, names.count < Self.limit else { return false }
    places[name] = names.count
    keys.append(name)
    spelledKeys.append(name)
    names.append(String(decoding: name, as: UTF8.self))
    return true
  }
}
