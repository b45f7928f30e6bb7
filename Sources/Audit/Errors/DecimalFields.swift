import Bytes
import Records

/// The fields of each table that hold decimals, by any of its names.
struct DecimalFields: Sendable {
  private var fields: [ExactText: Set<ExactText>] = [:]

  /// Looks them up in a catalogue.
  init(in catalogue: Catalogue) {
    for table in catalogue.tables {
      let columns = table.columns.filter { $0.type == .decimal }
      guard !columns.isEmpty else { continue }
      let names = Set(columns.flatMap { [$0.name, $0.sourceName] }.map { ExactText(folding: $0) })
      for name in [table.name, table.sourceName] { fields[ExactText(folding: name)] = names }
    }
  }

  /// What compares two copies of an item of a table.
  func comparison(ofTable table: String?) -> ItemComparison {
    guard !fields.isEmpty, let table else { return ItemComparison() }
    return ItemComparison(decimals: fields[ExactText(folding: table)] ?? [])
  }
}
