import Bytes
import Records
import Tables

extension ObjectTemplate {
  /// The numbers of the roots of the entities that take the rows of tables, by the names that
  /// references have for these.
  func trees(of tables: [Table]) -> [ExactText: Int64] {
    let catalogue = Catalogue(tables: tables, nameOrigin: .schema)
    return catalogue.placesOfTargets.compactMapValues { storage(of: tables[$0])?.root }
  }

  /// Refuses columns whose keys would mean rows of another tree than the one that they are from.
  ///
  /// Of entities of one tree each knows the keys of all.
  func checkTargets(
    of source: Table, _ own: Table, _ storage: TableStorage, _ trees: [ExactText: Int64],
    _ fit: inout AppFit
  ) {
    for (column, found) in zip(source.columns, Self.places(of: source.columns, in: own.columns)) {
      guard let found, let link = storage.columns[found].link, let target = column.target,
        let root = trees[ExactText(target)], root != link.root
      else { continue }
      let property = own.columns[found]
      let other = property.target ?? name(ofEntity: link.root)
      fit.refuse(
        source, column, leadingTo: target, as: "\(source.name).\(property.name)", to: other)
    }
  }

  /// Refuses numbers that would be taken for keys of rows which have none in the data: such rows are
  /// numbered as they come, and the numbers are mostly their ids.
  func checkNumbers(of tables: [Table], numbered: Set<ExactText>, _ fit: inout AppFit) {
    // Where a table of the tree has keys, the numbers may be those.
    let keyed = Set(trees(of: tables.filter { !numbered.contains(ExactText($0.name)) }).values)
    let trees = trees(of: tables.filter { numbered.contains(ExactText($0.name)) })
      .filter { !keyed.contains($0.value) }
    guard !trees.isEmpty else { return }
    for source in tables {
      guard let place = place(of: source) else { continue }
      let own = catalogue.tables[place].columns
      for (column, found) in zip(source.columns, Self.places(of: source.columns, in: own)) {
        guard column.type == .integer, let found,
          let link = storage.tables[place].columns[found].link,
          let target = trees.filter({ $0.value == link.root }).keys.min()
        else { continue }
        fit.refuse(
          source, column,
          "\(source.name).\(column.name) has numbers, and the rows of \(target.wrappedValue), to which "
            + "\(own[found].name) of the template leads, have no keys in the data",
          hint: Self.hintOfReferences)
      }
    }
  }

  /// What to do about values that may be ids.
  static let hintOfReferences =
    "say with --reference which rows the values name: T.C=TABLE by their ids, T.C=TABLE._pk by their "
    + "numbers"

  private func name(ofEntity number: Int64) -> String {
    storage.entities.first { $0.value == number }?.key ?? "another entity"
  }
}
