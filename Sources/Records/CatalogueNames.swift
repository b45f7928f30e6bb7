import Bytes

/// Keeps the app's names clear of the names that the canonical store needs for itself.
///
/// SQLite compares table and column names without regard to ASCII case, so twins that differ only
/// in case get a number, too; two spellings of one letter are two names to it. A zero would end the name for the engine, and becomes `_`.
package struct CatalogueNames: Sendable {
  private var taken: Set<[UInt8]> = []
  /// The next number to try for a name that has twins, so that many twins take no longer each.
  private var nextNumbers: [[UInt8]: Int] = [:]

  /// No name is taken yet.
  package init() {}

  /// A table name that is free: `rehome_x` becomes `app_rehome_x`, a twin gets a number.
  package mutating func claimTable(_ name: String) -> String {
    let name = Self.withoutZeros(name)
    let folded = Self.folded(name)
    let isReserved = folded.starts(with: "rehome_".utf8) || folded.starts(with: "sqlite_".utf8)
    return claim(isReserved ? "app_" + name : name.isEmpty ? "_" : name)
  }

  /// A column name that is free: `_pk` becomes `_pk_`, a twin gets a number.
  package mutating func claimColumn(_ name: String) -> String {
    let name = Self.withoutZeros(name)
    return claim(
      Self.folded(name).elementsEqual("_pk".utf8) ? name + "_" : name.isEmpty ? "_" : name)
  }

  private mutating func claim(_ name: String) -> String {
    var candidate = name
    while !taken.insert(Self.folded(candidate)).inserted {
      let number = nextNumbers[Self.folded(name), default: 2]
      candidate = "\(name)_\(number)"
      nextNumbers[Self.folded(name)] = number + 1
    }
    return candidate
  }

  private static func withoutZeros(_ name: String) -> String {
    guard name.utf8.contains(0) else { return name }
    return String(decoding: name.utf8.map { $0 == 0 ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
  }

  /// The name as SQLite compares it: ASCII letters in lower case, all others as they are.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }
}

extension CatalogueNames {
  /// The name without the number that it got as a twin of another, if that is all it got.
  ///
  /// Twins are few, so that a longer number is of a person's choosing, as the year in `sales_2024`.
  fileprivate static func withoutNumber(_ name: String, source: String) -> String {
    guard let number = name.removing(prefix: source + "_")?.utf8, number.count == 1,
      let digit = number.first, (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(digit)
    else { return name }
    return source
  }
}

extension Column {
  /// The name by which the source tells it from a twin whose name differs only in letter case.
  package var ownName: String {
    // A reference is known to its companion by its whole name.
    guard role == .value || role == .id, type != .reference else { return name }
    return CatalogueNames.withoutNumber(name, source: sourceName)
  }
}

extension Table {
  /// The name by which the source tells it from a twin whose name differs only in letter case.
  package var ownName: String { CatalogueNames.withoutNumber(name, source: sourceName) }

  /// Whether its name had to give way to another one, of this tool or of a twin.
  package var gaveWay: Bool {
    !hasSameBytes(name, sourceName)
      && (hasSameBytes(ownName, sourceName) || hasSameBytes(name, "app_" + sourceName))
  }
}
