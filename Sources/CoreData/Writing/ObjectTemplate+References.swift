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
    guard !numbered.isEmpty else { return }
    let targets = tables.compactMap { table in
      storage(of: table).map { (name: ExactText(table.name), storage: $0) }
    }
    for source in tables {
      guard let place = place(of: source) else { continue }
      let own = catalogue.tables[place]
      let places = Self.places(of: source.columns, in: own.columns)
      for (column, found) in zip(source.columns, places) {
        guard column.type == .integer, let found,
          let link = storage.tables[place].columns[found].link
        else { continue }
        let names = targets.filter { link.mayLead(to: $0.storage) }.map(\.name)
        guard let target = names.filter(numbered.contains).min() else { continue }
        let entityPlace = own.entityPlace(ofReferenceAt: found)
        // Where the data tell the table of each, the numbers may be keys of those that have some.
        if entityPlace.map(places.contains) == true, !numbered.isSuperset(of: names) { continue }
        fit.refuse(
          source, column,
          "\(source.name).\(column.name) has numbers, and the rows of \(target.wrappedValue), to which "
            + "\(own.columns[found].name) of the template leads, have no keys in the data",
          hint: Self.hintOfReferences)
      }
    }
  }

  /// The entities of the rows to which references lead whose table is known, by the names of the
  /// columns in the app's store that tell them.
  func knownEntities(
    of source: Table, _ own: Table, _ places: [Int?]
  ) -> [String: Int64] {
    var known: [String: Int64] = [:]
    for (column, found) in zip(source.columns, places) {
      guard let found, let target = column.target, let table = table(named: target),
        let place = own.entityPlace(ofReferenceAt: found)
      else { continue }
      known[own.columns[place].sourceColumn] = storage.tables[table].entity
    }
    return known
  }

  /// What to do about values that may be ids.
  static let hintOfReferences =
    "say with --reference which rows the values name: T.C=TABLE by their ids, T.C=TABLE._pk by their "
    + "numbers"

  private func name(ofEntity number: Int64) -> String {
    storage.entities.first { $0.value == number }?.key ?? "another entity"
  }
}

extension ColumnStorage.Link {
  /// Whether rows that are kept like this may be those that it names.
  fileprivate func mayLead(to rows: TableStorage) -> Bool {
    rows.root == root && (entity == nil || rows.entity == entity)
  }
}
