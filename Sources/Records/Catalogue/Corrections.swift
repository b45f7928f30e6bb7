package import Bytes

/// What a person says about a store's tables and columns where the store says it wrongly or not.
package struct Corrections: Sendable, Equatable {
  /// `TABLE.COLUMN=TYPE`, each.
  package let types: [String]
  /// `TABLE=NAME` or `TABLE.COLUMN=NAME`, each.
  package let names: [String]
  /// `TABLE.COLUMN`, each.
  package let drops: [String]
  /// `TABLE.COLUMN` or `TABLE`, each, of which other options tell something: they are wanted.
  package let mentions: [String]
  /// What the first of the names says of each place that it may be about; there may be thousands.
  private let newNames: [ExactText: String]

  /// Corrections as they are written on the command line.
  package init(
    types: [String] = [], names: [String] = [], drops: [String] = [], mentions: [String] = []
  ) {
    self.types = types
    self.names = names
    self.drops = drops
    self.mentions = mentions
    newNames = Dictionary(
      keepingFirst: names.flatMap { $0.cuts(at: "=").map { ($0.head, $0.rest.wrappedValue) } })
  }

  /// Whether nothing is to be corrected.
  package var isEmpty: Bool { all.isEmpty }

  private var all: [String] { types + names + drops }

  /// Those that name a table or a column of a catalogue, as it is called or shall be called.
  ///
  /// A table without columns, as it comes from an answer without rows, may have had any.
  package func about(_ catalogue: Catalogue) -> Corrections {
    let empty = catalogue.tables.filter(\.columns.isEmpty).flatMap { table in
      calls([table.name, table.sourceName]).map { $0 + "." }
    }
    let places = catalogue.tables.flatMap { table in
      let tables = calls([table.name, table.sourceName])
      let columns = table.columns.flatMap { [$0.name, $0.sourceName] }
      return tables
        + tables.flatMap { table in
          calls(columns.map { "\(table).\($0)" }, within: "\(table).")
        }
    }
    return filtered { correction in
      places.contains { correction.removing(prefix: $0 + "=") != nil }
        || empty.contains { correction.removing(prefix: $0) != nil }
    }
  }

  /// What is called so, and what it shall be called.
  private func calls(_ places: [String], within table: String = "") -> [String] {
    places
      + places.flatMap { place in
        let old = String(decoding: place.utf8.dropFirst(table.utf8.count), as: UTF8.self)
        return names.compactMap { $0.removing(prefix: place + "=") }.map { table + $0 }
          .filter { !isExchange(of: old, with: $0) }
      }
  }

  /// Whether what has a new name does not go by it, as something else gives it away for the old one:
  /// with `a=b` and `b=a` the second is about what was called `b` before, in whatever store it is.
  ///
  /// The new name of a column has that of its table in front.
  package func isExchange(of old: String, with place: String) -> Bool {
    names.contains { hasSameBytes($0, "\(place)=\(old)") }
  }

  /// Those that are not among others.
  package func without(_ others: Corrections) -> Corrections {
    let others = Set(others.all.map { ExactText($0) })
    return filtered { !others.contains(ExactText($0)) }
  }

  private func filtered(_ isWanted: (String) -> Bool) -> Corrections {
    Corrections(
      types: types.filter(isWanted), names: names.filter(isWanted), drops: drops.filter(isWanted),
      mentions: mentions)
  }

  /// One that names none of these tables.
  package func stranger(to tables: [String]) -> String? {
    let own = CorrectionsByTable(self).about(Set(tables.map { ExactText($0) }))
    return without(own).all.first
  }

  /// What a table of this name shall be called; `all` are the names of all tables.
  package func name(ofTable table: String, among all: Set<ExactText>) -> String {
    CatalogueNames.calls(table, among: all).lazy.compactMap { newNames[ExactText($0)] }.first
      ?? table
  }

  /// A column that a correction means: the places of its table and of itself.
  package struct ColumnPlace: Hashable {
    package let table: Int
    package let column: Int

    package init(table: Int, column: Int) {
      self.table = table
      self.column = column
    }
  }

  /// What `--type` says of times that are stored or spelled in a way of their own.
  package enum DateForm: String, CaseIterable, Sendable {
    /// The days of a spreadsheet, counted from 1900.
    case serial = "excel-date"
    /// A day before its month, as in `31.12.2024`.
    case dayFirst = "day-first"
    /// A month before its day, as in `12/31/2024`.
    case monthFirst = "month-first"
    /// Seconds since 1970, also parts of one.
    case unixSeconds = "unix-seconds"
    /// Milliseconds since 1970, also parts of one.
    case unixMilliseconds = "unix-milliseconds"

    /// Those that databases have, too: numbers that need no reading.
    package static let ofDatabases: [DateForm] = [.unixSeconds, .unixMilliseconds]

    /// Whether such times are numbers, so that none is spelled as a date.
    package var isNumber: Bool { ![.dayFirst, .monthFirst].contains(self) }
  }

  /// What `--type` says of a column: its place and its type, and how times are spelled in it where it
  /// says one of `forms`.
  ///
  /// - Throws: `StoreError` when it is no such correction.
  package static func type(
    _ correction: String, _ path: String?, or forms: [DateForm]
  ) throws(StoreError) -> (place: String, type: LogicalType, form: DateForm?) {
    guard let equals = correction.lastIndex(of: "=") else {
      throw usage("--type \(correction)", "it must be TABLE.COLUMN=TYPE", path)
    }
    let place = String(correction[..<equals])
    let word = String(correction[correction.index(after: equals)...])
    if let form = forms.first(where: { $0.rawValue == word }) { return (place, .timestamp, form) }
    guard let type = LogicalType(rawValue: word), type != .reference else {
      let types = LogicalType.allCases.filter { $0 != .reference }.map(\.rawValue)
      let all = types + forms.map(\.rawValue)
      throw usage(
        "--type \(correction)",
        DateForm(rawValue: word) != nil
          ? "\(word) is for plain files" : "the types are \(all.joined(separator: ", "))", path)
    }
    return (place, type, nil)
  }

  /// What `--rename` says of a column: its place and its new name.
  ///
  /// - Throws: `StoreError` when it is no such correction.
  package static func name(
    _ correction: String, _ path: String?
  ) throws(StoreError) -> (place: String, name: String) {
    guard let equals = correction.lastIndex(of: "=") else {
      throw usage("--rename \(correction)", "it must be TABLE=NAME or TABLE.COLUMN=NAME", path)
    }
    let name = correction[correction.index(after: equals)...]
    return (String(correction[..<equals]), String(name))
  }

  /// Throws where one would be none for any store.
  package func checkForm() throws(StoreError) {
    for correction in types { _ = try Self.type(correction, nil, or: DateForm.allCases) }
    for correction in names {
      guard try Self.name(correction, nil).place.isEmpty else { continue }
      throw Self.usage("--rename \(correction)", "it must be TABLE=NAME or TABLE.COLUMN=NAME", nil)
    }
  }

  /// The error of an option that does not fit.
  package static func usage(
    _ option: String, _ reason: String, _ path: String?, hint: String? = nil
  ) -> StoreError {
    StoreError(.usage, path: path, "\(option): \(reason)", hint: hint)
  }
}
