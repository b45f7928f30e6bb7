import Bytes
import CommandLineKit
import HTTPTransport
import Records
import Replay

/// A table service as the target of a replay.
final class ServerTarget: ReplayTransport {
  private var transport: HTTPTransport
  /// What the journal calls the server: its base address, which holds no secret.
  let name: String
  let secrets: Secrets

  private static let secretLimit = 1 << 20

  /// Gets ready to send; nothing is connected yet.
  init(
    at address: String, dialect: Dialect, options: ReplayOptions, session: Session
  ) throws(StoreError) {
    let arguments = session.arguments
    let base = try Self.base(address, arguments)
    var carrier = TransportSettings(
      base: base, connections: options.jobs, timeoutMilliseconds: options.timeoutMilliseconds)
    carrier.authorityFile = try arguments.file(of: "ca-file")
    let ready = carrier
    let given = try Self.secrets(dialect, session)
    secrets = given
    transport = try storeErrors { () throws(HTTPError) in
      try HTTPTransport(ready, secrets: given)
    }
    name = base.text
  }

  static func name(of address: String, _ arguments: ParsedArguments) throws(StoreError) -> String {
    try base(address, arguments).text
  }

  /// Throws where a file that an option names cannot be used, without getting ready to send.
  static func checkFiles(for dialect: Dialect, _ session: Session) throws(StoreError) {
    if let path = try session.arguments.file(of: "ca-file") {
      try storeErrors { () throws(HTTPError) in try HTTPTransport.check(authorities: path) }
    }
    _ = try secrets(dialect, session)
  }

  func begin() {}

  func start(_ request: ReplayRequest) { transport.start(request) }

  func wait(milliseconds: Int) -> [ReplayEvent] {
    guard transport.inFlight > 0 else {
      pause(milliseconds: milliseconds)
      return []
    }
    return transport.wait(milliseconds: milliseconds)
  }

  func close() {}

  private static func base(
    _ address: String, _ arguments: ParsedArguments
  ) throws(StoreError) -> BaseURL {
    try storeErrors { () throws(HTTPError) in
      try BaseURL(parsing: address, allowsPlain: arguments.flag("allow-http"))
    }
  }

  /// Reads `--header-file`; what stands in it is repeated nowhere.
  private static func secrets(
    _ dialect: Dialect, _ session: Session
  ) throws(StoreError) -> Secrets {
    guard let path = try session.arguments.file(of: "header-file") else { return Secrets() }
    let isInput = path == "-"
    let bytes = try storeErrors { () throws(FileError) in
      try readStream(isInput ? nil : path, limit: secretLimit)
    }
    if !isInput, Paths.isReadableByOthers(path) {
      session.say(
        "warning: others can read \(escapedAsOneWord(path)); 'chmod 600' keeps them out")
    }
    let name = dialect.tokenHeader
    let secrets = try storeErrors { () throws(HTTPError) in
      try Secrets(
        parsing: bytes, defaultName: name, path: isInput ? "standard input" : path)
    }
    if secrets.hasUnnamedToken {
      session.say("the token of --header-file has no name, and is sent as \(name)")
    }
    return secrets
  }
}
