import Bytes
import Records

/// The references of all tables and the rows that are there for them.
struct ReferenceLinks {
  /// The rows of tables to which references may lead.
  private var keys: [ExactText: KeySet] = [:]
  /// The names of these tables; nil where rows tell the tables themselves.
  private var targets: Set<ExactText>? = []
  private var columns: [[(name: String, keys: [ExactText: KeySet])]] = []

  /// Has seen no table of a catalogue yet.
  init(of catalogue: Catalogue) {
    for table in catalogue.tables {
      for (place, column) in table.columns.enumerated() where column.role == .reference {
        if let target = column.target {
          targets?.insert(ExactText(target))
        } else if table.entityPlace(ofReferenceAt: place) != nil {
          targets = nil
        }
      }
    }
  }

  /// Whether some reference may lead to rows of a table.
  func mayLead(to table: Table) -> Bool {
    guard let targets else { return true }
    return targets.contains(ExactText(table.name)) || targets.contains(ExactText(table.sourceName))
  }

  /// Takes in what was seen of the next table.
  mutating func add(_ survey: TableSurvey, _ table: Table) {
    if mayLead(to: table) {
      keys[ExactText(table.name)] = survey.keys
      let ownName = ExactText(table.sourceName)
      if keys[ownName] == nil { keys[ownName] = survey.keys }
    }
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
