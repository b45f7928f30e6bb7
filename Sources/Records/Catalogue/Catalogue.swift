package import Bytes

/// Where the names of a store's tables and columns came from, best first.
package enum NameOrigin: String, Sendable, CaseIterable {
  /// The store's own schema spells them.
  case schema
  /// The model that the store carries.
  case modelCache = "model-cache"
  /// A model that the user gave.
  case model
  /// What the SDK is known to use, otherwise the upper-case columns.
  case fallback

  /// What may be said of names that came from several places: no better than the worst of them.
  package init(worstOf origins: [NameOrigin]) {
    self = Self.allCases.last(where: origins.contains) ?? .schema
  }
}

/// All tables of a store, in order, and where their names came from.
package struct Catalogue: Sendable, Equatable {
  /// The app's own tables.
  package var tables: [Table]
  /// Where their names came from.
  package var nameOrigin: NameOrigin

  /// A catalogue of these tables.
  package init(tables: [Table], nameOrigin: NameOrigin) {
    self.tables = tables
    self.nameOrigin = nameOrigin
  }

  /// The place of the table with exactly this name, byte for byte.
  package func index(ofTable name: String) -> Int? {
    tables.firstIndex { hasSameBytes($0.name, name) }
  }

  /// All tables by their names, for whoever asks for many.
  package var tablesByName: [ExactText: Table] {
    Dictionary(keepingFirst: tables.map { (ExactText($0.name), $0) })
  }

  /// The places of all tables by their names, for whoever asks for many.
  package var places: [ExactText: Int] {
    Dictionary(keepingFirst: tables.enumerated().map { (ExactText($1.name), $0) })
  }

  /// The places of all tables by the names that references may have for them: their own, and where
  /// there is none of it that of the source.
  package var placesOfTargets: [ExactText: Int] {
    let own = tables.enumerated().map { (ExactText($1.sourceName), $0) }
    return places.merging(own) { first, _ in first }
  }
}
