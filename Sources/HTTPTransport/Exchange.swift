import CCurl
import Replay

/// One request and its answer while they are under way; the library's callbacks need its identity.
///
/// It belongs to one transport, stays on its thread, and is used again for later requests.
@safe
final class Exchange {
  /// The library's handle, ended once, by `deinit`.
  let easy: UnsafeMutableRawPointer
  var key: Int { unsafe Int(bitPattern: easy) }
  /// The step that the request serves.
  private(set) var step = 0
  /// How often the request was about to leave.
  fileprivate(set) var departures = 0
  /// What is said of an answer that went over a limit.
  fileprivate(set) var excess: String?
  fileprivate(set) var head = Exchange.Head()
  fileprivate(set) var body: [UInt8] = []
  fileprivate var largestBody = 0
  fileprivate let room: AnswerRoom
  /// Since when its answer waits for the end of another one.
  private var pause: ContinuousClock.Instant?
  /// How long the request may take in milliseconds, without the time for which its answer waits.
  private var timeout = 0

  private let curl: rehome_curl
  private var headerList: UnsafeMutableRawPointer?
  private let words: UnsafeMutablePointer<CChar>
  private static let wordsSize = 256

  /// An exchange with a handle of its own, if the library gives one; its answers take room beside
  /// those of others.
  init?(_ library: CurlLibrary, in room: AnswerRoom) {
    guard let easy = library.functions.easy_init() else { return nil }
    unsafe self.easy = easy
    curl = library.functions
    self.room = room
    // Freed by `deinit`, after the handle that writes there.
    unsafe words = .allocate(capacity: Self.wordsSize)
    unsafe words.initialize(repeating: 0, count: Self.wordsSize)
  }

  deinit {
    unsafe curl.easy_cleanup(easy)
    unsafe curl.slist_free_all(headerList)
    unsafe words.deallocate()
  }

  /// What the library said about a failure, if it said anything.
  var complaint: String {
    // The library ends its words with a zero inside the buffer.
    unsafe String(cString: words)
  }

  /// Forgets the last request and takes the next, which may want a connection of its own; false
  /// when the library refuses something.
  func prepare(
    _ request: ReplayRequest, _ settings: TransportSettings, _ secrets: Secrets, isFresh: Bool
  ) -> Bool {
    unsafe curl.easy_reset(easy)
    // The handle no longer refers to the list.
    unsafe curl.slist_free_all(headerList)
    unsafe headerList = nil
    unsafe words[0] = 0
    step = request.step
    departures = 0
    excess = nil
    head = Exchange.Head()
    forgetBody()
    largestBody = settings.largestAnswer
    return setConnection(settings) && setCallbacks()
      && (!isFresh || set(CurlOption.freshConnection, 1))
      && set(CurlOption.url, request.address(below: settings.base))
      && setMessage(request, secrets)
  }

  /// Lets go of the answer's body, so that another one may be large.
  func forgetBody() {
    room.leave(key)
    body = []
    pause = nil
  }

  /// Takes the next bytes of the answer's body.
  fileprivate func take(_ bytes: UnsafeRawBufferPointer) {
    // A large one grows in place, as it would else be in memory twice whenever it is moved.
    if room.isLarge(body.count + bytes.count) { body.reserveCapacity(largestBody) }
    unsafe body.append(contentsOf: bytes)
  }

  /// Whether its answer waits for the end of another one.
  var isPaused: Bool { pause != nil }

  /// Lets the answer wait for another one, and the library without an eye on the clock: that it waits
  /// is no fault of the server.
  fileprivate func wait() {
    pause = .now
    _ = set(CurlOption.timeoutMilliseconds, 0)
  }

  /// Lets the answer come on that waited for another one.
  func goOn() {
    if let pause { timeout += Int(((.now - pause) / .milliseconds(1)).rounded(.up)) }
    pause = nil
    _ = set(CurlOption.timeoutMilliseconds, timeout)
    // Where the library refuses, the request ends as one without a whole answer.
    _ = unsafe curl.easy_pause(easy, 0)
  }

  private func setConnection(_ settings: TransportSettings) -> Bool {
    timeout = settings.timeoutMilliseconds
    // Nothing in the clear goes through a proxy, nor does what never leaves the machine.
    let isDirect = !settings.base.isSecure || settings.base.isLoopback
    return set(CurlOption.noSignal, 1) && set(CurlOption.followLocation, 0)
      // HTTP is 1, HTTPS is 2.
      && set(CurlOption.protocols, settings.base.isSecure ? 2 : 1)
      // HTTP/1.1, so that one connection carries one request at a time.
      && set(CurlOption.httpVersion, 2)
      && set(CurlOption.timeoutMilliseconds, timeout)
      && set(CurlOption.connectTimeoutMilliseconds, min(timeout, 30_000))
      && set(CurlOption.tcpKeepAlive, 1) && set(CurlOption.pathAsIs, 1)
      && set(CurlOption.suppressConnectHeaders, 1)
      // Servers that pack answers give them other entity tags; what one packs all the same is
      // unpacked, and the limit of a body is that of its unpacked bytes.
      && set(CurlOption.acceptEncoding, "identity")
      // TLS 1.2 at least; the certificate and its name are checked.
      && set(CurlOption.sslVersion, 6) && set(CurlOption.sslVerifyPeer, 1)
      && set(CurlOption.sslVerifyHost, 2)
      && (settings.authorityFile.map { set(CurlOption.caInfo, $0) } ?? true)
      && (!isDirect || set(CurlOption.proxy, ""))
  }

  private func setCallbacks() -> Bool {
    // The transport keeps the exchange for as long as the library may call it.
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    return unsafe set(CurlOption.errorBuffer, pointer: words)
      && set(CurlOption.writeData, pointer: this) && set(CurlOption.headerData, pointer: this)
      && set(CurlOption.prerequestData, pointer: this)
      && rehome_curl_set_receiver(curl, easy, CurlOption.writeFunction, takeBody) == 0
      && rehome_curl_set_receiver(curl, easy, CurlOption.headerFunction, takeHead) == 0
      && rehome_curl_set_gate(curl, easy, CurlOption.prerequestFunction, letLeave) == 0
  }

  private func setMessage(_ request: ReplayRequest, _ secrets: Secrets) -> Bool {
    guard set(CurlOption.httpGet, 1) else { return false }
    if let body = request.body ?? (request.method == "POST" ? [] : nil) {
      guard set(body: body) else { return false }
    }
    return set(CurlOption.customRequest, request.method) && setHeaders(request, secrets)
  }

  private func set(body: [UInt8]) -> Bool {
    // The size comes first, since the library copies that many bytes.
    guard set(CurlOption.post, 1),
      unsafe rehome_curl_set_size(curl, easy, CurlOption.postFieldSize, Int64(body.count)) == 0
    else { return false }
    return unsafe body.withUnsafeBytes { bytes in
      // No bytes must not be a null pointer, which would ask for a callback.
      unsafe set(CurlOption.copiedPostFields, pointer: bytes.baseAddress ?? UnsafeRawPointer(words))
    }
  }

  private func setHeaders(_ request: ReplayRequest, _ secrets: Secrets) -> Bool {
    // The library would wait for a go-ahead, and name a type of its own.
    var lines = ["Expect:"]
    let names = Set(request.headers.map { $0.name.lowercased() })
    if !names.contains("content-type") { lines.append("Content-Type:") }
    lines += request.headers.filter { !secrets.sets($0.name) && !$0.value.isEmpty }
      .map { $0.name + ": " + $0.value }
    let all = lines.map { Array($0.utf8) } + secrets.lines
    guard all.allSatisfy(append) else { return false }
    return unsafe set(CurlOption.httpHeader, pointer: UnsafeRawPointer(headerList))
  }

  /// Adds one line to the list, which the library copies.
  private func append(_ line: [UInt8]) -> Bool {
    let text = line.map { CChar(bitPattern: $0) } + [0]
    return unsafe text.withUnsafeBufferPointer { text in
      guard let longer = unsafe curl.slist_append(headerList, text.baseAddress) else {
        return false
      }
      unsafe headerList = longer
      return true
    }
  }

  private func set(_ option: Int32, _ value: Int) -> Bool {
    unsafe rehome_curl_set_number(curl, easy, option, value) == 0
  }

  private func set(_ option: Int32, _ text: String) -> Bool {
    // The library copies the text.
    unsafe text.withCString { unsafe set(option, pointer: $0) }
  }

  private func set(_ option: Int32, pointer: UnsafeRawPointer?) -> Bool {
    unsafe rehome_curl_set_pointer(curl, easy, option, pointer) == 0
  }

  /// The status and those headers of an answer that somebody asks for.
  struct Head: Sendable, Equatable {
    /// The status, 0 until one is read.
    private(set) var status = 0
    /// Whether the empty line after the headers has come.
    private(set) var isComplete = false
    private var values: [String: String] = [:]
    private var size = 0

    /// The headers that anybody asks for.
    static let wanted: Set<String> = ["etag", "retry-after", "location"]
    /// More than any server sends.
    static let limit = 256 << 10

    /// The value of a header, its name in lower case.
    subscript(_ name: String) -> String? { values[name] }

    /// Takes one line as it arrives; false when the head grows too large.
    mutating func take(_ line: [UInt8]) -> Bool {
      size += line.count
      guard size <= Self.limit else { return false }
      // What follows the body is of no interest.
      if isComplete { return true }
      let text = line.drop { $0 == 0x0A }.prefix { $0 != 0x0D && $0 != 0x0A }
      if text.isEmpty {
        // Answers below 200 announce another one.
        isComplete = status >= 200 || status == 101
      } else if text.starts(with: Array("HTTP/".utf8)) {
        values = [:]
        status = Self.status(in: text)
      } else {
        keep(text)
      }
      return true
    }

    private mutating func keep(_ line: ArraySlice<UInt8>) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard Self.wanted.contains(name), values[name] == nil else { return }
      let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      // A header without a value says nothing.
      guard let end = value.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
      values[name] = String(decoding: value[...end].prefix(8 << 10), as: UTF8.self)
    }

    private static func status(in line: ArraySlice<UInt8>) -> Int {
      let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
      return digits.count == 3 ? Int(String(decoding: digits, as: UTF8.self)) ?? 0 : 0
    }
  }
}

// What the library calls. It hands back the exchange that `setCallbacks` gave it, which lives.

private func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
  guard let context = unsafe context else { return nil }
  return unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
}

/// What a receiver answers that wants the same bytes once more later.
private let pausingReceiver = 0x1000_0001

private let takeBody: rehome_curl_receiver = { bytes, size, count, context in
  let total = size &* count
  guard let exchange = unsafe exchange(context), let bytes = unsafe bytes else { return 0 }
  guard exchange.body.count + total <= exchange.largestBody else {
    exchange.excess = "the answer is too large"
    return 0
  }
  guard exchange.room.admits(exchange.key, exchange.body.count + total) else {
    exchange.wait()
    return pausingReceiver
  }
  // The library gives that many bytes for the length of the call.
  unsafe exchange.take(UnsafeRawBufferPointer(start: bytes, count: total))
  return total
}

private let takeHead: rehome_curl_receiver = { bytes, size, count, context in
  let total = size &* count
  guard let exchange = unsafe exchange(context), let bytes = unsafe bytes else { return 0 }
  let line = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: total))
  guard exchange.head.take(line) else {
    exchange.excess = "the head of the answer is too large"
    return 0
  }
  return total
}

/// The library repeats a request by itself when a kept connection ends without an answer; nobody
/// knows then whether the first one was carried out, so it leaves once or not at all.
private let letLeave: rehome_curl_gate = { context, _, _, _, _ in
  guard let exchange = unsafe exchange(context), exchange.departures == 0 else {
    unsafe exchange(context)?.departures = 2
    return 1
  }
  exchange.departures = 1
  return 0
}
