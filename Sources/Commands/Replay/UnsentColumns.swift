import Bytes
import Canonical
import CommandLineKit
import Records
import Replay
import SyncSDKs

/// The columns with values that are left out of the rows that are sent.
struct UnsentColumns {
  /// Those that refer to other rows by keys, of which only the device knows.
  private var links: [String] = []
  /// Those of the app that are called as what the server keeps of its own.
  private var names: [String] = []
  /// Those of the app of which the SDK never sends anything.
  private var reserved: [String] = []
  /// What the store's own server speaks, where it takes all of the latter.
  private let wayOut: Dialect?

  /// Looks at the tables of a store whose rows a queue sends.
  init(
    in store: any OpenStore, _ queue: borrowing ReplayQueue, _ dialect: Dialect
  ) throws(StoreError) {
    let sdks = queue.sdks
    let sent = queue.operations.keeping { operation in
      let sdk = sdks[operation.source]
      return operation.state.isPending && operation.kind != .delete && !sdk.sendsSets
        && (sdk.style.sendsRows || operation.item == nil)
    }.tableNames
    var own = Self.ownDialect(of: queue)
    for table in queue.catalogue.tables where sent.contains(ExactText(table.name)) {
      let unsent = table.columns.filter { column in
        column.role == .reference
          || column.role == .value
            && (Self.isReserved(column, by: sdks)
              || dialect.leavesOut(column.sourceName)
                && sdks.traits.contains { $0.style.sends(column) })
      }
      for column in try store.columnsWithValues(among: unsent, in: table) {
        if column.role == .reference {
          links.append("\(table.name).\(column.name)")
        } else if Self.isReserved(column, by: sdks) {
          reserved.append("\(table.sourceName).\(column.sourceName)")
        } else {
          // Whatever it is called by now, it would be sent by the source's name.
          names.append("\(table.sourceName).\(column.sourceName)")
          if own?.leavesOut(column.sourceName) != false { own = nil }
        }
      }
    }
    // Servers of these SDKs speak what no option chooses.
    wayOut = own == .rows ? nil : own
  }

  /// Whether the SDKs, all of Azure, have never sent a column of the app, as it is called like theirs;
  /// what others keep under such names is their own.
  private static func isReserved(_ column: Column, by sdks: DeviceSDKs) -> Bool {
    sdks.traits.allSatisfy { $0.service == nil && $0.style.reserves(column) }
  }

  /// What the servers of all devices speak that have operations; nil where they differ.
  private static func ownDialect(of queue: borrowing ReplayQueue) -> Dialect? {
    let spoken = Set(queue.origins.map { SDK.traits(of: $0).dialect })
    return spoken.count == 1 ? spoken.first ?? nil : nil
  }

  /// What a person should know of them.
  var words: [String] {
    var words: [String] = []
    if !links.isEmpty {
      words.append(
        "references to other rows are not sent, as only the device knows their keys: \(list(links))"
      )
    }
    if !reserved.isEmpty {
      words.append(
        "columns that the app's SDK never sends, as they are called, and that have values in some "
          + "rows, are not sent: \(list(reserved))")
    }
    if !names.isEmpty {
      words.append(
        "columns that are called as what the server keeps of its own, and have values in some rows, "
          + "are not sent: \(list(names)); --rename does not change that"
          + (wayOut.map { ", but --dialect \($0.rawValue) does, that of the store's own server" }
            ?? ""))
    }
    return words
  }

  private func list(_ names: [String]) -> String { firstFew(names.map(escapedForTerminal)) }
}
