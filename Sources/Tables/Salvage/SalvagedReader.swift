import Bytes
package import Records
package import SQLiteFile

/// A store that was rebuilt from what could be read of a damaged one, with the account of that.
package final class SalvagedReader: ReaderView {
  package let base: any StoreReader
  private let account: SalvageAccount
  /// What was wrong with the file, in one phrase.
  private let damage: String

  package init(_ base: any StoreReader, _ account: SalvageAccount, damage: String) {
    self.base = base
    self.account = account
    self.damage = damage
  }

  package var findings: Findings {
    let names = Dictionary(
      keepingFirst: catalogue.tables.map { (ExactText($0.sourceTable), $0.name) })
    return [account.finding(damage: damage)] + account.tableFindings(names) + base.findings
  }
}

extension StoreReader {
  /// Whether this is what could be read of a damaged store, and not the store itself.
  package var isSalvaged: Bool { self is SalvagedReader }
}

extension SalvageAccount {
  /// What is to be said about the file as a whole.
  fileprivate func finding(damage: String) -> Finding {
    var parts = ["the file is damaged (\(damage)), and what can still be read of it was read"]
    if brokenPageCount > 0 { parts.append("broken pages: \(brokenPageCount)") }
    if missingPageCount > 0 { parts.append("pages missing at its end: \(missingPageCount)") }
    if isSchemaDamaged { parts.append("a part of the schema is lost, perhaps with whole tables") }
    if isFreelistDamaged { parts.append("rows that were deleted may have come back") }
    if lacksSideChanges { parts.append("changes in its side files are left out") }
    if ambiguousRows > 0 {
      parts.append("rows left out because several tables may own them: \(ambiguousRows)")
    }
    if unclaimedRows > 0 {
      parts.append(
        "rows left out because no table is sure to own them: \(unclaimedRows)")
    }
    return Finding("store-damaged", .error, message: parts.joined(separator: "; "))
  }

  /// What is to be said about each table that is not whole.
  fileprivate func tableFindings(_ names: [ExactText: String]) -> [Finding] {
    let salvaged = tables.filter {
      !$0.isWhole && !insides.contains(ExactText($0.name))
    }.map { table in
      let state = table.lost == 0 && table.missingParts == 0 ? "in doubt" : "lost"
      var parts = ["a part of \(table.name) is \(state); rows read: \(table.recovered)"]
      if table.lost > 0 { parts.append("rows known to be lost: \(table.lost)") }
      if table.missingParts > 0 {
        parts.append(
          "parts missing, with nobody knows how many rows: \(table.missingParts)")
      }
      if table.doubtful > 0 {
        parts.append("rows that may be mixed up with others: \(table.doubtful)")
      }
      if table.doubtfulPages > 0 {
        parts.append(
          "pages that contradict themselves, and may have had more rows: \(table.doubtfulPages)")
      }
      if table.foundPages > 0 {
        parts.append("pages found that nothing leads to: \(table.foundPages)")
      }
      return Finding(
        "table-salvaged", .error, table: names[ExactText(table.name)] ?? table.name,
        message: parts.joined(separator: "; "))
    }
    return salvaged
      + unreadableTables.map { name in
        Finding(
          "table-salvaged", .error, table: name,
          message: "the rows of \(name) cannot be read page by page, and are left out")
      }
  }
}
