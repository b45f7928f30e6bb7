package import Bytes

/// What was read of a damaged file, and what was not.
package struct SalvageAccount: Sendable, Equatable {
  /// What became of one table.
  package struct Table: Sendable, Equatable {
    /// The table's name in the schema.
    package let name: String
    /// How many rows were read.
    package var recovered = 0
    /// How many rows are known to have been there, but cannot be read or taken over.
    package var lost = 0
    /// How many parts of the tree are missing; nobody knows how many rows they held.
    package internal(set) var missingParts = 0
    /// How many rows have bytes that are those of other rows as well, or do not end where they should.
    package internal(set) var doubtful = 0
    /// How many pages contradict themselves so that they may have had more rows.
    package internal(set) var doubtfulPages = 0
    /// How many pages were found although nothing leads to them any more.
    package internal(set) var foundPages = 0

    init(name: String) { self.name = name }

    /// Whether every row of the table is there.
    package var isWhole: Bool {
      lost == 0 && missingParts == 0 && doubtful == 0 && doubtfulPages == 0 && foundPages == 0
    }
  }

  /// The tables, in the order of the schema.
  package var tables: [Table] = []
  /// The pages that contradict themselves, counted from 1; the first hundred.
  var brokenPages: [Int] = []
  /// How many pages contradict themselves.
  package internal(set) var brokenPageCount = 0
  /// How many pages the file lacks at its end.
  package internal(set) var missingPageCount = 0
  /// Whether the list of free pages is damaged, so that deleted rows may have come back.
  package internal(set) var isFreelistDamaged = false
  /// Whether a part of the schema is missing, and with it perhaps whole tables.
  package internal(set) var isSchemaDamaged = false
  /// How many rows lie on pages that may belong to several tables, and were left out.
  package internal(set) var ambiguousRows = 0
  /// How many rows lie on pages that no table is sure to own, and were left out.
  package internal(set) var unclaimedRows = 0
  /// Those of the tables that only the engine needs, so that nobody misses what is lost of them.
  package var insides: Set<ExactText> = []
  /// Tables that cannot be read page by page.
  package var unreadableTables: [String] = []
  /// Whether changes in a side file could not be taken over.
  package var lacksSideChanges = false

  /// An account of nothing yet.
  package init() {}

  static let pageLimit = 100
}
