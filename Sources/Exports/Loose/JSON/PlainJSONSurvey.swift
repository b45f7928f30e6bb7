import Formats
import Records

/// What one pass over a JSON file has shown: what each of its tables has, and what lies beside.
struct PlainJSONSurvey {
  private(set) var tables: [PlainSurvey]
  /// What lies beside the rows.
  let answer: JSONAnswer
  /// The tables whose rows came in several pages.
  let paged: Set<Int>
  /// The tables at whose place nothing was found.
  let unreached: [Int]

  /// Looks at all rows.
  init(
    _ tokens: JSONTokens, _ form: JSONForm, _ inference: InferenceRule
  ) throws(StoreError) {
    var walk = form.walk
    var tables = form.ways.map { _ in PlainSurvey(inference) }
    try tokens.withReader { (reader) throws(FormatError) in
      var rows = 0
      while let table = try walk.nextRow(&reader) {
        if tables[table].rows == 0 { tables[table].rowsBefore = rows }
        try tables[table].addObject(&reader)
        rows += 1
      }
      tables[0].blankLines = reader.blankLines
    }
    self.tables = tables
    answer = walk.answer
    paged = Set(
      tables.indices.filter { walk.answer.pages > 1 || walk.arrays[$0, default: 0] > 1 })
    unreached = tables.indices.filter { walk.arrays[$0] == nil && tables[$0].rows == 0 }
  }
}
