package import Bytes
import CCurl
package import Replay

/// Carries out requests over kept connections to one server; stays on the thread that made it.
///
/// Nothing runs in the background: transfers move on while `wait` runs.
@safe
package struct HTTPTransport: ~Copyable {
  private let settings: TransportSettings
  private let secrets: Secrets
  private let library: CurlLibrary
  /// All connections together; ended once, by `deinit`.
  private let multi: UnsafeMutableRawPointer
  private var running: [Int: Exchange] = [:]
  private var idle: [Exchange] = []
  private var kept = KeptConnections()
  let room: AnswerRoom
  /// What could not even be started.
  private var refused: [ReplayEvent] = []

  /// Gets ready to send; nothing is connected yet.
  ///
  /// - Throws: `HTTPError` when the authorities cannot be read, or the machine has no libcurl.
  package init(_ settings: TransportSettings, secrets: Secrets) throws(HTTPError) {
    if let file = settings.authorityFile { try Self.check(authorities: file) }
    guard let library = CurlLibrary(), let multi = library.functions.multi_init() else {
      throw HTTPError(
        .unsupported, "libcurl.so.4, which speaks HTTP, is not there", hint: "install libcurl4")
    }
    self.settings = settings
    room = AnswerRoom(smallAnswer: settings.smallAnswer)
    self.secrets = secrets
    self.library = library
    unsafe self.multi = multi
    let count = settings.connections
    for option in [CurlOption.connectionsInAll, CurlOption.connectionsKept] {
      // Where the library refuses, it keeps its own limits.
      _ = unsafe rehome_curl_set_shared(library.functions, multi, option, count)
    }
  }

  deinit {
    // Handles leave before they or what holds them together end.
    for exchange in running.values {
      _ = unsafe library.functions.multi_remove_handle(multi, exchange.easy)
    }
    _ = unsafe library.functions.multi_cleanup(multi)
  }

  /// How many requests are under way.
  package var inFlight: Int { running.count + refused.count }

  /// Sends a request, or keeps it until a connection is free.
  package mutating func start(_ request: ReplayRequest) {
    if let objection = request.objection {
      refused.append(.failure(step: request.step, .notSent(objection)))
      return
    }
    guard let exchange = idle.popLast() ?? Exchange(library, in: room),
      exchange.prepare(request, settings, secrets, isFresh: kept.mustNotCarry(request)),
      unsafe library.functions.multi_add_handle(multi, exchange.easy) == 0
    else {
      refused.append(
        .failure(step: request.step, .notSent("libcurl does not take the request")))
      return
    }
    running[exchange.key] = exchange
  }

  /// What has come to an end, at the latest when the time is over; often several at once.
  package mutating func wait(milliseconds: Int) -> [ReplayEvent] {
    var ended = refused
    refused = []
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      moveOn(&ended)
      let left = (end - .now) / .milliseconds(1)
      guard ended.isEmpty, left > 0, !running.isEmpty else { return ended }
      // A signal may end the wait early, which only costs another turn.
      _ = unsafe library.functions.multi_poll(
        multi, nil, 0, Int32(min(left.rounded(.up), 60_000)), nil)
    }
  }

  private mutating func moveOn(_ ended: inout [ReplayEvent]) {
    var count: Int32 = 0
    _ = unsafe library.functions.multi_perform(multi, &count)
    while let message = unsafe library.functions.multi_info_read(multi, &count) {
      // The message is good until the handle is taken out.
      let (easy, result) = unsafe (message.pointee.easy, message.pointee.data.result)
      let key = Int(bitPattern: easy)
      guard let exchange = running.removeValue(forKey: key) else { continue }
      _ = unsafe library.functions.multi_remove_handle(multi, exchange.easy)
      if exchange.departures > 1 { kept.noteEnd() }
      ended.append(event(of: exchange, CurlResult(rawValue: result)))
      exchange.forgetBody()
      idle.append(exchange)
      for other in running.values where other.isPaused { other.goOn() }
    }
  }

  private func event(of exchange: Exchange, _ result: CurlResult) -> ReplayEvent {
    guard result == .fine, exchange.head.isComplete else {
      return failure(of: exchange, complaint(of: exchange, result))
    }
    let head = exchange.head
    if [301, 302, 303, 307, 308].contains(head.status) {
      return .failure(
        step: exchange.step,
        .redirected(
          to: head["location"].flatMap { $0.isEmpty ? nil : secrets.hidden(in: $0) },
          status: head.status))
    }
    var answer = ReplayAnswer(
      status: head.status, etag: head["etag"], retryAfter: head["retry-after"],
      body: exchange.body)
    let told = secrets.hidden(in: exchange.body)
    if told != exchange.body { answer.toldBody = told }
    return .answer(step: exchange.step, answer)
  }

  private func failure(of exchange: Exchange, _ words: String) -> ReplayEvent {
    .failure(
      step: exchange.step, exchange.departures == 0 ? .notSent(words) : .unknown(words))
  }

  private func complaint(of exchange: Exchange, _ result: CurlResult) -> String {
    if let excess = exchange.excess { return excess }
    if exchange.departures > 1 { return "the connection was closed without an answer" }
    if result == .fine { return "the answer was cut off in its head" }
    let detail = String(exchange.complaint.unicodeScalars.filter { $0.value >= 0x20 })
    return secrets.hidden(in: result.words + (detail.isEmpty ? "" : ": " + detail))
  }

  package static func check(authorities path: String) throws(HTTPError) {
    let bytes: [UInt8]
    do {
      bytes = try readFile(path, limit: 16 << 20)
    } catch {
      throw HTTPError(error.kind, path: path, error.message, hint: error.hint)
    }
    guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
      throw HTTPError(
        .usage, path: path, "there is no certificate in it", hint: "give a PEM file")
    }
  }
}

/// How far connections are trusted that were kept: a server may close one at any time, without a word.
///
/// A change that leaves at that very moment is in doubt. So after a connection that ended under a
/// request the next changes open their own, and after each further one eight times as many.
struct KeptConnections {
  private var penalty = 1
  private var left = 0
  private static let most = 1 << 18

  /// Takes the end of a connection under a request.
  mutating func noteEnd() {
    penalty = min(penalty * 8, Self.most)
    left = penalty
  }

  /// Whether a request, which is counted, is to open a connection of its own.
  mutating func mustNotCarry(_ request: ReplayRequest) -> Bool {
    guard left > 0, request.method != "GET" else { return false }
    left -= 1
    return true
  }
}

/// Why nothing can be sent at all; what goes wrong with one request is a delivery instead.
package struct HTTPError: Failure, Equatable {
  package let kind: FailureKind
  package var path: String?
  package let message: String
  package var hint: String?

  /// An error with what a person needs to act on it.
  init(_ kind: FailureKind, path: String? = nil, _ message: String, hint: String? = nil) {
    self.kind = kind
    self.path = path
    self.message = message
    self.hint = hint
  }
}

/// How requests are carried.
package struct TransportSettings: Sendable {
  /// Where the server is.
  package var base: BaseURL
  /// How many connections there are at most; further requests wait for one.
  var connections: Int
  /// How long a request may take from its start to the last byte of the answer.
  var timeoutMilliseconds: Int
  /// The only authorities that are trusted, instead of the system's, as a PEM file.
  package var authorityFile: String?
  var largestAnswer = 64 << 20
  /// How large answers may be that come while another one is larger.
  var smallAnswer: Int

  /// Settings with their usual values.
  package init(
    base: BaseURL, connections: Int = 1, timeoutMilliseconds: Int = 60_000,
    authorityFile: String? = nil
  ) {
    self.base = base
    self.connections = max(1, min(connections, 256))
    smallAnswer = (16 << 20) / max(16, self.connections)
    self.timeoutMilliseconds = max(1, min(timeoutMilliseconds, 86_400_000))
    self.authorityFile = authorityFile
  }
}
