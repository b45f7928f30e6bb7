import Bytes
import CommandLineKit
import Exports
import Records

/// What a conversion or a seed has done.
struct LoadReport: Sendable {
  let output: String
  private(set) var sources: [SourceDescription] = []
  private var twins = TwinSearch()
  private(set) var balances: [TableBalance] = []
  private(set) var queue = QueueCounts()
  /// What was found, with the place of the source that it is about.
  private(set) var found: [(source: Int, findings: Findings)] = []
  /// What the sources themselves have told, in their order.
  private var toldBySources: [Findings] = []
  /// Whether the sources share their tables.
  private(set) var isMerged = false
  private var gaveWay = RowsThatGaveWay()
  /// The place of the last source with a table of a name.
  private var sourcesOfTables: [ExactText: Int] = [:]
  /// What tells of sources that were left out.
  var leftOut: [Finding] = []
  /// The files of rejected rows, where they were asked for.
  var rejectFiles: RejectReport?
  /// The columns of plain files that rows lack or have as null, by table.
  private(set) var absences: [ExactText: [ColumnAbsence]] = [:]

  init(output: String) {
    self.output = output
  }

  /// Takes a source whose rows and queue a store has, and lets the store know what was found in it;
  /// `extra` is told there besides.
  ///
  /// - Throws: `StoreError` of the store.
  mutating func add<Store: StoreWriter & ~Copyable>(
    _ loaded: LoadedSource, in store: borrowing Store, besides extra: [Finding] = []
  ) throws(StoreError) {
    let books = loaded.balances(try store.takeBalances())
    let keeper = Store.keepsRejects ? "rehome_reject" : nil
    let rejects = books.flatMap { $0.rejectFindings(keptIn: keeper) }
    let again = twins.findings(
      of: loaded.source,
      TwinSearch.Contents(
        tables: books.map(\.name), filled: books.filter(\.bringsRows).map(\.name),
        hasQueue: loaded.queue.operations + loaded.queue.errors > 0))
    let findings = loaded.findings + (rejects + store.takeFindings() + again)
    try store.write(findings: findings + extra, files: loaded.source.files)
    balances += books
    queue.add(loaded.queue)
    absences.merge(loaded.absences, uniquingKeysWith: Self.united)
    found.append((sources.count, gaveWay.add(loaded.gaveWay) + findings))
    toldBySources.append(loaded.findings)
    for book in books { sourcesOfTables[ExactText(book.name)] = sources.count }
    sources.append(loaded.source)
    tellLate(store.takeLateFindings())
    for late in store.takeLateBalances() {
      guard let place = balances.lastIndex(where: { hasSameBytes($0.name, late.name) }) else {
        throw StoreError(.internalError, "there are no books of \(late.name) to correct")
      }
      balances[place].add(late)
    }
  }

  /// Takes what is about tables, at the sources that have brought them.
  private mutating func tellLate(_ findings: [Finding]) {
    for finding in findings {
      let place = finding.table.flatMap { sourcesOfTables[ExactText($0)] } ?? sources.count - 1
      // The source may have told of its own rows that they refer to none, and counts them otherwise
      // where it is one of several devices. What the store has lost no source tells.
      let isKnown =
        ["contested-reference", "dangling-reference"].contains(finding.code)
        && toldBySources[place].contains {
          $0.code == finding.code && $0.table == finding.table
            && ($0.column == nil || $0.column == finding.column)
        }
      if isKnown { continue }
      found[place].findings = found[place].findings + [finding]
    }
  }

  /// What the rows of several sources lack of one table, column by column.
  private static func united(_ all: [ColumnAbsence], _ more: [ColumnAbsence]) -> [ColumnAbsence] {
    var all = all
    for absence in more {
      if let place = all.firstIndex(where: { hasSameBytes($0.name, absence.name) }) {
        all[place].add(absence)
      } else {
        all.append(absence)
      }
    }
    return all
  }

  /// What tells of rows that gave way to others and are not listed.
  var unlistedMergedRows: [Finding] { gaveWay.rest }

  /// Makes one of the books that a table has for each source.
  mutating func uniteBalances() {
    var places: [ExactText: Int] = [:]
    var united: [TableBalance] = []
    for balance in balances {
      if let place = places[ExactText(balance.name)] {
        united[place].add(balance)
      } else {
        places[ExactText(balance.name)] = united.count
        united.append(balance)
      }
    }
    balances = united
    isMerged = true
  }

  /// What was found in all sources.
  var findings: Findings { found.reduce(into: Findings()) { $0.append(contentsOf: $1.findings) } }

  var rejects: Int { balances.reduce(0) { $0 + $1.rejected + $1.rejectedCells } }

  /// Reports to the person or the program.
  ///
  /// - Returns: the exit code of the run.
  func tell(_ session: Session) throws(StoreError) -> ExitCode {
    if session.wantsJSON {
      try session.print(json)
    } else {
      session.say(text(session.console.terminal.errorStyle))
    }
    return exitCode(session)
  }

  func exitCode(_ session: Session) -> ExitCode {
    session.exitCode(findings: findings + leftOut, rejects: leftOut.count + rejects)
  }
}

extension TableBalance {
  /// Whether some of its rows were not left out; those that gave way to others count.
  fileprivate var bringsRows: Bool { read > filtered - merged }

  /// The findings that tell of cells that were left empty, one for each reason.
  ///
  /// Readers tell of missing files themselves, with the column that names them.
  func rejectFindings(keptIn keeper: String?) -> [Finding] {
    RejectCode.allCases.compactMap { code in
      guard code != .externalDataMissing, let count = rejectedCellsByCode[code] else { return nil }
      return Finding(
        code.rawValue, code.severity, table: name,
        message: RejectCode.words(count, keptIn: keeper))
    }
  }
}
