import Bytes

/// How many of the values that a store keeps could not be taken, by column and reason.
///
/// What is kept may change after a run has told of it: a person may put a value right and take its
/// reject away. So what is told follows from what is kept, and not from what was told then.
package struct RejectCounts {
  private struct Place: Hashable, Comparable {
    let source: Int32
    let table: ExactText
    let column: ExactText
    let code: RejectCode

    static func < (left: Place, right: Place) -> Bool {
      if left.source != right.source { return left.source < right.source }
      if left.table != right.table { return left.table < right.table }
      if left.column != right.column { return left.column < right.column }
      return left.code.rawValue < right.code.rawValue
    }
  }

  private var counts: [Place: Int] = [:]
  /// Those of further columns: whatever names a store may hold, few are counted one by one.
  private var further: [RejectCode: Int] = [:]

  /// None.
  init() {}

  /// Counts a value; readers tell of missing files themselves, with the column that names them.
  mutating func add(_ reject: RejectedValue) {
    guard let code = RejectCode(rawValue: reject.code), code != .externalDataMissing else { return }
    let place = Place(
      source: reject.source, table: ExactText(reject.table), column: ExactText(reject.column),
      code: code)
    guard counts[place] != nil || counts.count < ListedFindings.limit else {
      further[code, default: 0] += 1
      return
    }
    counts[place, default: 0] += 1
  }

  /// What a person should know of them.
  var findings: [Finding] {
    let listed = counts.sorted { $0.key < $1.key }.map { place, count in
      var finding = Finding(
        place.code.rawValue, place.code.severity, table: place.table.wrappedValue,
        message: place.code.words(count, inColumn: place.column.wrappedValue))
      finding.source = place.source
      return finding
    }
    let rest = further.sorted { $0.key.rawValue < $1.key.rawValue }.map { code, count in
      Finding(code.rawValue, code.severity, message: code.words(count, inColumn: nil), count: count)
    }
    return listed + rest
  }
}

extension KeptRecords {
  /// What tells of the values that an earlier run could not take, of all tables or of some.
  package func findingsOfRejects(
    ofTables isWanted: (String) -> Bool = { _ in true }
  ) throws(StoreError) -> [Finding] {
    var counts = RejectCounts()
    try forEachStoredReject { (reject) throws(StoreError) in
      if isWanted(reject.table) { counts.add(reject) }
    }
    return counts.findings
  }
}

extension RejectCode {
  /// How much it matters; a row without its document is an error.
  package var severity: Severity { self == .rowJSONUnreadable ? .error : .warning }

  /// What is wrong with so many values of a column, or of those that are not told one by one.
  package func words(_ count: Int, inColumn column: String?) -> String {
    Self.columnWord + (column.map { " " + $0 } ?? "s that are not listed") + ": " + words(count)
  }

  private static let columnWord = "column"

  private func words(_ count: Int) -> String {
    switch self {
    case .valueOfWrongType: count.counting("value is", "values are") + " not of the column's type"
    case .valueOutOfRange: count.counting("value is", "values are") + " out of range"
    case .invalidText: count.counting("text is", "texts are") + " not UTF-8"
    case .rowJSONUnreadable: count.counting("row holds", "rows hold") + " no JSON object"
    case .danglingReference: count.counting("value leads", "values lead") + " to no row"
    case .externalDataMissing: count.counting("file is", "files are") + " missing"
    }
  }

  private static let lossWords = "could not be taken over and became NULL"

  /// What a run tells of so many values of a table, and where they are kept.
  package static func words(_ count: Int, keptIn keeper: String?) -> String {
    let place = keeper.map { "what \(count == 1 ? "it was" : "they were") is in \($0)" }
    return "\(count.counting("value", "values")) \(lossWords); "
      + (place ?? "a canonical store would keep \(count == 1 ? "it" : "them")")
  }

  /// Whether a finding is what a run told of such values, or what was told of those that are kept.
  static func isTold(by finding: Finding) -> Bool {
    RejectCode(rawValue: finding.code) != nil && finding.itemID == nil && finding.operation == nil
      && (finding.message.hasPrefix(columnWord) || finding.message.contains(lossWords))
  }
}

extension Finding {
  /// Whether it tells what follows from the rejects beside it, as they are now.
  package var followsFromRejects: Bool { RejectCode.isTold(by: self) }
}

extension Findings {
  /// Without those that follow from the rejects beside them, of which there are few.
  package var withoutRejects: Findings {
    contains(where: \.followsFromRejects)
      ? Findings(lazy.filter { !$0.followsFromRejects }) : self
  }
}
