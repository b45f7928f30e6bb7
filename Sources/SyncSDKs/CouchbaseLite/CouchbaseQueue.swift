import Bytes
import Formats
import Records
import SQLite
import Tables

/// Reads what was never pushed: the ends of branches above the checkpoint, in push order.
struct CouchbaseQueue: ~Copyable {
  private let survey: CouchbaseSurvey
  private let catalogue: Catalogue
  private var tree: CouchbaseTree
  private var attachments: CouchbaseAttachments
  private var ids: CouchbaseIDs

  init(
    _ survey: CouchbaseSurvey, _ catalogue: Catalogue, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let tree = try CouchbaseTree(connection, typeKey: survey.typeKey)
    let attachments = try CouchbaseAttachments(connection, survey.schema)
    ids = try CouchbaseIDs(connection)
    self.survey = survey
    self.catalogue = catalogue
    self.tree = tree
    self.attachments = attachments
  }

  /// Reads the operations and the tokens.
  mutating func read(_ connection: borrowing Connection) throws(SQLiteError) -> Queue {
    var queue = Queue()
    queue.tokens = survey.checkpoints.tokens
    var leaves = try connection.prepare(
      "SELECT \(CouchbaseRevision.columns) FROM \(CouchbaseLite.revisions) NOT INDEXED "
        + "WHERE rowid > ? AND current ORDER BY rowid")
    try leaves.bind(survey.checkpoints.floor, at: 1)
    while try leaves.step() {
      let leaf = CouchbaseRevision(leaves)
      guard !leaf.isRemoved else { continue }
      var operation = try self.operation(of: leaf)
      operation.sequence = Int64(queue.operations.count + 1)
      queue.operations.append(operation)
      if operation.lacksContent, leaf.json != nil { queue.tell(.branchWithoutValue(operation)) }
      // Which branch is meant is to be known before one is sent.
      if let words = survey.dispute(over: leaf.document) {
        queue.tell(Finding("document-conflict", .warning, operation, words))
      }
    }
    return queue
  }

  private mutating func operation(
    of leaf: CouchbaseRevision
  ) throws(SQLiteError) -> PendingOperation {
    let line = try tree.line(of: leaf)
    let type = try tree.type(of: leaf)
    let place = survey.table(ofType: type)
    let isShown = place.map { $0 < survey.shownCount } ?? false
    var operation = PendingOperation()
    operation.table =
      isShown ? place.map { catalogue.tables[$0].name } : CouchbaseTable(type).wantedName
    operation.itemID = try ids.text(of: leaf.document)
    operation.originalID = String(leaf.sequence)
    let known = line.dropFirst().first { $0.sequence <= survey.checkpoints.floor }
    let isBornHere = known == nil && Self.isBornHere(line)
    operation.kind = leaf.isDeleted ? .delete : isBornHere ? .insert : .update
    operation.baseVersion =
      isBornHere ? nil : known.map(\.name) ?? line.dropFirst().first?.name
    let deletesBranchOnly = leaf.isDeleted && survey.outliving.contains(leaf.document)
    operation.raw = .text(Self.raw(line, deletesBranchOnly: deletesBranchOnly))
    if leaf.isDeleted {
      operation.item = line.first(where: \.hasProperties)?.json?.bytes
    } else if let place, leaf.json != nil {
      // A push leaves out what has no body, and so there is nothing to send.
      if isShown, survey.tables[place].shows(leaf) {
        operation.rowKey = leaf.document
      } else {
        operation.item = try shown(leaf, survey.tables[place])
      }
    }
    return operation
  }

  /// Whether a document was made on this device, as far as its revisions tell: from the first on,
  /// and with all bodies, which a pull does not bring.
  private static func isBornHere(_ line: [CouchbaseRevision]) -> Bool {
    guard let root = line.last, root.parent == nil else { return false }
    return CouchbaseRevisionName(root.name).generation?.number == 1
      && line.allSatisfy { $0.json != nil }
  }

  /// The body as stored, with the name of its revision and of those that it was made from; of a
  /// tombstone also that its document is there all the same.
  private static func raw(_ line: [CouchbaseRevision], deletesBranchOnly: Bool) -> [UInt8] {
    var object = JSONObject()
    object["revid"] = line.first?.name.map { .string($0) } ?? .null
    object["ancestors"] = .array(
      line.dropFirst().map { $0.name.map { .string($0) } ?? .null })
    switch line.first?.json {
    case nil: object["json"] = .null
    case let json? where isValidUTF8(json.bytes.span):
      object["json"] = .string(String(decoding: json.bytes, as: UTF8.self))
    case let json?:
      object["jsonBase64"] = .string(base64Text(json.bytes))
    }
    if deletesBranchOnly { object["deletesBranchOnly"] = .boolean(true) }
    return object.json
  }

  /// A leaf as a row; nil where a value has no place there, for which null would be sent.
  private mutating func shown(
    _ leaf: CouchbaseRevision, _ columns: CouchbaseTable
  ) throws(SQLiteError) -> [UInt8]? {
    let table = columns.table(named: columns.wantedName)
    var batch = RecordBatch(columnCount: table.columns.count)
    columns.append(
      leaf, id: try ids.raw(of: leaf.document), try attachments.json(of: leaf), to: &batch)
    guard batch.rejects.allSatisfy({ table.columns[$0.column].role != .value }) else { return nil }
    var json: [UInt8] = []
    RowJSON(of: table).append(row: 0, of: batch, to: &json)
    return json
  }
}

extension PendingOperation {
  /// Whether an insert or update has neither a row nor an item.
  fileprivate var lacksContent: Bool { kind != .delete && rowKey == nil && item == nil }
}

extension Finding {
  fileprivate static func branchWithoutValue(_ operation: PendingOperation) -> Finding {
    Finding(
      "operation-without-value", .error, operation,
      "a value of the branch that this \(operation.kind?.rawValue ?? "operation") would send could "
        + "not be taken over")
  }
}

/// Finds the ids of documents by their numbers.
struct CouchbaseIDs: ~Copyable {
  private var statement: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    statement = try connection.prepare(
      "SELECT docid FROM \(CouchbaseLite.documents) NOT INDEXED WHERE rowid = ?")
  }

  /// The id as stored; nil where the document is not listed.
  mutating func raw(of document: Int64) throws(SQLiteError) -> RawValue? {
    try statement.bind(document, at: 1)
    defer { statement.reset() }
    return try statement.step() ? statement.optionalRaw(at: 0) : nil
  }

  /// The id where it is a text.
  mutating func text(of document: Int64) throws(SQLiteError) -> String? {
    guard case .text(let bytes)? = try raw(of: document), isValidUTF8(bytes.span) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
