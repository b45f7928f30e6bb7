import Bytes
import Records

/// The columns of the pages of a table, brought together by what they are called.
///
/// As in a merge, those are one that differ in nothing but the case of ASCII letters, unless one page
/// has both; then each goes to its own.
struct UnitedPages {
  private struct Column {
    private(set) var name: String
    private(set) var isNamed: Bool
    let isDropped: Bool
    /// What it is called in the files, beginning with the first.
    private(set) var sources: [ExactText]

    init(_ column: PlainTable.Page.Column) {
      name = column.wantedName
      isNamed = column.isNamed
      isDropped = column.isDropped
      sources = [ExactText(column.sourceName)]
    }

    mutating func add(_ column: PlainTable.Page.Column) {
      let source = ExactText(column.sourceName)
      if !sources.contains(source) { sources.append(source) }
      guard column.isNamed, !isNamed else { return }
      name = column.name
      isNamed = true
    }

    /// The name that tells it from others in files: most often the one that it has in all of them.
    var source: ExactText {
      let name = ExactText(name)
      return sources.contains(name) ? name : sources[0]
    }
  }

  private var columns: [Column] = []
  /// The places of columns by their names in small letters.
  private var places: [ExactText: [Int]] = [:]
  /// The names that a page has in several cases of letters, by which no columns are one.
  private let twins: Set<ExactText>
  /// Where each column of each page went.
  private var pages: [[Int]] = []
  /// What tells each column from the others: a name that it has in a file.
  private(set) var keys: [[UInt8]] = []
  /// What each is called: as a person says, or as in the first page that has it.
  private(set) var names: [String] = []

  /// Brings the columns of pages together.
  init(_ pages: [PlainTable.Page]) {
    twins = Set(pages.flatMap { Self.twins(in: $0.columns) })
    for page in pages { add(page.columns) }
    keys = Self.keys(of: columns)
    names = Self.names(of: columns)
  }

  /// The keys of the columns of a page.
  func keys(ofPage page: Int) -> [[UInt8]] { pages[page].map { keys[$0] } }

  private static func twins(in page: [PlainTable.Page.Column]) -> [ExactText] {
    var seen: Set<ExactText> = []
    return page.lazy.filter { !$0.isDropped }.map { ExactText(sqlName: $0.wantedName) }
      .filter { !seen.insert($0).inserted }
  }

  private mutating func add(_ page: [PlainTable.Page.Column]) {
    var claimed: Set<Int> = []
    var found: [Int?] = page.map { _ in nil }
    for exactly in [true, false] {
      for (number, column) in page.enumerated() where found[number] == nil {
        guard let place = place(of: column, exactly: exactly, besides: claimed) else { continue }
        claimed.insert(place)
        columns[place].add(column)
        found[number] = place
      }
    }
    pages.append(zip(page, found).map { $1 ?? append($0) })
  }

  private func place(
    of column: PlainTable.Page.Column, exactly: Bool, besides claimed: Set<Int>
  ) -> Int? {
    let name = ExactText(sqlName: column.wantedName)
    guard exactly || !twins.contains(name) else { return nil }
    return places[name]?.first { place in
      !claimed.contains(place) && columns[place].isDropped == column.isDropped
        && (!exactly || hasSameBytes(columns[place].name, column.wantedName))
    }
  }

  private mutating func append(_ column: PlainTable.Page.Column) -> Int {
    places[ExactText(sqlName: column.wantedName), default: []].append(columns.count)
    columns.append(Column(column))
    return columns.count - 1
  }

  private static func keys(of columns: [Column]) -> [[UInt8]] {
    var taken: Set<[UInt8]> = []
    return columns.map { column in
      var key = Array(column.source.wrappedValue.utf8)
      while !taken.insert(key).inserted { key.append(UInt8(ascii: "_")) }
      return key
    }
  }

  /// What a person says stays; of the others those give way that cannot be called so.
  private static func names(of columns: [Column]) -> [String] {
    var names = columns.map(\.name)
    let places = columns.indices.filter { !columns[$0].isNamed && !columns[$0].isDropped }
    for (place, name) in zip(places, CatalogueNames.columns(places.map { names[$0] })) {
      names[place] = name
    }
    return names
  }
}
