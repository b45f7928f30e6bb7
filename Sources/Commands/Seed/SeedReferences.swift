import Bytes
import CommandLineKit
import Exports
import Records

/// The columns that name rows of other tables, as `--reference` tells them.
struct SeedReferences {
  private let options: [String]
  /// Whether what tells rows without ids apart stays what it is, because rows of the new store refer to
  /// each other by values.
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

  /// A column, and what it names.
  private struct Tie {
    let source: SeedPlace
    let target: SeedPlace
  }

  func resolve(
    _ readers: [any StoreReader], _ session: Session
  ) throws(StoreError) -> [any StoreReader] {
    guard !options.isEmpty else { return readers }
    let keys = try ReferencedKeys(
      temporaryFolder: session.temporaryFolder, session.interruption)
    let ties = try ties(SeedPlaces(readers))
    // Of two columns one may have nothing but dates or truth words, and would name no row then.
    for place in ties.flatMap({ [$0.source, $0.target] }) {
      guard let column = place.column else { continue }
      readers[place.reader].keepSpelling(ofColumn: column, inTable: place.table)
    }
    var targets: [SeedPlace: Int] = [:]
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
            keepsValue: keepsValues && target.column != nil && table.index(of: .id) == nil)
        ]
    }
    return readers.enumerated().map { place, reader in
      links[place].map { ReferencingReader(reader, links: $0, keys: keys) } ?? reader
    }
  }

  /// What the options tie, in their order.
  private func ties(_ places: SeedPlaces) throws(StoreError) -> [Tie] {
    var ties: [Tie] = []
    var sources: Set<SeedPlace> = []
    for option in options {
      guard let tie = try Self.tie(option, places) else { continue }
      guard sources.insert(tie.source).inserted else {
        throw SeedPlaces.usage(option, "the column has another --reference")
      }
      ties.append(tie)
    }
    return ties
  }

  /// What an option ties; nil where the table of the column has neither rows nor columns.
  private static func tie(_ option: String, _ places: SeedPlaces) throws(StoreError) -> Tie? {
    guard let equals = option.lastIndex(of: "=") else {
      throw SeedPlaces.usage(option, "it must be TABLE.COLUMN=TABLE")
    }
    let source = try places.column(String(option[..<equals]), option)
    let target = try places.target(String(option[option.index(after: equals)...]), option)
    guard let column = source.column else { return nil }
    guard places.table(of: source).columns[column].type != .reference else {
      throw SeedPlaces.usage(option, "the column is a reference already")
    }
    return Tie(source: source, target: target)
  }
}
