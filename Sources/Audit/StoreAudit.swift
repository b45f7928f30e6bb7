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
  package let effects: Fold.Effects
  /// What each error says, in the queue's order.
  package let assessments: [ErrorAssessment]
  /// What was found, most serious first.
  package let findings: [Finding]

  /// Reads the queue and the rows of a store and applies every rule; `check` may stop the run.
  ///
  /// Rows that only a listing of all operations shows are left out when `listsRows` is false. Several
  /// threads may look at the rows; what is found is the same for any number.
  ///
  /// - Throws: `StoreError` when the store cannot be read, or whatever `check` throws.
  package init(
    of reader: any StoreReader, now: Timestamp, listsRows: Bool = true,
    threads: Int = 1, check: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let queue = try reader.readQueue()
    let survey = try StoreSurvey(
      of: reader, queue: queue, listsRows: listsRows, threads: threads, check: check)
    let fold = Fold(queue.operations)
    let input = AuditInput(
      source: reader.source, catalogue: reader.catalogue, queue: queue, tables: survey.tables,
      rows: survey.rows, now: now, chains: fold.chains)
    self.init(
      input, rows: survey.rows, effects: fold.effects,
      known: reader.findings + queue.findings + (try reader.examineRows()), threads: threads)
  }

  /// Applies every rule to what was read.
  init(
    _ input: AuditInput, rows: AttachedRows, effects: Fold.Effects, known: [Finding] = [],
    threads: Int = 1
  ) {
    source = input.source
    queue = input.queue
    tables = input.tables
    self.rows = rows
    self.effects = effects
    assessments = input.assessments
    findings = FindingCatalogue.findings(in: input, besides: known, threads: threads)
  }

  /// The item of an operation: its payload, else the current row; nil when there is neither.
  package func item(of operation: PendingOperation) -> [UInt8]? {
    if let item = operation.item { return item }
    guard operation.kind == .insert || operation.kind == .update else { return nil }
    return rows.row(operation.rowKey, ofTable: operation.rowTable ?? operation.table)
  }

  /// The item of an effect, likewise.
  package func item(of effect: Effect) -> [UInt8]? {
    if let item = effect.item { return item }
    guard effect.kind != .delete else { return nil }
    return rows.row(effect.rowKey, ofTable: effect.rowTable ?? effect.table)
  }

  /// How serious the worst finding is.
  package var worstSeverity: Severity? { findings.first?.severity }
}

extension FindingCatalogue {
  /// Applies every rule, on several threads, adds what the reader has found itself, and sorts the
  /// most serious first.
  package static func findings(
    in input: AuditInput, besides known: [Finding], threads: Int = 1
  ) -> [Finding] {
    var findings = known
    // A canonical store brings along what was found when it was made.
    let places = Set(known.map(FindingPlace.init))
    let take = { (raised: [Finding]) in
      // Room for just so many: a long queue may have a finding for each operation.
      if raised.count > findings.count {
        findings.reserveCapacity(findings.count + raised.count)
      }
      for finding in raised where places.isEmpty || !places.contains(FindingPlace(finding)) {
        findings.append(finding)
      }
    }
    let isTold = known.contains { $0.code == FindingKind.danglingReference.code }
    var work = OrderedWork<FindingKind, [Finding]>(threads: threads) {
      { kind, emit in
        var sink = FindingSink(kind)
        kind.rule(input, &sink)
        _ = emit(sink.findings)
      }
    }
    for kind in all {
      // A reader that follows references by itself counts rows, which says more than keys.
      if isTold, kind.code == FindingKind.danglingReference.code { continue }
      work.put(kind, take)
    }
    work.finish(take)
    var unsorted: [Finding] = []
    swap(&unsorted, &findings)
    return sorted(unsorted)
  }

  /// The most serious first, then as the catalogue lists them, then by place in the queue.
  package static func sorted(_ findings: consuming [Finding]) -> [Finding] {
    let ranks = Dictionary(
      uniqueKeysWithValues: all.enumerated().map { ($0.element.code, $0.offset) })
    var keys = findings.indices.map { place in
      FindingRank(
        severity: findings[place].severity, kind: ranks[findings[place].code] ?? all.count,
        operation: findings[place].operation ?? 0, place: place)
    }
    keys.sort()
    return arranged(findings, keys.map(\.place))
  }

  /// The findings in a new order, which is made without a copy of all of them.
  private static func arranged(_ findings: consuming [Finding], _ order: [Int]) -> [Finding] {
    var findings = findings
    var order = order
    for start in order.indices {
      // Each takes the place of the one that takes its own, until one takes that of the first.
      var place = start
      while order[place] != start {
        findings.swapAt(place, order[place])
        let next = order[place]
        order[place] = place
        place = next
      }
      order[place] = place
    }
    return findings
  }
}

/// By what findings are sorted.
private struct FindingRank: Comparable {
  let severity: Severity
  let kind: Int
  let operation: Int64
  let place: Int

  static func < (left: FindingRank, right: FindingRank) -> Bool {
    guard left.severity == right.severity else { return left.severity > right.severity }
    return (left.kind, left.operation, left.place) < (right.kind, right.operation, right.place)
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
