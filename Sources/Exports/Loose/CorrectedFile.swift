import Bytes
import Records

/// A file of corrected rows that belongs to a plain file.
struct CorrectedFile {
  private let file: PlainFile
  private let places: [Int?]

  /// Reads the file once and compares it with the tables that it corrects.
  ///
  /// - Throws: `StoreError` when it is damaged or does not belong to them.
  init(
    path: String, of tables: [PlainTable], _ catalogue: Catalogue, like base: PlainFile?,
    options: PlainOptions
  ) throws(StoreError) {
    guard let base, let file = try Self.file(at: path, like: base, options.forCorrections(of: base))
    else {
      throw StoreError(
        .notAStore, path: path,
        "it is no plain file of \(base?.format.rawValue ?? "rows") as the input is")
    }
    self.file = file
    for table in file.tables where table.survey.rows > 0 {
      guard let other = tables.firstIndex(where: { $0.element == table.element }) else {
        let name = String(decoding: table.element, as: UTF8.self)
        throw StoreError(.damaged, path: path, "the input has no rows of the name \(name)")
      }
      try Self.check(table.survey, against: catalogue.tables[other], file.format, path)
    }
    places = tables.map { table in
      file.tables.firstIndex { $0.element == table.element && $0.survey.rows > 0 }
    }
  }

  private static func file(
    at path: String, like base: PlainFile, _ options: PlainOptions
  ) throws(StoreError) -> PlainFile? {
    do throws(StoreError) {
      guard case .plain(let found)? = try ExportKind(ofExportAt: path, options),
        let format = format(found, like: base.format)
      else { return nil }
      // A file of several tables has them in the same places as the input.
      let form = base.form.flatMap { $0.namesTables ? $0.untold : nil }
      return try PlainFile(path: path, format: format, options: options, form: form)
    } catch {
      // The options that say how CSV is written are about the input.
      guard base.format == .csv, error.hint != nil else { throw error }
      throw StoreError(
        error.kind, path: error.path, error.message,
        hint: "save it as --rejects wrote it: fields with commas between them, in UTF-8")
    }
  }

  var path: String { file.path }

  /// The format of a file that corrects one of this format; nil where it cannot.
  ///
  /// Only a look at all of a JSON file tells whether it has rows in lines.
  private static func format(_ found: PlainFormat, like base: PlainFormat) -> PlainFormat? {
    let isJSON = [found, base].allSatisfy { $0 == .json || $0 == .ndjson }
    return found == base || isJSON ? found : nil
  }

  var isUnchanged: Bool { file.stamp == FileStamp(of: file.path) }

  /// Rows of the input with those of the file in their places; nil where it has none of the table.
  func correct(
    _ rows: any ExportRows, ofTable place: Int, as table: Table, spelling: SpellingRule,
    dates: [Int: Corrections.DateForm]
  ) throws(StoreError) -> CorrectedRows? {
    guard let own = places[place] else { return nil }
    var page = PlainTable.Page(file: file, place: own, of: table)
    // The same text means the same in both files.
    page.spelling = spelling
    return CorrectedRows(
      rows, with: PagedRows([page], as: table, dates: dates, isNumbering: false), from: path,
      columns: table.columns.count)
  }

  private static func check(
    _ survey: PlainSurvey, against base: Table, _ format: PlainFormat, _ path: String
  ) throws(StoreError) {
    guard survey.hasKey else {
      throw StoreError(
        .damaged, path: path, "its first column is no _pk whose numbers grow from row to row",
        hint: "correct the file that --rejects wrote, and leave _pk and the order as they are")
    }
    let expected = base.columns.map(\.sourceName)
    let names = survey.names.dropFirst(survey.leading)
    guard format != .csv || names.elementsEqual(expected) else {
      throw StoreError(
        .damaged, path: path, "line 1: its columns are not those of the input in their order")
    }
    let known = Set(expected)
    if let stranger = names.first(where: { !known.contains($0) }) {
      throw StoreError(.damaged, path: path, "the input has no column \(stranger)")
    }
  }

  /// Rows of a plain file, of which some are replaced by the corrected ones of another file.
  final class CorrectedRows: ExportRows {
    private let base: any ExportRows
    private let corrections: any ExportRows
    private let path: String
    /// The keys of those rows of the batch that was filled last that are corrected.
    private(set) var correctedKeys: Set<Int64> = []
    private var corrected: RecordBatch
    private var cursor: RejectCursor
    private var row = 0
    /// How many corrections came before those of the batch.
    private var rowsBefore = 0
    private var hasMore = true

    /// Both have their rows in the order of their keys; `path` is that of the corrections.
    init(
      _ base: any ExportRows, with corrections: any ExportRows, from path: String, columns: Int
    ) {
      self.base = base
      self.corrections = corrections
      self.path = path
      corrected = RecordBatch(columnCount: columns)
      cursor = RejectCursor(corrected)
    }

    var position: String { base.position }

    func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
      correctedKeys.removeAll(keepingCapacity: true)
      let hasMoreRows = try base.fill(&batch)
      if let next = try nextKey(), let last = batch.keys.last, next <= last {
        try replaceRows(of: &batch)
      }
      if !hasMoreRows, let key = try nextKey() { throw unknown(key) }
      return hasMoreRows
    }

    /// The key of the next correction; nil when there are no more.
    private func nextKey() throws(StoreError) -> Int64? {
      while row >= corrected.rowCount {
        guard hasMore else { return nil }
        rowsBefore += corrected.rowCount
        corrected.removeAll()
        hasMore = try corrections.fill(&corrected)
        cursor = RejectCursor(corrected)
        row = 0
      }
      return corrected.keys[row]
    }

    private func replaceRows(of batch: inout RecordBatch) throws(StoreError) {
      var merged = RecordBatch(columnCount: batch.columnCount)
      var rejects = RejectCursor(batch)
      for (place, key) in batch.keys.enumerated() {
        guard let next = try nextKey(), next <= key else {
          merged.append(row: place, of: batch, rejects: rejects.rejects(ofRow: place))
          continue
        }
        guard next == key else { throw unknown(next) }
        merged.append(row: row, of: corrected, rejects: cursor.rejects(ofRow: row))
        correctedKeys.insert(key)
        row += 1
      }
      batch = merged
    }

    private func unknown(_ key: Int64) -> StoreError {
      StoreError(
        .damaged, path: path,
        "row \(rowsBefore + row + 1) of it corrects the row \(key), which the input does not have",
        hint: "leave the _pk of each corrected row as it was")
    }
  }
}
