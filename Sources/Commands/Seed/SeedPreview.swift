import Bytes
import CommandLineKit
import Exports
import Records
import Tables

/// What a seed would load: the tables of all inputs, with the types of their columns, and what does
/// not fit.
struct SeedPreview {
  let readers: [any StoreReader]
  /// How they fit the template of an app's store.
  let fit: AppFit?
  /// What came of a trial; nil where it came to no end.
  private var report: LoadReport?

  /// Tells of inputs that are open.
  init(readers: [any StoreReader], fit: AppFit?) {
    self.readers = readers
    self.fit = fit
  }

  /// Shows the tables with what came of a trial, also where that has failed.
  ///
  /// - Returns: the exit code that a run would have.
  func show(
    _ session: Session, _ limit: RejectLimit, after trial: () throws(StoreError) -> LoadReport
  ) throws(StoreError) -> ExitCode {
    let outcome = Result(catching: trial)
    var shown = self
    if case .success(let report) = outcome { shown.report = report }
    if session.wantsJSON {
      try session.print(shown.json)
    } else {
      try session.console.show(shown.text(session.console))
    }
    let report = try outcome.get()
    try limit.check(report.balances)
    return report.exitCode(session)
  }

  /// What is to be told: all of it after a trial, else what opening has shown.
  private var findings: Findings {
    report?.findings
      ?? readers.reduce(into: Findings()) { $0.append(contentsOf: $1.findings) }
  }

  /// The tables for a program.
  var json: ReportJSON {
    let tables = readers.flatMap { reader in
      reader.catalogue.tables.enumerated().map { index, table -> ReportJSON in
        let balance = report?.balances.first { hasSameBytes($0.name, table.name) }
        let columns = table.columns.enumerated().map { place, column -> ReportJSON in
          [
            "name": .string(column.name), "type": .string(column.type.rawValue),
            "role": .string(column.role.rawValue),
            "reason": ReportJSON(Self.reason(reader, table: index, column: place)),
          ]
        }
        return (balance.map { ReportJSON($0) } ?? ["name": .string(table.name)])
          .adding("source", .string(reader.source.name)).adding("columns", .array(columns))
      }
    }
    let sources = readers.map { reader in
      ReportJSON(reading: reader.source, ["name": .string(reader.source.name)])
    }
    let json: ReportJSON = [
      "tables": .array(tables), "sources": .array(sources),
      "findings": ReportJSON(findings),
    ]
    return json.adding("misfits", fit.map { .array($0.misfits.map(Self.json)) })
      .adding("leftOut", fit.map { .array(Self.leftOut($0).map(ReportJSON.string)) })
  }

  /// The tables for a person, one column a line.
  func text(_ console: Console) -> String {
    var list = TextTable(columns: [
      .init("Table"), .init("Column"), .init("Type"), .init("Role"), .init("From"),
      .init("Because"),
    ])
    for reader in readers {
      for (index, table) in reader.catalogue.tables.enumerated() {
        for (place, column) in table.columns.enumerated() {
          list.addRow([
            table.name, column.name, column.type.rawValue, column.role.rawValue,
            reader.source.name,
            Self.reason(reader, table: index, column: place) ?? "the input says so",
          ])
        }
      }
    }
    let told =
      readers.compactMap(\.source.readingLine)
      + findings.filter { !$0.isOfOneRow }.map {
        $0.line(about: $0.place)
      } + (fit.map(Self.leftOut) ?? []).map { "left out: \(escapedForTerminal($0))" }
    return list.text(style: console.terminal.outputStyle) + "\n"
      + told.map { $0 + "\n" }.joined()
  }

  private static func json(_ misfit: AppFit.Misfit) -> ReportJSON {
    [
      "table": .string(misfit.table), "column": ReportJSON(misfit.column),
      "message": .string(misfit.message),
    ]
  }

  /// What is left out because the app knows nothing of it.
  private static func leftOut(_ fit: AppFit) -> [String] {
    fit.unknownTables.sorted().map(\.wrappedValue)
      + fit.unknownColumns.map { "\($0.table).\($0.column)" }
  }

  /// Why a column of a plain file has its type; nil for other inputs.
  private static func reason(_ reader: any StoreReader, table: Int, column: Int) -> String? {
    reader.plainFiles?.typeReason(ofColumn: column, inTable: table)
  }
}

extension Finding {
  /// Whether it tells of one of very many rows, whose number the books have.
  fileprivate var isOfOneRow: Bool { [MergedRow.code, MergedRow.pageCode].contains(code) }
}
