import Bytes
import CommandLineKit
import Exports
import Records

/// The columns that name rows of other tables, as `--reference` tells them.
struct SeedReferences {
  private let options: [String]
  /// Whether what tells rows apart, but is not their id, stays what it is, because rows of the new
  /// store refer to each other by values.
  private let keepsValues: Bool

  init(_ session: Session) {
    options = Self.options(session)
    keepsValues = SeedTarget.kind(session.arguments) == .toolkit
  }

  private static func options(_ session: Session) -> [String] {
    session.arguments.values("reference").map(\.text)
  }

  /// The places that the options mention: columns, and what they name.
  static func places(_ session: Session) -> [String] {
    options(session).flatMap { option in
      option.lastIndex(of: "=").map {
        [String(option[..<$0]), String(option[option.index(after: $0)...])]
      } ?? []
    }
  }

  /// A table of one of the readers.
  private struct Place: Hashable {
    let reader: Int
    let table: Int
    /// The column that tells rows apart; nil for the key.
    var column: Int?
  }

  /// A column, and what it names.
  private struct Tie {
    let source: Place
    let target: Place
  }

  func resolve(
    _ readers: [any StoreReader], _ session: Session
  ) throws(StoreError) -> [any StoreReader] {
    guard !options.isEmpty else { return readers }
    let keys = try ReferencedKeys(
      temporaryFolder: session.temporaryFolder, session.interruption)
    var ties: [Tie] = []
    for option in options {
      if let tie = try Self.tie(option, readers, besides: ties) { ties.append(tie) }
    }
    // Of two columns one may have nothing but dates or truth words, and would name no row then.
    for place in ties.flatMap({ [$0.source, $0.target] }) {
      guard let column = place.column else { continue }
      readers[place.reader].keepSpelling(ofColumn: column, inTable: place.table)
    }
    var targets: [Place: Int] = [:]
    var links: [Int: [Int: [ReferencingReader.Link]]] = [:]
    for (source, target) in ties.map({ ($0.source, $0.target) }) {
      guard let column = source.column else { continue }
      let known = links[source.reader]?[source.table] ?? []
      if targets[target] == nil {
        targets[target] = try keys.add(
          readers[target.reader], table: target.table, column: target.column)
      }
      let table = readers[target.reader].catalogue.tables[target.table]
      links[source.reader, default: [:]][source.table] =
        known + [
          ReferencingReader.Link(
            column: column, target: targets[target] ?? 0, name: table.name,
            keepsValue: keepsValues && target.column.map { $0 != table.index(of: .id) } == true)
        ]
    }
    return readers.enumerated().map { place, reader in
      links[place].map { ReferencingReader(reader, links: $0, keys: keys) } ?? reader
    }
  }

  /// What an option ties; nil where the table of the column has neither rows nor columns.
  private static func tie(
    _ option: String, _ readers: [any StoreReader], besides known: [Tie]
  ) throws(StoreError) -> Tie? {
    guard let equals = option.lastIndex(of: "=") else {
      throw usage(option, "it must be TABLE.COLUMN=TABLE")
    }
    let source = try column(String(option[..<equals]), readers, option)
    let target = try target(String(option[option.index(after: equals)...]), readers, option)
    guard let column = source.column else { return nil }
    guard
      readers[source.reader].catalogue.tables[source.table].columns[column].type != .reference
    else { throw usage(option, "the column is a reference already") }
    guard !known.contains(where: { $0.source == source }) else {
      throw usage(option, "the column has another --reference")
    }
    return Tie(source: source, target: target)
  }

  /// The table, and the column that tells its rows apart, of `TABLE` or `TABLE.COLUMN`.
  private static func target(
    _ text: String, _ readers: [any StoreReader], _ option: String
  ) throws(StoreError) -> Place {
    for place in places(readers) where names(of: place, readers).contains(ExactText(text)) {
      var place = place
      let table = readers[place.reader].catalogue.tables[place.table]
      if try isEmpty(place, readers) { return place }
      guard
        let id = table.index(of: .id)
          ?? table.columns.firstIndex(where: { $0.name.lowercased() == "id" })
      else {
        throw usage(
          option,
          "\(text) has no column id; say which tells its rows apart: \(text).COLUMN, or "
            + "\(text)._pk for the key", hint: known(readers).hint(for: "\(text).id"))
      }
      place.column = id
      return place
    }
    return try column(text, readers, option, takesKey: true)
  }

  /// The place of `TABLE.COLUMN`; in a table without rows and columns any column will do.
  private static func column(
    _ text: String, _ readers: [any StoreReader], _ option: String, takesKey: Bool = false
  ) throws(StoreError) -> Place {
    for place in places(readers) {
      let columns = readers[place.reader].catalogue.tables[place.table].columns
      for name in names(of: place, readers) {
        guard let own = text.removing(prefix: name.wrappedValue + ".") else { continue }
        if takesKey, own == "_pk" { return place }
        guard
          let column = columns.firstIndex(where: { hasSameBytes($0.sourceName, own) })
            ?? columns.firstIndex(where: { hasSameBytes($0.name, own) })
            ?? readers[place.reader].plainFiles?.column(inFiles: own, ofTable: place.table)
        else { continue }
        return Place(reader: place.reader, table: place.table, column: column)
      }
    }
    for place in places(readers) {
      let isNamed = names(of: place, readers).contains {
        text.removing(prefix: $0.wrappedValue + ".") != nil
      }
      guard isNamed else { continue }
      // A page without rows has no values that name others; its table may have rows to be named.
      let plain = takesKey ? nil : readers[place.reader].plainFiles
      if plain?.hasNothing(at: text, inTable: place.table) == true { return place }
      if try isEmpty(place, readers) { return place }
    }
    let isTable = takesKey && !text.contains(".")
    let names = known(readers)
    throw usage(
      option, "there is no \(isTable ? "table" : "column") \(text)",
      hint: isTable ? names.namesOfTables : names.hint(for: text))
  }

  /// Whether a table has neither rows nor columns, as it comes from an answer without rows.
  private static func isEmpty(
    _ place: Place, _ readers: [any StoreReader]
  ) throws(StoreError) -> Bool {
    let reader = readers[place.reader]
    guard reader.catalogue.tables[place.table].columns.isEmpty else { return false }
    return try reader.countRows(inTable: place.table) == 0
  }

  private static func places(_ readers: [any StoreReader]) -> [Place] {
    readers.enumerated().flatMap { number, reader in
      reader.catalogue.tables.indices.map { Place(reader: number, table: $0) }
    }
  }

  private static func names(of place: Place, _ readers: [any StoreReader]) -> Set<ExactText> {
    let reader = readers[place.reader]
    return Set(
      ([reader.catalogue.tables[place.table].name]
        + (reader.plainFiles?.names(ofTable: place.table) ?? [])).map { ExactText($0) })
  }

  private static func known(_ readers: [any StoreReader]) -> KnownNames {
    KnownNames(
      places(readers).map { place in
        let table = readers[place.reader].catalogue.tables[place.table]
        let others = names(of: place, readers).subtracting([ExactText(table.name)])
        return (
          [table.name] + others.sorted().map(\.wrappedValue), table.columns.map(\.name)
        )
      })
  }

  private static func usage(
    _ option: String, _ reason: String, hint: String? = nil
  ) -> StoreError {
    StoreError(.usage, "--reference \(option): \(reason)", hint: hint)
  }
}
