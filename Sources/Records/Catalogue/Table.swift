package import Bytes

/// One table of the catalogue: a concrete entity, a plain table, or the pairs of a relationship.
package struct Table: Sendable, Equatable {
  /// The name in the canonical store and in exports.
  @ExactText package var name: String
  /// The name as the app spelled it.
  @ExactText package var sourceName: String
  /// The physical table of the source.
  @ExactText package var sourceTable: String
  /// The columns after `_pk`, in the source's order.
  package var columns: [Column]
  /// The key from which those of a further source begin, in a store of several; nil in others.
  package var nextKey: Int64?

  /// A table; source names default to the name.
  package init(
    name: String, sourceName: String? = nil, sourceTable: String? = nil, columns: [Column]
  ) {
    self.name = name
    self.sourceName = sourceName ?? name
    self.sourceTable = sourceTable ?? name
    self.columns = columns
  }

  /// The place of the column with this role, if there is one.
  package func index(of role: ColumnRole) -> Int? {
    columns.firstIndex { $0.role == role }
  }

  /// The places of the columns in which other generations of an SDK keep what has a role, which count
  /// where its own column is empty; `prefixes` are what they all put before its name.
  package func fallbacks(of role: ColumnRole, prefixes: [String]) -> [Int] {
    guard let own = index(of: role) else { return [] }
    let names = prefixes.map { ExactText(folding: $0 + role.rawValue) }
    return columns.indices.filter { place in
      columns[place].role == .value && columns[place].type == columns[own].type
        && names.contains(ExactText(folding: columns[place].sourceName))
    }
  }

  /// The place of the column that tells for each row to which table the reference at a place points;
  /// nil where all point to one.
  ///
  /// They belong together by their names in the source: the one here may be of a person's choosing,
  /// or have got a number because the app has a column of that name.
  package func entityPlace(ofReferenceAt place: Int) -> Int? {
    let reference = columns[place]
    guard reference.target == nil else { return nil }
    let places = columns.indices.filter { columns[$0].role == .referenceEntity }
    let own = places.filter {
      hasSameBytes(columns[$0].sourceName, reference.sourceName + Column.entityEnding)
    }
    if own.count == 1 { return own[0] }
    return places.first { hasSameBytes(columns[$0].name, reference.name + Column.entityEnding) }
      ?? own.first { $0 > place } ?? own.first
  }
}
