import Bytes

/// A row that is not written because a row of another source, of the same item, is.
package struct MergedRow: Sourced, Sendable, Equatable {
  /// What a person should know about it.
  package var finding: Finding
  /// The row as an export of its source would show it, as JSON; nil where that is not known.
  package var item: [UInt8]?
  /// Those of its values that no column could take.
  package var rejects: [RejectedValue]
  /// The number of the source that has it.
  package var source: Int32 {
    get { finding.source }
    set { finding.source = newValue }
  }

  /// The code of the findings that tell of such rows.
  package static let code = "same-item-on-several-devices"
  /// What older stores call them.
  package static let formerCode = "item-on-several-devices"
  /// How many findings of one table a report lists; the store has them all.
  package static let mostListed = 1000

  /// The finding that tells of the rows of a table that are not listed.
  package static func rest(_ count: Int, ofTable table: String?) -> Finding {
    Finding(
      code, .note, table: table,
      message:
        "\(count.counting("more row", "more rows")) gave way; each is in rehome_finding of the canonical store",
      count: count)
  }

  /// A row with the finding that tells of it.
  package init(_ finding: Finding, item: [UInt8]?, rejects: [RejectedValue] = []) {
    self.finding = finding
    self.item = item
    self.rejects = rejects
  }
}
