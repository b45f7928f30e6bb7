import Bytes
import CommandLineKit
import Exports
import Records

/// A table of one of the readers of a seed, or a column of it.
struct SeedPlace: Hashable {
  let reader: Int
  let table: Int
  /// The column that tells rows apart, or that names rows; nil for the key.
  var column: Int?
}

/// The tables of all readers of a seed, by each name that they have.
struct SeedPlaces {
  private let readers: [any StoreReader]
  /// The tables, in the order in which they are told.
  private var tables: [(place: SeedPlace, names: Set<ExactText>)] = []
  private var named: [ExactText: [Int]] = [:]

  init(_ readers: [any StoreReader]) {
    self.readers = readers
    for (number, reader) in readers.enumerated() {
      for (table, plan) in reader.catalogue.tables.enumerated() {
        let others = reader.plainFiles?.names(ofTable: table) ?? []
        let names = Set(([plan.name] + others).map { ExactText($0) })
        for name in names { named[name, default: []].append(tables.count) }
        tables.append((SeedPlace(reader: number, table: table), names))
      }
    }
  }

  /// The plan of the table at a place.
  func table(of place: SeedPlace) -> Table {
    readers[place.reader].catalogue.tables[place.table]
  }

  /// The table, and the column that tells its rows apart, of `TABLE` or `TABLE.COLUMN`.
  func target(_ text: String, _ option: String) throws(StoreError) -> SeedPlace {
    guard var place = named[ExactText(text)]?.first.map({ tables[$0].place }) else {
      return try column(text, option, takesKey: true)
    }
    if try isEmpty(place) { return place }
    let table = table(of: place)
    guard
      let id = table.index(of: .id)
        ?? table.columns.firstIndex(where: { $0.name.lowercased() == "id" })
    else {
      throw Self.usage(
        option,
        "\(text) has no column id; say which tells its rows apart: \(text).COLUMN, or "
          + "\(text)._pk for the key", hint: known.hint(for: "\(text).id"))
    }
    place.column = id
    return place
  }

  /// The place of `TABLE.COLUMN`; in a table without rows and columns any column will do.
  func column(
    _ text: String, _ option: String, takesKey: Bool = false
  ) throws(StoreError) -> SeedPlace {
    let tables = tables(before: text)
    for (place, own) in tables {
      let isKey = takesKey && own == "_pk"
      // A column of a file may be called so; in a store of ours that is the key, whatever the app had.
      if isKey, readers[place.reader].kept != nil { return place }
      if let column = column(own, in: place) {
        return SeedPlace(reader: place.reader, table: place.table, column: column)
      }
      if isKey { return place }
    }
    for (place, _) in tables {
      // A page without rows has no values that name others; its table may have rows to be named.
      let plain = takesKey ? nil : readers[place.reader].plainFiles
      if plain?.hasNothing(at: text, inTable: place.table) == true { return place }
      if try isEmpty(place) { return place }
    }
    let isTable = takesKey && !text.contains(".")
    let names = known
    throw Self.usage(
      option, "there is no \(isTable ? "table" : "column") \(text)",
      hint: isTable ? names.namesOfTables : names.hint(for: text))
  }

  /// The tables that a text begins with, each with what follows behind its dot.
  ///
  /// They come in their order, and of two names of one table the longer one first.
  private func tables(before text: String) -> [(place: SeedPlace, own: String)] {
    let found = text.cuts(at: ".").flatMap { head, rest in
      (named[head] ?? []).map { (number: $0, length: head.wrappedValue.utf8.count, own: rest) }
    }
    return found.sorted { ($0.number, $1.length) < ($1.number, $0.length) }
      .map { (tables[$0.number].place, $0.own.wrappedValue) }
  }

  private func column(_ name: String, in place: SeedPlace) -> Int? {
    let columns = table(of: place).columns
    return columns.firstIndex { hasSameBytes($0.sourceName, name) }
      ?? columns.firstIndex { hasSameBytes($0.name, name) }
      ?? readers[place.reader].plainFiles?.column(inFiles: name, ofTable: place.table)
  }

  /// Whether a table has neither rows nor columns, as it comes from an answer without rows.
  private func isEmpty(_ place: SeedPlace) throws(StoreError) -> Bool {
    guard table(of: place).columns.isEmpty else { return false }
    return try readers[place.reader].countRows(inTable: place.table) == 0
  }

  private var known: KnownNames {
    KnownNames(
      tables.map { place, names in
        let table = table(of: place)
        let others = names.subtracting([ExactText(table.name)])
        return (
          [table.name] + others.sorted().map(\.wrappedValue), table.columns.map(\.name)
        )
      })
  }

  static func usage(
    _ option: String, _ reason: String, hint: String? = nil
  ) -> StoreError {
    StoreError(.usage, "--reference \(option): \(reason)", hint: hint)
  }
}
