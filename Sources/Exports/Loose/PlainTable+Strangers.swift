import Records

extension PlainTable {
  /// The pages of CSV that have no column of any other, though all have columns: the first line of such
  /// a page may be a row, or it is of another table.
  ///
  /// Where no two have anything in common, the first tells what the table is.
  private var strangers: [Page] {
    let withColumns = pages.filter { page in page.places.contains { $0 != nil } }
    var counts: [Int: Int] = [:]
    for page in withColumns {
      for case let place? in page.places { counts[place, default: 0] += 1 }
    }
    let strangers = withColumns.filter { page in
      page.file.hasFoundHeader && !page.survey.hasKey
        && page.places.allSatisfy { $0.map { counts[$0] == 1 } ?? true }
    }
    return strangers.count == withColumns.count ? Array(strangers.dropFirst()) : strangers
  }

  /// What is to be told of pages that do not seem to be of one table.
  var findingsOfPages: [Finding] {
    let strangers = strangers
    guard let first = strangers.first else { return [] }
    let others = strangers.count > 1 ? ", and so it is with \(strangers.count - 1) more" : ""
    return [
      Finding(
        "page-of-other-columns", .warning, table: table.name,
        message:
          "none of the columns of \(first.file.path) is in another file of \(table.name)\(others): "
          + "its first line may be a row, or it is of another table")
    ]
  }
}
