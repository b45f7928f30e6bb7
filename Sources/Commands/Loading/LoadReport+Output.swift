import Bytes
import CommandLineKit
import Exports
import Records

extension LoadReport {
  /// The fields that scripts rely on, and a few more.
  var json: ReportJSON {
    let json: ReportJSON = [
      "output": .string(output),
      "sources": .array(sources.map(Self.json)),
      "tables": .array(
        balances.map { balance in
          let merged = ReportJSON(count: balance.merged)
          return ReportJSON(balance).adding("merged", merged, if: isMerged || balance.merged > 0)
            .adding("columns", absences[ExactText(balance.name)].map { .array($0.map(\.json)) })
        }),
      "queue": ReportJSON(queue),
      "findings": .list(foundList),
    ]
    return json.adding("rejectFiles", rejectFiles?.json)
  }

  /// What was found, with the number of its source where there are several.
  private var foundList: ReportList {
    let isMerged = sources.count > 1
    let parts: [(source: Int?, findings: Findings)] =
      found.map { (isMerged ? $0.source + 1 : nil, $0.findings) }
      + [(nil, Findings(unlistedMergedRows + leftOut))]
    return ReportList {
      parts.lazy.flatMap { part in
        part.findings.lazy.map { finding in
          ReportJSON(finding).adding("source", part.source.map { ReportJSON(count: $0) })
        }
      }
    }
  }

  private static func json(_ source: SourceDescription) -> ReportJSON {
    let json: ReportJSON = [
      "name": .string(source.name), "layout": .string(source.layout.rawValue),
      "generation": ReportJSON(source.generation),
      "files": .array(source.files.map(ReportJSON.init)),
    ]
    return ReportJSON(
      reading: source,
      json.adding("path", source.path.map(ReportJSON.string))
        .adding("device", source.device.map(ReportJSON.string)))
  }

  func text(_ style: TextStyle) -> String {
    let rows = balances.reduce(0) { $0 + $1.written }
    var lines = [books.text(style: style)]
    lines += sources.compactMap(\.readingLine)
    lines += findingLines
    lines += leftOut.map(\.line)
    lines += absenceLines
    lines += balances.filter { $0.merged > 0 && !isMerged }.map { balance in
      "note: \(balance.merged.counted("row", "rows")) of "
        + "\(escapedForTerminal(balance.name)) came more than once just as "
        + (balance.merged == 1 ? "it is, and is" : "they are, and are")
        + " kept once [\(MergedRow.pageCode)]"
    }
    lines += balances.filter { $0.merged > 0 && isMerged }.map { balance in
      "note: \(balance.merged.counted("row", "rows")) of "
        + "\(escapedForTerminal(balance.name)) gave way to "
        + (balance.merged == 1
          ? "a row of the same item in another source; it is"
          : "rows of the same items in other sources; each is")
        + " in rehome_finding [\(MergedRow.code)]"
    }
    lines.append(
      "\(rows.counted("row", "rows")) and "
        + queue.operations.counted("operation", "operations")
        + " are in \(escapedAsOneWord(output)); "
        + (hasSeveralSources ? "the sources are as they were" : "the source is as it was"))
    lines += rejectFiles?.lines ?? []
    return lines.joined(separator: "\n")
  }

  /// Whether several files were read that a person takes for sources; pages of plain files are one
  /// to us, but a database and its side files are one to everybody.
  private var hasSeveralSources: Bool {
    sources.count > 1
      || sources.contains { Layout.ofPlainFiles.contains($0.layout) && $0.files.count > 1 }
  }

  /// The books of each table; rows are rejected in few runs, and have no column in the others.
  private var books: TextTable {
    let hasRejects = balances.contains { $0.rejected > 0 }
    let counts: [(title: String, count: (TableBalance) -> Int)] =
      [("Read", \.read), ("Written", \.written)]
      + (hasRejects ? [("Rejected rows", \.rejected)] : [])
      + [("Rejected cells", \.rejectedCells), ("Left out", \.filtered)]
    var table = TextTable(
      columns: [.init("Table")] + counts.map { .init($0.title, alignment: .right) })
    for balance in balances {
      table.addRow([balance.name] + counts.map { $0.count(balance).grouped })
    }
    return table
  }

  /// A line for each table of JSON in which rows lack columns, which are NULL in them.
  private var absenceLines: [String] {
    balances.compactMap { balance in
      let columns = absences[ExactText(balance.name), default: []].compactMap(\.words)
      guard let first = columns.first else { return nil }
      let more =
        columns.count > 1
        ? "; "
          + (columns.count - 1).counted("more column", "more columns") + " in --json" : ""
      return "note: \(escapedForTerminal(balance.name)).\(escapedForTerminal(first))\(more)"
    }
  }

  /// What was found; what is the same of many sources is listed once.
  private var findingLines: [String] {
    var lines = FindingLines(isShared: isMerged)
    for found in found {
      let label = sources.count > 1 ? escapedAsOneWord(sources[found.source].label) : ""
      // Of rows that lost there may be very many; the books have their number.
      for finding in found.findings
      where finding.code != (isMerged ? MergedRow.code : MergedRow.pageCode) {
        lines.add(finding, about: label)
      }
    }
    return lines.lines
  }
}

extension ReportJSON {
  /// What is reported of a source, with how it was read where that was to be found out.
  init(reading source: SourceDescription, _ json: ReportJSON) {
    let facts = source.readingFacts.map { Member($0.key, .string($0.value)) }
    self = json.adding("reading", .object(facts), if: !facts.isEmpty)
  }
}

extension SourceDescription {
  /// How the bytes of a plain file were read, where that was to be found out.
  var readingFacts: [Fact] {
    guard PlainFormat(rawValue: layout.rawValue) != nil else { return [] }
    return metadata.filter { ![Fact.pathKey, Fact.deviceKey].contains($0.key) }
  }

  var readingLine: String? {
    guard !readingFacts.isEmpty else { return nil }
    let facts = readingFacts.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    return "\(escapedAsOneWord(label)): \(layout.rawValue) (\(escapedForTerminal(facts)))"
  }

  /// What messages call it.
  var label: String { path ?? name }
}
