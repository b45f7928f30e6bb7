/// A join table read by its pattern alone: `Z_<n>NAME` with a key column for each side.
struct FallbackJoin {
  /// The number of the entity whose keys are in a column, and the name that leads back to it.
  package struct Side {
    /// The number of the entity.
    package let number: Int64
    /// The upper-case name of the relationship that leads from this entity to the other.
    package let relationship: String
    /// The column with this entity's keys.
    package let key: ActualColumn
    /// The column with this entity's position within the other.
    package let position: ActualColumn?
  }

  /// The side whose relationship the table is named after.
  let naming: Side
  /// The other side; nil when the relationship is its own inverse.
  let other: Side?
  /// For its own inverse, the second key column.
  let reflexive: ActualColumn?
  /// Columns that the pattern does not explain.
  let extra: [ActualColumn]

  /// Reads a table; nil when it does not have the pattern.
  init?(_ table: ActualTable) {
    guard let (number, name) = Self.numbered(table.name, after: "Z_") else { return nil }
    let keys = table.columns.filter { Self.numbered($0.name, after: "Z_") != nil }
    let reflexive = table.columns.first { $0.name == StoredName.reflexiveColumn }
    let positions = table.columns.filter { $0.name.hasPrefix("Z_FOK_") }
    if reflexive != nil, keys.count == 1, let key = keys.first {
      naming = Side(
        number: number, relationship: name, key: key, position: positions.first)
      other = nil
    } else {
      guard keys.count == 2, let pair = Self.sides(number, name, keys, positions) else {
        return nil
      }
      naming = pair.naming
      other = pair.other
    }
    self.reflexive = other == nil ? reflexive : nil
    let used = [
      naming.key, naming.position, other?.key, other?.position, self.reflexive,
    ]
    extra = table.columns.filter { !used.contains($0) }
  }

  /// The column that the table's relationship leads to belongs to the other side.
  private static func sides(
    _ number: Int64, _ name: String, _ keys: [ActualColumn], _ positions: [ActualColumn]
  ) -> (naming: Side, other: Side)? {
    let tests: [(String) -> Bool] = [
      { $0 == name }, { StoredName.isSuffixed($0, of: name) },
    ]
    for test in tests {
      for (target, owner) in [(keys.last, keys.first), (keys.first, keys.last)] {
        guard let target, let owner,
          let leading = numbered(target.name, after: "Z_"), test(leading.rest),
          let back = numbered(owner.name, after: "Z_"), back.number == number
        else { continue }
        let naming = Side(
          number: number, relationship: name, key: owner,
          position: position(of: owner, among: positions))
        let other = Side(
          number: leading.number, relationship: back.rest, key: target,
          position: position(of: target, among: positions))
        return (naming, other)
      }
    }
    return nil
  }

  private static func position(
    of key: ActualColumn, among positions: [ActualColumn]
  ) -> ActualColumn? {
    let wanted = "Z_FOK_" + key.name.dropFirst(2)
    let stem = StoredName.withoutTrailingDigits(wanted)
    return positions.first { $0.name == wanted }
      ?? positions.first { StoredName.withoutTrailingDigits($0.name) == stem }
  }

  private static func numbered(
    _ name: String, after prefix: String
  ) -> (number: Int64, rest: String)? {
    guard name.hasPrefix(prefix),
      let (number, rest) = StoredName.leadingNumber(name.dropFirst(prefix.count)), !rest.isEmpty
    else { return nil }
    return (number, rest)
  }
}
