import Bytes
import Records
import SyncSDKs

@testable import Audit

/// A store's queue and rows in a few words, for tests of single rules.
struct AuditSituation {
  var layout = Layout.azureMobileIOS
  var origin: String?
  var generation: String?
  /// The layouts of the devices, where the store is one of several.
  var devices: [String] = []
  var queue = Queue()
  /// The entities above those that have tables.
  var parents: Set<String> = []
  var facts = TableFacts(name: "TodoItem")
  var columns = [
    Column(name: "id", type: .text, role: .id), Column(name: "text", type: .text),
    Column(name: "version", type: .text, role: .version),
    Column(name: "updatedAt", type: .timestamp, role: .updatedAt),
  ]

  /// An ordinary table: three rows with versions, one of them new today.
  init() {
    facts.rows = 3
    facts.rowsWithVersion = 3
    facts.newestUpdate = "2016-10-03T06:30:00.250Z"
  }

  /// Operations on one item, numbered on; rows are there unless the last is a delete.
  mutating func add(_ kinds: OperationKind?..., item: String = "a", version: String? = "AAAA=") {
    for kind in kinds {
      var operation = PendingOperation()
      operation.sequence = Int64(queue.operations.count + 1)
      operation.originalID = String(operation.sequence)
      operation.table = "TodoItem"
      operation.itemID = item
      operation.kind = kind
      if kind == .delete { operation.item = Array("{\"id\":\"\(item)\"}".utf8) }
      if kind == .insert || kind == .update { operation.rowKey = 1 }
      if kind != .insert { operation.baseVersion = version }
      queue.operations.append(operation)
    }
  }

  /// An error of the first operation.
  mutating func addError(_ status: Int64?, code: String? = "-1302", operation: Int64? = 1) {
    var error = OperationError()
    error.table = "TodoItem"
    error.itemID = "a"
    error.kind = .update
    error.status = status
    error.code = code
    error.operation = operation
    error.originalOperationID = operation.map(String.init)
    queue.errors.append(error)
  }

  /// What a replay has made of the first operation.
  mutating func deliver(_ outcome: ReplayOutcome, _ detail: String) {
    queue.deliveries.add(
      Delivery(target: "https://a.example", outcome: outcome, time: .epoch, detail: detail),
      of: 1, entry: 1)
    queue.deliveries.settle()
  }

  /// A delta token.
  mutating func addToken(_ time: String?, table: String? = "TodoItem") {
    var token = DeltaToken()
    token.table = table
    token.query = "all"
    token.updatedAt = time
    queue.tokens.append(token)
  }

  /// The findings of all rules.
  var findings: [Finding] { Array(FindingCatalogue.findings(in: input, besides: [])) }

  /// What the rules look at.
  var input: AuditInput {
    var source = SourceDescription(name: "a.sqlite", layout: layout)
    source.origin = origin
    source.generation = generation
    source.earlier = devices.enumerated().map { place, layout in
      EarlierSource(
        number: Int64(place) + 1, SourceDescription(name: layout, layout: Layout(named: layout)),
        nameOrigin: .modelCache)
    }
    return AuditInput(
      source: source,
      catalogue: Catalogue(
        tables: [Table(name: "TodoItem", columns: columns)], nameOrigin: .modelCache),
      queue: queue, tables: [facts],
      now: Timestamp(parsing: "2026-01-01T00:00:00.000Z".utf8Span.span) ?? .epoch,
      parents: parents)
  }

  /// The codes found, each once.
  var codes: Set<String> { Set(findings.map(\.code)) }
}

extension OperationError {
  /// A deleted item that no delete took.
  static var deletedItem: OperationError {
    var error = OperationError()
    error.table = "TodoItem"
    error.itemID = "a"
    error.code = codeOfDeletedItem
    error.kind = .delete
    return error
  }
}
