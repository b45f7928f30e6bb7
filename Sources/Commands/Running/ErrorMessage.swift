import Bytes
import CommandLineKit

/// What a person reads when a run stops: what happened, where, and what to try.
struct ErrorMessage {
  private let text: String

  init(_ error: some Trouble) {
    let place = error.path.map { escapedForTerminal($0) + ": " } ?? ""
    let hint = error.hint.map { "\n  try: \(escapedForTerminal($0))" } ?? ""
    text = "rehome: \(place)\(escapedForTerminal(error.message))\(hint)\n"
  }

  /// Writes the message where people read.
  func write(to console: Console) {
    console.writeError(text)
  }
}
