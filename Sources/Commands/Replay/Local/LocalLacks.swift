import Bytes
import CommandLineKit
import Records
import Replay
import SyncSDKs

/// What a rehearsal on a store cannot do, or cannot show, as its tables lack columns that services have.
struct LocalLacks {
  /// A table in which no item can be found.
  private struct TableWithoutIDs {
    let name: String
    /// The column that the device takes for the ids; nil where the target has none of its name.
    let column: String?
  }

  private var withoutIDs: [TableWithoutIDs] = []
  /// The tables in which nobody sees that an item was changed since the device read it.
  private var withoutVersions: [String] = []

  /// Looks at the tables of a target that the operations which wait are on.
  init(
    of catalogue: Catalogue, for queue: borrowing ReplayQueue, _ rules: borrowing ReplaySettings
  ) {
    var tables = LocalTables(catalogue, for: queue, rules.dialect)
    let (waiting, conditional) = Self.tables(of: queue)
    let own = queue.catalogue.tablesByName
    for name in waiting.sorted() {
      let path = rules.tables.path(of: name.wrappedValue, rules.dialect)
      guard let asked = LocalTables.parts(ofPath: path).first,
        let table = tables.table(named: asked)
      else { continue }
      if table.index(of: .id) == nil {
        // What the device's store calls the ids of the table's items.
        let id = own[name].flatMap { table in
          table.index(of: .id).map { table.columns[$0].sourceName }
        }
        let column = table.columns.first { column in
          id.map { hasSameBytes($0, column.name) } ?? false
        }
        withoutIDs.append(TableWithoutIDs(name: table.name, column: column?.name))
      } else if table.index(of: .version) == nil, conditional.contains(name) {
        withoutVersions.append(table.name)
      }
    }
  }

  /// The tables that waiting operations name, and those of which some name the version that the device
  /// knew.
  private static func tables(
    of queue: borrowing ReplayQueue
  ) -> (waiting: Set<ExactText>, conditional: Set<ExactText>) {
    var (waiting, conditional): (Set<ExactText>, Set<ExactText>) = ([], [])
    let sdks = queue.sdks
    for operation in queue.operations where operation.state.isPending {
      guard let table = operation.table else { continue }
      waiting.insert(ExactText(table))
      if operation.kind == .update || operation.kind == .delete, operation.baseVersion != nil,
        !sdks[operation.source].sendsSets
      {
        conditional.insert(ExactText(table))
      }
    }
    return (waiting, conditional)
  }

  private static let anyColumn = "COLUMN"

  /// What to make the target with, so that its tables have columns of ids.
  private var remedy: String {
    let options = withoutIDs.map { table in
      "--rename " + quotedForShell("\(table.name).\(table.column ?? Self.anyColumn)=id")
    }
    return firstFew(options.map(escapedForTerminal))
      + (withoutIDs.contains { $0.column == nil }
        ? ", where \(Self.anyColumn) is what holds them now" : "")
  }

  /// What a person should know of them.
  var words: [String] {
    var words: [String] = []
    if !withoutIDs.isEmpty {
      words.append(
        "tables of the target have no column with the ids of items, so nothing can be applied there: "
          + firstFew(withoutIDs.map { escapedForTerminal($0.name) })
          + "; make the target anew with \(remedy)")
    }
    if !withoutVersions.isEmpty {
      words.append(
        "tables of the target have no versions of items, so it is not seen whether they were changed "
          + "since the device read them: "
          + firstFew(withoutVersions.map(escapedForTerminal))
          + "; make the target with them, which are texts in a column called version (--rename, --type)"
      )
    }
    return words
  }
}
