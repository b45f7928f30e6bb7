import Bytes
import Records

/// The references of all tables and the rows that are there for them.
struct ReferenceLinks {
  private var keys: [ExactText: KeySet] = [:]
  private var columns: [[(name: String, keys: [ExactText: KeySet])]] = []

  /// Takes in what was seen of the next table.
  mutating func add(_ survey: TableSurvey, _ table: Table) {
    keys[ExactText(table.name)] = survey.keys
    let ownName = ExactText(table.sourceName)
    if keys[ownName] == nil { keys[ownName] = survey.keys }
    columns.append(
      survey.references.map { (name: table.columns[$0.column].name, keys: $0.keys) })
  }

  /// The references of a table that lead nowhere; those into tables that are not here say nothing.
  func dangling(ofTable index: Int) -> [TableFacts.DanglingReference] {
    var found: [TableFacts.DanglingReference] = []
    for column in columns[index] {
      for target in column.keys.keys.sorted() {
        guard let present = keys[target], let wanted = column.keys[target] else { continue }
        let (count, least) = wanted.missing(in: present)
        guard let least else { continue }
        found.append(
          TableFacts.DanglingReference(
            column: column.name, target: target.wrappedValue, keys: count, example: least))
      }
    }
    return found
  }
}
