/// The words behind the bracket that closes the columns of a `CREATE TABLE` statement.
struct TableOptions {
  /// Whether the rows have no row ids.
  private(set) var isWithoutRowID = false

  /// Reads a statement as the schema keeps it.
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
