import Formats
import HTTPTransport
import Replay

// What is kept or told of a replay, cleared of secrets that a server may have shown.

extension Secrets {
  /// An entry as the journal may keep it.
  ///
  /// A version that holds a secret is lost to later runs: for them the change is a conflict.
  func hidden(in entry: JournalEntry) -> JournalEntry {
    var entry = entry
    entry.version = entry.version.map(hidden)
    entry.words = entry.words.map(hidden)
    return entry
  }

  /// A result as it may be told.
  func hidden(in result: StepResult) -> StepResult {
    var result = result
    result.version = result.version.map(hidden)
    result.words = result.words.map(hidden)
    result.serverItem = result.serverItem.map(hidden(inJSON:))
    for place in result.changes.indices {
      result.changes[place].kept = result.changes[place].kept.map(hidden)
    }
    return result
  }

  private func hidden(in value: JSONValue) -> JSONValue {
    // An item may be large, so that none is spelled and read again without need.
    guard hidesAnything else { return value }
    let json = value.json
    let told = hidden(inJSON: json)
    guard told != json else { return value }
    // It is JSON as it was before.
    return (try? JSONValue(parsing: told.span)) ?? .null
  }

  /// JSON text without the secrets; as one string where a number became a mark.
  private func hidden(inJSON json: [UInt8]) -> [UInt8] {
    let told = hidden(in: json)
    // What was no JSON before is none now.
    guard told != json, (try? JSONValue(parsing: told.span)) == nil else { return told }
    return JSONValue.string(String(decoding: told, as: UTF8.self)).json
  }
}
