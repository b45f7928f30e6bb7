/// A column that has no final name yet.
struct ColumnDraft {
  /// The name it wants.
  let base: String
  /// What it is declared with.
  let type: DeclaredType?
  /// What it is for.
  let role: PredictedRole
  /// The entity whose rows use it.
  let holder: Int
  /// The property it serves.
  let property: PropertyName
}

/// Collects the columns of a table, then settles who gets which name.
struct TableDraft {
  private var groups: [ColumnGroup: [ColumnDraft]] = [:]

  /// Adds a column behind those that its group has already.
  mutating func add(_ column: ColumnDraft, to group: ColumnGroup) {
    groups[group, default: []].append(column)
  }

  /// The finished table: the first user of a name keeps it, later ones get digits.
  func table(name: String, root: Int) -> PredictedTable {
    let drafts = groups.keys.sorted().flatMap { groups[$0] ?? [] }
    let ambiguous = Self.ambiguousBases(among: drafts)
    var used: Set<String> = []
    var nextSuffix: [String: Int] = [:]
    var columns: [PredictedColumn] = []
    var differences: [SchemaDifference] = []
    var holders: [Int: [Int]] = [:]
    for draft in drafts {
      let final = Self.freeName(draft.base, used: &used, next: &nextSuffix)
      if ambiguous.contains(draft.base) {
        differences.append(.ambiguousColumn(draft.property, table: name, column: final))
      }
      holders[draft.holder, default: []].append(columns.count)
      columns.append(
        PredictedColumn(
          name: final, base: draft.base, type: draft.type, role: draft.role,
          holder: draft.holder, property: draft.property))
    }
    return PredictedTable(
      name: name, root: root, columns: columns, differences: differences,
      columnsByHolder: holders)
  }

  /// Names that several columns want while another column's own name looks like their suffixed form.
  ///
  /// Which of them gets which digit is not known from any store.
  private static func ambiguousBases(among drafts: [ColumnDraft]) -> Set<String> {
    let users = Dictionary(drafts.map { ($0.base, 1) }, uniquingKeysWith: +)
    var ambiguous: Set<String> = []
    for base in users.keys {
      var shorter = base[...]
      while let last = shorter.last, last.isASCII, last.isNumber {
        shorter = shorter.dropLast()
        guard users[String(shorter), default: 0] > 1 else { continue }
        ambiguous.formUnion([base, String(shorter)])
      }
    }
    return ambiguous
  }

  private static func freeName(
    _ base: String, used: inout Set<String>, next: inout [String: Int]
  ) -> String {
    var name = base
    while !used.insert(name).inserted {
      let suffix = next[base, default: 1]
      name = base + String(suffix)
      next[base] = suffix + 1
    }
    return name
  }
}
