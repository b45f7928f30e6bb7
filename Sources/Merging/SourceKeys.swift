import Bytes
import Records

/// The keys of the rows of one source, and those under which the united store has them.
struct SourceKeys: Sendable {
  struct TableKeys: Sendable {
    let runs: KeyRuns
    /// The rows that give way to others.
    let losers: LostRows

    /// The row that is kept in the place of another; nil where that one is.
    func winner(of key: Int64) -> (key: Int64, source: Int)? { losers.winner(of: key) }

    /// The new key of a row, or of the one that is kept in its place.
    func new(_ key: Int64) -> Int64 { winner(of: key)?.key ?? runs.newOrFree(key) }
  }

  /// The tables in the order of the source.
  let tables: [TableKeys]
  private let places: [ExactText: Int]

  init(_ tables: [TableKeys], of catalogue: Catalogue) {
    self.tables = tables
    places = catalogue.placesOfTargets
  }

  func place(ofTable name: String?) -> Int? { name.flatMap { places[ExactText($0)] } }

  /// The new key of a row, or of the one that is kept in its place.
  ///
  /// Of a row that there is not, a number that no row has.
  func new(_ key: Int64, inTable name: String?) -> Int64 {
    guard let place = place(ofTable: name) else { return KeyRuns.free(key) }
    return tables[place].new(key)
  }
}
