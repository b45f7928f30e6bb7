import Bytes
import Canonical
import CommandLineKit
import Records
import Replay
import SyncSDKs

/// A canonical store as the target of a replay.
///
/// All requests that are waiting are carried out as one transaction, and nothing is answered
/// before it is durable; so a killed run leaves the store whole, and the journal finds it out.
final class LocalTarget: ReplayTransport {
  private let store: LiveStore
  private var service: LocalService
  private let now: () -> Timestamp
  private var waiting: [ReplayRequest] = []
  private let lock: ReplayLock
  private let mark: String
  /// What the journal calls this store.
  var name: String { Delivery.storeMark + mark }

  private static let markKey = "replayTarget"

  /// Opens the store at `path`, which nobody else may be replaying into, for a queue.
  ///
  /// When it is first changed it gets a mark of its own, so that a journal never takes another store
  /// for it.
  init(
    at path: String, for queue: ReplayQueue, dialect: Dialect, session: Session,
    now: @escaping () -> Timestamp = { Timestamp.now }
  ) throws(StoreError) {
    try Self.expectFile(at: path)
    lock = try ReplayLock(on: path)
    let catalogue = try session.openCanonicalStore(path).catalogue
    let store = try LiveStore(at: path)
    self.store = store
    self.now = now
    service = LocalService(
      items: StoredItems(in: store), tables: LocalTables(catalogue, for: queue, dialect),
      systemPrefix: dialect.systemPrefix)
    if dialect == .rows { service.idMember = Dialect.reservedID }
    service.habits.ownTimes = queue.ownTimes
    service.habits.tellsCaseTwinsApart = dialect.tellsCaseTwinsApart
    service.store = store
    service.habits.growsTables = session.arguments.flag("dynamic-schema")
    service.habits.removesDeleted = session.arguments.flag("hard-delete")
    mark =
      try store.fact(Self.markKey) ?? String(UInt64.random(in: .min ... .max), radix: 16)
  }

  func begin() throws(StoreError) {
    try store.transaction { () throws(StoreError) in
      try store.setFact(Self.markKey, to: mark)
    }
  }

  func start(_ request: ReplayRequest) { waiting.append(request) }

  func wait(milliseconds: Int) throws(StoreError) -> [ReplayEvent] {
    guard !waiting.isEmpty else {
      pause(milliseconds: milliseconds)
      return []
    }
    let requests = waiting
    waiting = []
    let time = now()
    return try store.transaction { () throws(StoreError) in
      var events: [ReplayEvent] = []
      for request in requests {
        let answer = try service.answer(LocalService.Request(request), now: time)
        events.append(.answer(step: request.step, ReplayAnswer(answer)))
      }
      return events
    }
  }

  func close() throws(StoreError) {
    try store.transaction { () throws(StoreError) in try service.items.forgetRemoved() }
    try store.close()
  }

  /// The mark of a store that was a target before; nil when it was none.
  static func name(ofStoreAt path: String, _ session: Session) throws(StoreError) -> String? {
    try expectFile(at: path)
    _ = try session.openCanonicalStore(path)
    let view = try StoreView(at: path, temporaryFolder: session.temporaryFolder)
    return try view.fact(markKey).map { Delivery.storeMark + $0 }
  }

  /// Tells of a file that is not there, which may be meant for a server.
  private static func expectFile(at path: String) throws(StoreError) {
    guard !Paths.exists(path) else { return }
    throw StoreError(
      .missing, path: path, "there is no such file",
      hint: "check the spelling; a server needs its whole address, as in https://example.net")
  }
}

extension LocalService.Request {
  fileprivate init(_ request: ReplayRequest) {
    let parts = LocalTables.parts(ofPath: request.path)
    self.init(
      method: request.method, table: parts.first ?? "", id: parts.count > 1 ? parts[1] : nil,
      condition: request.condition.map { unquoted($0) ?? $0 },
      includesDeleted: request.query.contains {
        $0.name.lowercased() == "__includedeleted" && $0.value.lowercased() == "true"
      },
      body: request.body, leftOut: request.leftOut, sdkMembers: request.sdkMembers)
  }
}

extension ReplayAnswer {
  /// The answer as a server would send it.
  fileprivate init(_ answer: LocalService.Answer) {
    self.init(
      status: answer.status, etag: answer.version.map { quoted($0, .v3) }, body: answer.body)
  }
}
