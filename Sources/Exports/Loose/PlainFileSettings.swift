package import Records
package import SQLite

/// How the tables of plain files are read.
package struct PlainFileSettings: Sendable {
  /// Where rows are kept that do not fit into memory.
  let temporaryFolder: String
  /// Raised when the run must stop.
  let interruption: Interruption
  /// What the person says about tables and columns.
  package var corrections = Corrections()
  /// A file of corrected rows.
  package var corrected: String?
  /// How the file of corrected rows is read.
  package var options = PlainOptions()
  /// Whether a row that comes several times on the pages of a table is given once, and the others as
  /// rows that gave way.
  package var joinsPages = false

  /// Settings without corrections.
  package init(temporaryFolder: String, interruption: Interruption) {
    self.temporaryFolder = temporaryFolder
    self.interruption = interruption
  }
}
