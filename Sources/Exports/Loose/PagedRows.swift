import Records

/// The rows of several pages, one after the other, with the columns of all.
final class PagedRows: ExportRows {
  private let pages: [PlainTable.Page]
  private let table: Table
  /// How times are spelled in columns of which that is told.
  private let dates: [Int: Corrections.DateForm]
  /// Whether rows are numbered through all pages, as they have no keys of their own.
  private let isNumbering: Bool
  private var next = 0
  private var rows: (any ExportRows)?
  private var places: [Int?] = []
  private var count: Int64 = 0

  init(
    _ pages: [PlainTable.Page], as table: Table, dates: [Int: Corrections.DateForm],
    isNumbering: Bool
  ) {
    self.pages = pages
    self.table = table
    self.dates = dates
    self.isNumbering = isNumbering
  }

  var position: String {
    let position = rows?.position ?? ""
    return pages.count > 1 && next > 0 ? "\(position) of \(pages[next - 1].file.path)" : position
  }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    if rows == nil, try openPage() == false { return false }
    guard let rows else { return false }
    var own = RecordBatch(columnCount: pages[next - 1].survey.columns.count)
    let hasMore = try rows.fill(&own)
    batch = own.choosing(places)
    if isNumbering { batch.numberKeys(from: count + 1) }
    count += Int64(batch.rowCount)
    if !hasMore, next < pages.count { self.rows = nil }
    return hasMore || next < pages.count
  }

  private func openPage() throws(StoreError) -> Bool {
    guard next < pages.count else { return false }
    let page = pages[next]
    next += 1
    places = page.parts(ofColumns: table.columns.count)
    let own = Self.columns(of: page, in: table)
    var ownDates: [Int: Corrections.DateForm] = [:]
    for (column, form) in dates { if let place = places[column] { ownDates[place] = form } }
    rows = try page.file.openRows(
      ofTable: page.place, as: Table(name: table.name, columns: own),
      rules: page.spelling.rules(ofColumns: own.count, dates: ownDates))
    return true
  }

  /// The columns that a page has, with the types of the table.
  private static func columns(of page: PlainTable.Page, in table: Table) -> [Column] {
    var own = page.survey.columns
    for (column, place) in page.places.enumerated() {
      if let place { own[column].type = table.columns[place].type }
    }
    return own
  }
}
