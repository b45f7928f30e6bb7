import Bytes
import Records
import SQLite
import Tables

/// What the SDKs for devices know of the items that the server has: versions and tombstones.
struct AmplifyMetadata: Sendable {
  /// The bookkeeping table; nil where rows have their versions themselves.
  private let table: String?
  private let deletedColumn: String
  private let versionColumn: String
  /// The app's tables, with the column that tells their items apart.
  private let models: [(name: String, key: String?)]
  /// Whether ids stand without the names of their models, as the first releases wrote them.
  private(set) var isBare = false
  /// What the ids show; nil where there are none.
  private(set) var sight: String?

  /// Looks at the ids of a variant's metadata.
  init(
    _ variant: AmplifyDataStore.Variant, models: [SchemaTable],
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    table =
      switch variant {
      case .ios: AmplifyNames.iosMetadata
      case .android: AmplifyNames.metadata
      case .js: nil
      }
    (deletedColumn, versionColumn) =
      variant == .ios ? ("deleted", "version") : ("_deleted", "_version")
    let identity = ItemIdentity.primaryKey(unless: AmplifyNames.compositeKey)
    self.models = models.map { model in
      (model.name, identity.place(in: model.columns).map { model.columns[$0].name })
    }
    let names = Set(models.map { Array($0.name.utf8) })
    var hasRows = false
    var hasBare = false
    var hasPrefixed = false
    try forEach(connection) { row in
      hasRows = true
      guard let bar = row.id.firstIndex(of: Self.bar) else {
        hasBare = true
        return
      }
      if names.contains(Array(row.id[..<bar])) { hasPrefixed = true }
    }
    isBare = hasBare && !hasPrefixed
    guard hasRows else { return }
    sight = "ids of items stand \(isBare ? "without" : "behind") the names of their models"
  }

  private static let bar = UInt8(ascii: "|")

  var versions: VersionTable? {
    table.map { VersionTable(name: $0, column: versionColumn, isPrefixed: !isBare) }
  }

  /// A row of the metadata, of which the id is UTF-8.
  struct Row {
    let number: Int64
    let id: [UInt8]
    let isDeleted: Bool
    let version: Int64?

    fileprivate init(_ statement: borrowing Statement) {
      id = statement.bytes(at: 0)
      isDeleted = statement.storageClass(at: 1) == .integer && statement.integer(at: 1) == 1
      version = statement.storageClass(at: 2) == .integer ? statement.integer(at: 2) : nil
      number = statement.integer(at: 3)
    }
  }

  /// Goes through all rows, and tells of ids that are no text.
  func forEach(
    _ connection: borrowing Connection, telling tell: ([Finding]) -> Void = { _ in },
    _ body: (Row) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard let table else { return }
    var statement = try connection.prepare(
      "SELECT \"id\", \(quoted(deletedColumn)), \(quoted(versionColumn)), rowid "
        + "FROM \(quoted(table)) NOT INDEXED ORDER BY rowid")
    var number = 0
    while try statement.step() {
      number += 1
      guard statement.strictText(at: 0) != nil else {
        tell(Finding.damagedNames(in: statement, at: [(0, "id")], of: ("metadata", number)))
        continue
      }
      try body(Row(statement))
    }
  }

  /// What an id of the metadata names; the model is nil where only the item is named.
  func item(of id: [UInt8]) -> ItemName {
    let text = { (bytes: ArraySlice<UInt8>) in String(decoding: bytes, as: UTF8.self) }
    guard !isBare, let bar = id.firstIndex(of: Self.bar) else {
      return ItemName(text(id[...]), of: nil)
    }
    return ItemName(text(id[(bar + 1)...]), of: text(id[..<bar]))
  }

  /// The item of an operation, as the metadata would name it.
  func item(of operation: PendingOperation, _ names: TableNames) -> ItemName? {
    operation.itemID.map { ItemName($0, of: isBare ? nil : names.own(operation.table)) }
  }
}

extension AmplifyMetadata {
  /// Gives operations the versions that the metadata knows, and tells what it shows besides.
  ///
  /// The larger of that version and the one that an operation has itself counts.
  func complete(
    _ queue: inout Queue, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard table != nil else { return }
    let versions = try AmplifyVersions(for: queue.operations, self, names, connection)
    var rest = Remains(names: names)
    let known = Set(models.map { ExactText($0.name) })
    var damaged = ListedFindings()
    let tell = { (findings: [Finding]) in damaged.append(contentsOf: findings) }
    try forEach(connection, telling: tell) { row in
      let item = item(of: row.id)
      guard item.table.map({ !known.contains($0) }) ?? !isBare else { return }
      // No table can have the row of such an id.
      rest.addLost(item, row.isDeleted, waits: versions.waits(forRow: row.number))
    }
    if !versions.isEmpty {
      queue.operations.updateEach { place, operation in operation.raise(versions[place]) }
    }
    for model in models {
      try examine(model.name, key: model.key, versions, &rest, connection)
    }
    queue.tell(damaged.all + rest.findings())
  }

  /// Compares the metadata of one model with its rows.
  private func examine(
    _ model: String, key: String?, _ versions: AmplifyVersions, _ rest: inout Remains,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let table else { return }
    let prefix = isBare ? "" : model + "|"
    let start = quotedLiteral(prefix)
    // The least text behind all that begin with the prefix: `}` follows the bar.
    let range =
      isBare ? "" : "AND m.\"id\" >= \(start) AND m.\"id\" < \(start.dropLast(2) + "}'")"
    let item = isBare ? "m.\"id\"" : "substr(m.\"id\", length(\(start)) + 1)"
    let exists = key.map {
      "EXISTS (SELECT 1 FROM \(quoted(model)) AS r WHERE r.\(quoted($0)) = \(item))"
    }
    var statement = try connection.prepare(
      "SELECT \(item), m.\(quoted(deletedColumn)) IS 1, \(exists ?? "0"), m.rowid "
        + "FROM \(quoted(table)) AS m WHERE typeof(m.\"id\") = 'text' \(range)")
    while try statement.step() {
      guard let id = statement.strictText(at: 0) else { continue }
      let name = ItemName(id, of: isBare ? nil : model)
      let isDeleted = statement.integer(at: 1) != 0
      if statement.integer(at: 2) != 0 {
        rest.addRow(of: name, in: model, isDeleted)
      } else {
        rest.addLost(name, isDeleted, waits: versions.waits(forRow: statement.integer(at: 3)))
      }
    }
  }

  /// What is left of the metadata when rows and operations are taken away.
  private struct Remains {
    private let names: TableNames
    /// What is told of items whose rows are still here, and of items without a row that are not
    /// deleted and for which nothing waits.
    private var deleted = ListedFindings()
    private var lost = ListedFindings()
    private var tombstones: [String: Int] = [:]
    /// For ids that name no model, the tables that have their rows.
    private var holders: [ItemName: Int] = [:]
    /// The same items for each model; only those that none has are lost.
    private var bareLost: [ItemName: (isDeleted: Bool, waits: Bool)] = [:]

    init(names: TableNames) { self.names = names }

    mutating func addRow(of name: ItemName, in table: String, _ isDeleted: Bool) {
      if name.table == nil { holders[name, default: 0] += 1 }
      guard isDeleted else { return }
      deleted.append(
        Finding(
          "row-deleted-on-server", .warning, table: names.canonical(exactly: table),
          itemID: name.id.wrappedValue,
          message: "the server has deleted the item, and its row is still here"))
    }

    mutating func addLost(_ name: ItemName, _ isDeleted: Bool, waits: Bool) {
      guard name.table != nil else {
        bareLost[name] = (isDeleted, waits)
        return
      }
      count(name, isDeleted, waits)
    }

    private mutating func count(_ name: ItemName, _ isDeleted: Bool, _ waits: Bool) {
      let model = name.table?.wrappedValue
      if isDeleted {
        tombstones[model ?? "no model", default: 0] += 1
      } else if !waits {
        lost.append(
          Finding(
            "version-without-row", .warning, table: names.canonical(exactly: model),
            itemID: name.id.wrappedValue,
            message: "the server has the item, but there is no row of it, and nothing waits for it")
        )
      }
    }

    mutating func findings() -> [Finding] {
      for (name, state) in bareLost.sorted(by: { $0.key.isBefore($1.key) })
      where holders[name] == nil {
        count(name, state.isDeleted, state.waits)
      }
      let shared = holders.filter { $0.value > 1 }.sorted { $0.key.isBefore($1.key) }
        .map { name, count in
          Finding(
            "ambiguous-version-key", .warning, itemID: name.id.wrappedValue,
            message: count.counting("table has", "tables have")
              + " an item with this id, and the metadata names no table")
        }
      return [deleted, lost].flatMap(\.all) + shared + tombstoneFindings
    }

    private var tombstoneFindings: [Finding] {
      guard !tombstones.isEmpty else { return [] }
      let counts = tombstones.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return [
        Finding(
          "tombstones-kept", .note,
          message: "deleted items are still known: " + counts.joined(separator: ", "))
      ]
    }
  }
}

extension AmplifyMetadata {
  /// Tells of a store that was never synchronised at all, and of keys that lead nowhere.
  func examineRows(
    _ queue: inout Queue, _ tables: SystemTables, names: TableNames,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for model in models {
      try examineKeys(of: model.name, &queue, names: names, connection)
    }
    guard sight == nil, queue.operations.isEmpty, queue.tokens.isEmpty else { return }
    var hasRows = false
    for model in models {
      let name = quoted(model.name)
      if try connection.integer("SELECT EXISTS (SELECT 1 FROM \(name))") != 0 { hasRows = true }
      guard table == nil, tables.hasExactly(model.name, ["_version"]) else { continue }
      let versions = "SELECT EXISTS (SELECT 1 FROM \(name) WHERE \"_version\" IS NOT NULL)"
      if try connection.integer(versions) != 0 { return }
    }
    guard hasRows else { return }
    queue.tell(
      Finding(
        "never-synced", .note,
        message: "there are rows, but nothing was ever sent or pulled: the app worked alone"))
  }

  private func examineKeys(
    of model: String, _ queue: inout Queue, names: TableNames,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var links: [(number: Int64, column: String, target: String, key: String)] = []
    var statement = try connection.prepare("PRAGMA main.foreign_key_list(\(quoted(model)))")
    while try statement.step() {
      guard let column = statement.text(at: 3), let name = statement.text(at: 2),
        let target = models.first(where: { ExactText(sqlName: $0.name) == ExactText(sqlName: name) }
        ),
        let key = statement.text(at: 4) ?? target.key
      else { continue }
      links.append((statement.integer(at: 0), column, target.name, key))
    }
    // The engine lists the last one first.
    links.sort { $0.number > $1.number }
    for link in links {
      let column = "r.\(quoted(link.column))"
      var statement = try connection.prepare(
        "SELECT count(DISTINCT \(column)), min(\(column)) FROM \(quoted(model)) AS r WHERE "
          + "\(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(quoted(link.target)) AS t "
          + "WHERE t.\(quoted(link.key)) = \(column))")
      guard try statement.step(), statement.integer(at: 0) > 0 else { continue }
      let example = statement.strictText(at: 1) ?? "no text"
      queue.tell(
        Finding(
          "dangling-reference", .warning, table: names.canonical(exactly: model),
          message: statement.integer(at: 0).counting("key", "keys") + " in \(link.column) "
            + (statement.integer(at: 0) == 1 ? "leads" : "lead") + " to no row of "
            + "\(link.target), the first is \(example)"))
    }
  }
}

extension PendingOperation {
  /// Takes a version if it is larger than the one that the operation has; an insert has none.
  fileprivate mutating func raise(_ version: Int64?) {
    guard let version, kind == .update || kind == .delete else { return }
    if let own = baseVersion.flatMap({ Int64($0) }), own >= version { return }
    baseVersion = String(version)
  }
}

extension ItemName {
  /// Whether the item is told before another one by its id alone.
  fileprivate func isBefore(_ other: ItemName) -> Bool {
    id.wrappedValue < other.id.wrappedValue
  }
}
