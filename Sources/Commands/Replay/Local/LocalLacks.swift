import Bytes
import CommandLineKit
import Records
import Replay
import SyncSDKs

/// What a rehearsal on a store cannot do, or cannot show, as its tables lack columns that services have.
struct LocalLacks {
  /// The tables in which no item can be found, and how they get a column with ids.
  private var withoutIDs: [(table: String, remedy: String)] = []
  /// The tables in which nobody sees that an item was changed since the device read it.
  private var withoutVersions: [String] = []

  /// Looks at the tables of a target that the operations which wait are on.
  init(
    of catalogue: Catalogue, for queue: borrowing ReplayQueue, _ rules: borrowing ReplaySettings
  ) {
    var tables = LocalTables(catalogue, for: queue, rules.dialect)
    let sdks = queue.sdks
    let waiting = queue.operations.keeping { $0.state.isPending }
    let conditional = waiting.keeping { operation in
      [.update, .delete].contains(operation.kind) && operation.baseVersion != nil
        && !sdks[operation.source].sendsSets
    }.tableNames
    for name in waiting.tableNames.sorted() {
      let path = rules.tables.path(of: name.wrappedValue, rules.dialect)
      guard let asked = LocalTables.parts(ofPath: path).first,
        let table = tables.table(named: asked)
      else { continue }
      if table.index(of: .id) == nil {
        withoutIDs.append((table.name, Self.remedy(for: table, queue.catalogue, name)))
      } else if table.index(of: .version) == nil, conditional.contains(name) {
        withoutVersions.append(table.name)
      }
    }
  }

  private static let anyColumn = "COLUMN"

  /// How to make the target anew so that the table has a column with ids.
  private static func remedy(
    for table: Table, _ device: Catalogue, _ name: ExactText
  ) -> String {
    let own = device.tables.first { hasSameBytes($0.name, name.wrappedValue) }
    let id = own.flatMap { own in own.index(of: .id).map { own.columns[$0].sourceName } }
    let known = table.columns.first { column in id.map { hasSameBytes($0, column.name) } ?? false }
    return "--rename " + quotedForShell("\(table.name).\(known?.name ?? anyColumn)=id")
  }

  /// What a person should know of them.
  var words: [String] {
    var words: [String] = []
    if !withoutIDs.isEmpty {
      words.append(
        "tables of the target have no column with the ids of items, so nothing can be applied there: "
          + firstFew(withoutIDs.map { escapedForTerminal($0.table) })
          + "; make the target anew with "
          + firstFew(withoutIDs.map { escapedForTerminal($0.remedy) })
          + (withoutIDs.contains { $0.remedy.contains(Self.anyColumn) }
            ? ", where \(Self.anyColumn) is what holds them now" : ""))
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
