import Bytes
import CommandLineKit
import Records

/// The two streams of a run: programs read one, people the other.
package struct Console: Sendable {
  /// Writes to standard output, or to wherever a test listens.
  var writeOutput: @Sendable ([UInt8]) throws(StoreError) -> Void
  /// Writes to standard error; whoever closed it does not want to know.
  var writeError: @Sendable (String) -> Void
  /// What the streams are connected to.
  var terminal: Terminal

  init(
    terminal: Terminal, output: @escaping @Sendable ([UInt8]) throws(StoreError) -> Void,
    error: @escaping @Sendable (String) -> Void
  ) {
    self.terminal = terminal
    writeOutput = output
    writeError = error
  }

  static func standard(color: ColorChoice = .auto) -> Console {
    Console(
      terminal: .current(color: color),
      output: { (bytes) throws(StoreError) in
        do throws(StreamError) {
          try StandardStream.output.write(bytes)
        } catch {
          throw StoreError(
            FileError(operation: "write", path: "standard output", errno: error.errorNumber))
        }
      },
      error: { text in
        // There is nowhere left to say that standard error is closed.
        try? StandardStream.error.write(text)
      })
  }

  /// A console that nobody reads.
  package static let silent = Console(
    terminal: Terminal(facts: .init(), color: .never) { _ in nil },
    output: { (_) throws(StoreError) in }, error: { _ in })

  /// Writes text to standard output as it is.
  func print(_ text: String) throws(StoreError) {
    try writeOutput(Array(text.utf8))
  }

  /// Writes JSON to standard output, so that nothing in it acts on a terminal.
  func printJSON(_ bytes: [UInt8]) throws(StoreError) {
    guard terminal.outputIsTerminal else { return try writeOutput(bytes) }
    let json = String(decoding: bytes, as: UTF8.self)
    try print(escapedJSONForTerminal(json, keepsLines: true))
  }

  /// Writes text in a format of its own to standard output, so that nothing in it acts on a terminal.
  func printLines(_ bytes: [UInt8]) throws(StoreError) {
    guard terminal.outputIsTerminal else { return try writeOutput(bytes) }
    try print(escapedLinesForTerminal(String(decoding: bytes, as: UTF8.self)))
  }

  /// Writes text for people to standard output, so that it fits their screen.
  func show(_ text: String) throws(StoreError) {
    try print(fitted(text, to: terminal.outputStyle.width))
  }

  /// Writes text for people to standard error, so that it fits their screen.
  func tell(_ text: String) {
    writeError(fitted(text, to: terminal.errorStyle.width))
  }

  /// Says why something stopped: what happened, where, and what to try.
  func report(_ error: some Failure) {
    let place = error.path.map { ($0.isEmpty ? "''" : escapedAsOneWord($0)) + ": " } ?? ""
    let hint = error.hint.map { "\n  try: \(escapedForTerminal($0))" } ?? ""
    tell("rehome: \(place)\(escapedForTerminal(error.message))\(hint)\n")
  }
}

/// Long text for standard output, handed on in large pieces rather than line by line, until a signal
/// comes.
struct TextOutput {
  private let session: Session
  private var text = ""

  private static let pieceSize = 64 << 10
  private static let mostListed = 1000

  init(_ session: Session) {
    self.session = session
  }

  mutating func add(_ more: String) throws(StoreError) {
    text += fitted(more, to: session.console.terminal.outputStyle.width)
    if text.utf8.count >= Self.pieceSize { try finish() }
  }

  /// Adds numbers between two texts; very many are handed on as they come where no line must fit.
  mutating func add(
    _ start: String, listing numbers: OperationSequences, _ end: String
  ) throws(StoreError) {
    guard numbers.count > Self.mostListed, session.console.terminal.outputStyle.width == nil else {
      return try add(start + numbers.listed + end)
    }
    try add(start)
    for (place, number) in numbers.enumerated() {
      try add(place > 0 ? ", \(number)" : "\(number)")
    }
    try add(end)
  }

  /// Hands on what is left; must be called at the end.
  mutating func finish() throws(StoreError) {
    guard !text.isEmpty else { return }
    try session.checkSignal()
    try session.console.print(text)
    text.removeAll(keepingCapacity: true)
  }
}
