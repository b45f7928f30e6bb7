package import Bytes
package import Records

/// Everything that an audit knows about one store.
package struct StoreAudit: Sendable {
  /// What the source is.
  package var source: SourceDescription
  /// Its queue.
  package let queue: Queue
  /// What was seen of each table.
  package let tables: [TableFacts]
  /// The rows that operations would send.
  package let rows: AttachedRows
  /// What the operations come to, item by item.
  package let effects: [Effect]
  /// What each error says, in the queue's order.
  package let assessments: [ErrorAssessment]
  /// What was found, most serious first.
  package let findings: [Finding]

  /// Reads the queue and the rows of a store and applies every rule; `check` may stop the run.
  ///
  /// - Throws: `StoreError` when the store cannot be read, or whatever `check` throws.
  package init(
    of reader: any StoreReader, now: Timestamp, check: () throws(StoreError) -> Void
  ) throws(StoreError) {
    queue = try reader.readQueue()
    let survey = try StoreSurvey(of: reader, queue: queue, check: check)
    source = reader.source
    tables = survey.tables
    rows = survey.rows
    let input = AuditInput(
      source: reader.source, catalogue: reader.catalogue, queue: queue, tables: survey.tables,
      rows: survey.rows, now: now)
    assessments = input.assessments
    effects = Fold(queue.operations).effects
    findings = FindingCatalogue.findings(in: input, besides: reader.findings)
  }

  /// The item of an operation: its payload, else the current row; nil when there is neither.
  package func item(of operation: PendingOperation) -> [UInt8]? {
    if let item = operation.item { return item }
    guard operation.kind == .insert || operation.kind == .update else { return nil }
    return rows.row(operation.rowKey, ofTable: operation.rowTable ?? operation.table).map(
      Array.init)
  }

  /// The item of an effect, likewise.
  package func item(of effect: Effect) -> [UInt8]? {
    if let item = effect.item { return item }
    guard effect.kind != .delete else { return nil }
    return rows.row(effect.rowKey, ofTable: effect.rowTable ?? effect.table).map(Array.init)
  }

  /// How serious the worst finding is.
  package var worstSeverity: Severity? { findings.first?.severity }
}

extension FindingCatalogue {
  /// Applies every rule, adds what the reader has found itself, and sorts the most serious first.
  package static func findings(in input: AuditInput, besides known: [Finding]) -> [Finding] {
    var places = Set(known.map(FindingPlace.init))
    var findings = known
    for kind in all {
      var sink = FindingSink(kind)
      kind.rule(input, &sink)
      // A canonical store brings along what was found when it was made.
      findings += sink.findings.filter { places.insert(FindingPlace($0)).inserted }
    }
    return sorted(findings)
  }

  /// The most serious first, then as the catalogue lists them, then by place in the queue.
  package static func sorted(_ findings: [Finding]) -> [Finding] {
    let ranks = Dictionary(
      uniqueKeysWithValues: all.enumerated().map { ($0.element.code, $0.offset) })
    let keyed = findings.enumerated().map { (rank: ranks[$0.element.code] ?? all.count, $0) }
    return keyed.sorted { left, right in
      let (first, second) = (left.1.element, right.1.element)
      if first.severity != second.severity { return first.severity > second.severity }
      return (left.rank, first.operation ?? 0, left.1.offset)
        < (right.rank, second.operation ?? 0, right.1.offset)
    }.map { $0.1.element }
  }
}

/// What a finding is about, apart from its words.
private struct FindingPlace: Hashable {
  let code: String
  let table: String?
  let itemID: String?
  let operation: Int64?
  /// Findings about a table as a whole may come several times, once for each column.
  let message: String?

  init(_ finding: Finding) {
    code = finding.code
    table = finding.table
    itemID = finding.itemID
    operation = finding.operation
    message = finding.itemID == nil && finding.operation == nil ? finding.message : nil
  }
}
