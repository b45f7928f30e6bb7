package import Bytes
package import Records
package import SQLite
package import Tables

/// A new Core Data store: a copy of an empty one that the app itself made, with objects in it.
///
/// It is built beside its destination, so it has identity.
package final class CoreDataStore: AppStore {
  package var filling: any AppTableFilling { tables }

  private let template: ObjectTemplate
  private let tables: AppTables<ObjectTable>
  private let leavesOutUnknown: Bool
  private let keys: ObjectKeys
  /// The tables of the sources that are not loaded.
  private let leftOut: Set<ExactText>
  /// What the queue comes from.
  private var source: SourceDescription?
  /// Where the tables of the current source begin among those of all.
  private var firstOfSource = 0
  /// How many sources are still to come to their end.
  private var sourcesLeft: Int
  /// What came out of the tables of earlier sources at the end of the last.
  private var lateLosses = Losses()
  /// What tells of references that then lead nowhere, or to a row that is another one's.
  private var ofLinks: [Finding] = []

  /// How tables fit a template, of which `catalogue` and `storage` tell what a reader has found.
  ///
  /// References may lead to any of `all`, which are the tables that are left out, too. The rows of the
  /// tables called as `numbered` have no keys of their own.
  ///
  /// - Throws: `StoreError` when the template is not what its model says, or not empty.
  package static func fit(
    of tables: [Table], among all: [Table], in template: AppTemplate, _ catalogue: Catalogue,
    _ storage: ObjectStorage, numbered: Set<ExactText>, leavingOutUnknown: Bool
  ) throws(StoreError) -> AppFit {
    var fit = AppFit(leavingOutUnknown: leavingOutUnknown)
    let template = try ObjectTemplate(template, catalogue, storage)
    let plans = template.tables(for: tables, among: all, &fit)
    template.checkNumbers(of: tables, numbered: numbered, &fit)
    template.checkPartners(of: plans, &fit)
    return fit
  }

  /// Begins a store of these sources for `destination` in a copy of a template, of which
  /// `catalogue` and `storage` tell what a reader has found in it.
  ///
  /// - Throws: `StoreError` when the template is not what its model says or not empty, the file
  ///   cannot be made, or a source cannot be read.
  package init(
    destination: String, replacing: Bool, template: AppTemplate, catalogue: Catalogue,
    storage: ObjectStorage, sources: [ObjectSource], leavingOutUnknown: Bool,
    interruption: Interruption
  ) throws(StoreError) {
    sourcesLeft = sources.count
    leavesOutUnknown = leavingOutUnknown
    self.template = try ObjectTemplate(template, catalogue, storage)
    keys = try ObjectKeys(of: sources, in: self.template, interruption)
    leftOut = Set(sources.flatMap(\.namesOfLeftOut))
    let file = try AppStoreFile(
      destination: destination, replacing: replacing, template: template,
      interruption: interruption, idleFunctions: Self.idleFunctions)
    tables = AppTables(file)
  }

  package func begin(
    _ description: SourceDescription, catalogue: Catalogue, at time: Timestamp, toolVersion: String
  ) throws(StoreError) {
    source = description
    var fit = AppFit(leavingOutUnknown: leavesOutUnknown)
    firstOfSource = tables.plans.count
    tables.plans += template.tables(
      for: catalogue.withoutSources.tables, keyedBy: keys, &fit)
    try template.check(fit)
  }

  package func write(_ tied: consuming MatchedQueue) throws(StoreError) -> QueueCounts {
    let queue = try tables.settled(tied)
    let plans = tables.plans
    sourcesLeft -= 1
    // The rows of a later source may be those that a reference leads to.
    let isLast = sourcesLeft <= 0
    return try tables.file.withDatabase { (connection) throws(SQLiteError) in
      let incomplete = template.tables(without: plans).union(tables.incomplete)
      let links = ObjectLinks(tables: plans, incomplete: incomplete)
      // What the current source loses here counts with what its rows have lost before.
      let earlier = ObjectLinks(
        tables: Array(plans[..<firstOfSource]), incomplete: incomplete)
      let current = ObjectLinks(
        tables: Array(plans[firstOfSource...]), incomplete: incomplete)
      if isLast {
        let lost =
          try earlier.loosen(connection, &lateLosses)
          + current.loosen(connection, &tables.losses)
        for lost in lost {
          tables.takeOut(
            lost.count, ofTable: lost.pairs, isRejected: tables.incomplete.contains(lost.target))
        }
      }
      try links.complete(connection)
      if isLast {
        try earlier.tellLonely(connection, &lateLosses)
        try current.tellLonely(connection, &tables.losses)
        ofLinks = try links.dangling(connection) + links.contested(connection)
      }
      var writer = ObjectQueueWriter(
        template, plans, without: leftOut, lackingRows: tables.incomplete,
        gaps: tables.rowsWithGaps(), of: source)
      var written = try writer.write(queue, connection)
      tables.losses.merge(writer.losses)
      tables.keep(queue.tokens)
      guard isLast else { return written }
      written.tokens = try writer.write(
        tables.earliestTokens(&lateLosses), lacking: tables.tablesToPull, &lateLosses, connection)
      return written
    }
  }

  package func takeLateFindings() -> [Finding] {
    defer { ofLinks = [] }
    return ofLinks + lateLosses.take()
  }

  package consuming func publish() throws(StoreError) {
    let links = ObjectLinks(tables: tables.plans, incomplete: [])
    try tables.file.withDatabase { (connection) throws(SQLiteError) in
      for plan in tables.plans {
        guard let root = plan.storage.root else { continue }
        try connection.raiseLargestKey(ofEntity: root, to: plan.name)
      }
      try links.keepLooseKeys(connection)
    }
    try tables.file.publish()
  }

  /// What triggers of derived attributes call, to tell the framework's own objects.
  private static let idleFunctions = [
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    "NSCoreDataTriggerUpdateAffectedObjectValue",
  ]
}

extension Connection {
  /// Remembers the largest key of a table as given out, at the root of its tree.
  func raiseLargestKey(
    ofEntity root: Int64, to table: String, column: String = "Z_PK", upTo limit: Int64 = .max
  ) throws(SQLiteError) {
    let column = quoted(column)
    try execute(
      """
      UPDATE Z_PRIMARYKEY
      SET Z_MAX = max(ifnull(Z_MAX, 0),
        (SELECT ifnull(max(\(column)), 0) FROM \(quoted(table)) WHERE \(column) <= \(limit)))
      WHERE Z_ENT = \(root)
      """)
  }
}

/// Inserts rows into a table that is an SDK's own.
struct SystemRows: ~Copyable {
  private let columns: [String]
  private var statement: Statement
  private let entity: Int64
  private var key: Int64

  /// Prepares to insert rows behind the largest key; nil where the app has no such table.
  ///
  /// Columns that the app's generation of the SDK does not have are left out.
  init?(
    of entity: String, _ columns: [String], _ template: ObjectTemplate,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let table = template.storage.systemTables[entity],
      let number = template.storage.entities[entity]
    else { return nil }
    let there = template.columns(ofTable: table)
    let columns = columns.filter { there.contains($0) }
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).map(quoted).joined(separator: ", ")
    let marks = Array(repeating: "?", count: columns.count + 3).joined(separator: ", ")
    // Another source may have filled the table before.
    let last = try connection.integer("SELECT ifnull(max(Z_PK), 0) FROM \(quoted(table))")
    let statement = try connection.prepare(
      "INSERT OR ABORT INTO \(quoted(table)) (\(names)) VALUES (\(marks))")
    self.statement = statement
    self.columns = columns
    self.entity = number
    key = max(template.keyOffset(ofRoot: number), last)
  }

  mutating func insert(_ values: [String: RawValue]) throws(SQLiteError) {
    key += 1
    try statement.bind(key, at: 1)
    try statement.bind(entity, at: 2)
    try statement.bind(1, at: 3)
    for (place, column) in columns.enumerated() {
      switch values[column] {
      case nil: try statement.bindNull(at: place + 4)
      case .integer(let number): try statement.bind(number, at: place + 4)
      case .real(let number): try statement.bind(number, at: place + 4)
      case .text(let text): try statement.bind(text: text, at: place + 4)
      case .binary(let bytes): try statement.bind(blob: bytes, at: place + 4)
      }
    }
    try statement.run()
  }
}

extension RawValue {
  static func text(_ text: String) -> RawValue { .text(Array(text.utf8)) }
}

/// An identifier in capitals that depends only on what it is made of.
func derivedGUID(_ parts: [String]) -> String {
  var hash = SHA256()
  let text = Array(parts.joined(separator: "\u{0}").utf8)
  hash.update(text.span)
  var bytes: [UInt8] = []
  bytes.appendUUID(hash.finish().bytes.span.extracting(0..<16))
  return String(decoding: bytes, as: UTF8.self)
}
