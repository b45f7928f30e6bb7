import Bytes

/// The trees that the schema of a file names.
struct SchemaRoots {
  struct Root {
    let page: UInt32
    /// Whether its keys are row ids; else it is an index, or a table that has none.
    let isTable: Bool
    /// Whether it is a table that has no row ids.
    let isSortedTable: Bool
  }

  private(set) var roots: [Root] = []

  /// The columns of `sqlite_schema`: type, name, tbl_name, rootpage, sql.
  private static let shape = TableShape(
    isReal: [Bool](repeating: false, count: 5), rowIDColumn: nil)

  /// Reads the schema, whose tree is known to be sound.
  ///
  /// - Throws: `PageError` when a row of it cannot be read.
  init(of file: PageFile) throws(PageError) {
    let leaves = try file.leaves(ofTableAt: 1)
    var scan = TableScan(of: leaves.pages[...], in: file, shape: Self.shape)
    var batch = StoredBatch()
    while try scan.read(into: &batch) {
      for row in 0..<batch.rowCount {
        if let root = try Self.root(ofRow: row, batch, file) { roots.append(root) }
      }
    }
  }

  private static func root(
    ofRow row: Int, _ batch: StoredBatch, _ file: PageFile
  ) throws(PageError) -> Root? {
    let values = batch.values[row * 5..<row * 5 + 5]
    let page = values[row * 5 + 3]
    // Views, triggers and virtual tables have no tree, which is told by 0 or NULL.
    guard page.kind == .integer, page.integer != 0 else { return nil }
    guard let number = UInt32(exactly: page.integer) else {
      throw file.damaged(1, "the schema names a page that cannot be")
    }
    let isTable = SchemaWord(text(of: values[row * 5], batch, file)) == .table
    let isWithoutRowID = TableOptions(of: text(of: values[row * 5 + 4], batch, file)).isWithoutRowID
    return Root(
      page: number, isTable: isTable && !isWithoutRowID,
      isSortedTable: isTable && isWithoutRowID)
  }

  /// A text, whatever the encoding of the file is; empty for anything else.
  private static func text(
    of value: StoredValue, _ batch: StoredBatch, _ file: PageFile
  ) -> String {
    guard value.kind == .text || value.kind == .blob else { return "" }
    return file.header.encoding.string(of: batch.arena[value.range])
  }

  /// The words behind the bracket that closes the columns of a `CREATE TABLE` statement.
  struct TableOptions {
    /// Whether the rows have no row ids.
    private(set) var isWithoutRowID = false

    init(of statement: String) {
      var tokens = SQLTokens(of: statement)
      guard tokens.skipBrackets() else { return }
      var last: SQLTokens.Token?
      while let token = tokens.next() {
        if case .word(let word) = token, case .word(let before)? = last {
          isWithoutRowID =
            isWithoutRowID || (before.lowercased() == "without" && word.lowercased() == "rowid")
        }
        last = token
      }
    }
  }
}
