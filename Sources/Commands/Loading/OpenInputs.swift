import Records

/// Sources that are open and have tables of their own.
struct OpenInputs {
  let readers: [any StoreReader]

  init(_ readers: [any StoreReader]) {
    self.readers = readers
  }

  /// The only store of a shelf.
  init(_ turn: StoreInTurn, _ session: Session) throws(StoreError) {
    session.heldStores.hold(turn)
    readers = [try turn.openKeepingNames(session)]
  }

  /// One source may already tell of several stores.
  var isMerging: Bool { readers.count == 1 && readers.contains { $0.source.isOfSeveral } }

  /// The chosen tables of each source; all of them without a selection.
  func selections(_ selection: TableSelection?) throws(StoreError) -> [Set<Int>] {
    let all = Catalogue(tables: readers.flatMap(\.catalogue.tables), nameOrigin: .schema)
    let chosen = Set(try selection?.indices(in: all) ?? Array(all.tables.indices))
    var first = 0
    return readers.map { reader in
      defer { first += reader.catalogue.tables.count }
      return Set(reader.catalogue.tables.indices.filter { chosen.contains(first + $0) })
    }
  }
}
