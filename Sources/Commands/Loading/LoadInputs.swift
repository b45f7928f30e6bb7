import Bytes
import Places
import Records

/// The sources of a new store, one after the other.
protocol LoadInputs {
  var inputFiles: [String] { get }
  /// Whether the sources share their tables.
  var isMerging: Bool { get }

  var leftOut: [Finding] { get }

  /// The chosen tables of each source; all of them without a selection.
  func selections(_ selection: TableSelection?) throws(StoreError) -> [Set<Int>]

  /// A source, which is asked for once and in its turn.
  func reader(at number: Int) throws(StoreError) -> any StoreReader
}

extension LoadInputs {
  /// Most sources are read or end the run.
  var leftOut: [Finding] { [] }
}

/// Sources that are open and have tables of their own.
struct OpenInputs: LoadInputs {
  let readers: [any StoreReader]

  private var places: [String] = []

  init(_ readers: [any StoreReader]) {
    self.readers = readers
  }

  /// The only store of a shelf.
  init(_ turn: StoreInTurn, _ shelf: Shelf, _ session: Session) throws(StoreError) {
    session.heldStores.hold(turn)
    readers = [try turn.openKeepingNames(session)]
    places = shelf.places.map(\.path)
  }

  var inputFiles: [String] { readers.flatMap(\.inputFiles) + places }
  /// One source may already tell of several stores.
  var isMerging: Bool { readers.count == 1 && readers.contains { $0.source.isOfSeveral } }

  func selections(_ selection: TableSelection?) throws(StoreError) -> [Set<Int>] {
    let all = Catalogue(tables: readers.flatMap(\.catalogue.tables), nameOrigin: .schema)
    let chosen = Set(try selection?.indices(in: all) ?? Array(all.tables.indices))
    var first = 0
    return readers.map { reader in
      defer { first += reader.catalogue.tables.count }
      return Set(reader.catalogue.tables.indices.filter { chosen.contains(first + $0) })
    }
  }

  func reader(at number: Int) throws(StoreError) -> any StoreReader {
    guard readers.indices.contains(number) else {
      throw StoreError(.internalError, "there is no source \(number)")
    }
    return readers[number]
  }
}
