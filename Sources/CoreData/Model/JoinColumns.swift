/// The columns of a join table, found by exact name first, then with digits at the end.
struct JoinColumns {
  /// The column with the owner's key.
  let owner: ActualColumn?
  /// The column with the target's key.
  let target: ActualColumn?
  /// The column with the target's position within the owner.
  let position: ActualColumn?
  /// The column with the owner's position within the target.
  let reversePosition: ActualColumn?
  /// Columns that are none of these.
  let extra: [ActualColumn]

  /// Looks for the predicted columns in a table.
  init(_ predicted: PredictedJoinTable, in table: ActualTable) {
    let wanted = [
      predicted.ownerColumn, predicted.targetColumn, predicted.positionColumn,
      predicted.reversePositionColumn,
    ]
    var open = table.columns
    var found: [ActualColumn?] = [nil, nil, nil, nil]
    let tests: [(String, String) -> Bool] = [
      { $0 == $1 }, { StoredName.isSuffixed($0, of: $1) },
      { StoredName.folded($0) == StoredName.folded($1) },
    ]
    for test in tests {
      for (place, name) in wanted.enumerated() where found[place] == nil {
        guard let name, let index = open.firstIndex(where: { test($0.name, name) }) else {
          continue
        }
        found[place] = open.remove(at: index)
      }
    }
    (owner, target, position, reversePosition) = (found[0], found[1], found[2], found[3])
    extra = open
  }

  /// Whether the table can be read at all.
  var hasBothKeys: Bool { owner != nil && target != nil }
}
