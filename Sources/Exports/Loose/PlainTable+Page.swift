import Bytes
import Records

extension PlainTable {
  /// A page of a table: one of the tables of a file.
  struct Page {
    /// A column of a page, before those of all pages are brought together.
    struct Column {
      /// What it is called, which no other column of the page is.
      var name: String
      /// The name in the file.
      let sourceName: String
      /// Whether a person has given it its name.
      var isNamed = false
      /// Whether a person tells something of it, which only a column that is there can take.
      var isMentioned = false
      /// Whether a person leaves it out.
      var isDropped = false

      /// What it would be called if there were no others.
      var wantedName: String { isNamed ? name : sourceName }
    }

    let file: PlainFile
    let place: Int
    /// How the numbers of the file are spelled.
    var spelling: SpellingRule
    var columns: [Column]
    /// Where the values of each column belong in the table; nil for one that has no place there.
    var places: [Int?]

    /// A page that is a table of its own as long as there are no others.
    init(file: PlainFile, place: Int) {
      self.file = file
      self.place = place
      spelling = file.spelling
      columns = file.tables[place].survey.columns.map {
        Column(name: $0.name, sourceName: $0.sourceName)
      }
      places = Array(columns.indices)
    }

    /// A page whose columns are those of a table, by the names in its files.
    init(file: PlainFile, place: Int, of table: Table) {
      self.init(file: file, place: place)
      let known = Dictionary(
        table.columns.enumerated().map { (ExactText($0.element.sourceName), $0.offset) },
        uniquingKeysWith: { first, _ in first })
      places = columns.map { known[ExactText($0.sourceName)] }
    }

    var survey: PlainSurvey { file.tables[place].survey }

    /// The columns that are none of a table of several pages, unless others have values in them: they
    /// have no value, their header gives them no name, and no person says anything of them.
    ///
    /// At the end of a file they are none of a table of one page either, and among other pages no
    /// column has its place from the file.
    var emptyColumns: [Int] {
      survey.emptyPlaces.filter { !columns[$0].isNamed && !columns[$0].isMentioned }
    }

    /// The column whose values belong at a place of the table; nil where it has none.
    func column(at place: Int) -> Int? { places.firstIndex(of: place) }

    /// The same for all places of a table of so many columns.
    func parts(ofColumns count: Int) -> [Int?] {
      var parts = [Int?](repeating: nil, count: count)
      for case (let column, let place?) in places.enumerated() { parts[place] = column }
      return parts
    }
  }
}
