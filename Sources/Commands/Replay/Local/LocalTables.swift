import Bytes
import Records
import Replay
import SyncSDKs

/// The tables of a store as requests name them.
struct LocalTables {
  /// A table of the queue whose name had to give way there, and what the app calls it.
  struct Renamed {
    var name: String
    var appName: String
  }

  private(set) var catalogue: Catalogue
  /// Whether the service speaks as version 3 does, where that is another language.
  let isVersion3: Bool
  /// Whether names that differ only in letter case are two tables, or two fields of an item.
  var hasExactNames = false
  var renamed: [Renamed] = []
  /// Where the tables of earlier requests are; their names and places never change.
  private var knownPlaces: [ExactText: Int] = [:]
  /// Where the tables are by their names, by those of the source that they have no longer, and by those
  /// that the app has for them.
  private let places: [ExactText: Int]
  private let placesOfSource: [ExactText: Int]
  private let placesOfApp: [ExactText: Int]
  /// The same in any letter case: the app's names, those here and those of the source.
  private let alike: [[ExactText: [Int]]]

  init(_ catalogue: Catalogue, isVersion3: Bool) {
    self.catalogue = catalogue
    self.isVersion3 = isVersion3
    let (tables, appNames) = (catalogue.tables, catalogue.appNames)
    places = catalogue.places
    placesOfSource = Dictionary(
      keepingFirst: tables.enumerated().lazy.filter { !hasSameBytes($1.name, $1.sourceName) }
        .map { (ExactText($1.sourceName), $0) })
    placesOfApp = Dictionary(
      keepingFirst: appNames.enumerated().map { (ExactText($1), $0) })
    alike = [appNames, tables.map(\.name), tables.map(\.sourceName)].map { names in
      Dictionary(grouping: names.indices) { ExactText(folding: names[$0]) }
    }
  }

  /// The tables of a target for a queue, whose own names for them count as well.
  init(_ catalogue: Catalogue, for queue: borrowing ReplayQueue, _ dialect: Dialect) {
    self.init(catalogue, isVersion3: dialect == .v3 || dialect == .toolkit)
    hasExactNames = queue.sdks.tellNameTwinsApart
    renamed = zip(queue.catalogue.tables, queue.catalogue.appNames)
      .filter { !hasSameBytes($0.name, $1) }.map { Renamed(name: $0.name, appName: $1) }
  }

  /// The table and the item that a path names.
  static func parts(ofPath path: String) -> [String] {
    var parts = path.split(separator: "/").map { percentDecoded($0) }
    if parts.first?.lowercased() == "tables", parts.count > 1 { parts.removeFirst() }
    return parts
  }

  /// Takes a table with more columns for one of these.
  mutating func replace(_ table: Table, by grown: Table) {
    if let place = places[ExactText(table.name)] { catalogue.tables[place] = grown }
  }

  /// The table that a request names; nil where there is none.
  mutating func table(named name: String) -> Table? {
    let key = ExactText(name)
    guard let place = knownPlaces[key] ?? place(ofTable: name) else { return nil }
    knownPlaces[key] = place
    return catalogue.tables[place]
  }

  /// The table that the app calls so, else the one of the name that the queue has for that.
  ///
  /// Routes of version 3 are named after a type, where the app names its table after many of them.
  private func place(ofTable name: String) -> Int? {
    let found =
      renamed.first { hasSameBytes($0.appName, name) }
      ?? renamed.first { hasSameBytes($0.name, name) }
    let appName = found?.appName ?? name
    let exact = place(calledExactly: appName) ?? found.flatMap { place(calledExactly: $0.name) }
    guard exact == nil, !hasExactNames else { return exact }
    if let place = place(calledLike: ExactText(folding: appName)) { return place }
    guard isVersion3 else { return nil }
    let word = appName.lowercased()
    return catalogue.tables.firstIndex { isPlural($0.name.lowercased(), of: word) }
  }

  /// The table of a name; a twin, and what it gave way to, are known by those of the source.
  private func place(calledExactly name: String) -> Int? {
    let name = ExactText(name)
    guard let ofSource = placesOfSource[name] else { return places[name] }
    return placesOfApp[name] ?? ofSource
  }

  /// The only table that the app calls so in any letter case, else the only one that has the name
  /// here, else in its source.
  private func place(calledLike name: ExactText) -> Int? {
    let found = alike.lazy.compactMap { $0[name] }.first
    return found?.count == 1 ? found?[0] : nil
  }

  private func isPlural(_ name: String, of word: String) -> Bool {
    name == word + "s" || name == word + "es"
      || (word.hasSuffix("y") && name == word.dropLast() + "ies")
  }
}
