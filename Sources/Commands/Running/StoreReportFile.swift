import Bytes
import CommandLineKit
import Formats
import Records

/// The file of `--report`: one line of JSON for each store, added as soon as the store is done.
///
/// It owns an open file, so it has identity.
final class StoreReportFile {
  /// What an earlier run has found in the stores that it has done, by their hashes.
  private(set) var earlier: [String: Earlier] = [:]
  private var output: OutputFile?

  struct Earlier {
    var operations = 0
    var worst: Severity?
    /// Why it could not be read; nil where it could.
    var error: FailureKind?
  }

  /// Words for what does not pass by itself; what does is tried again.
  private static let lasting: Set<String> = [
    "notAStore", "damaged", "unsupported", "encrypted", "truncated", "checksum", "overlap",
  ]

  init(_ path: String, resuming: Bool) throws(StoreError) {
    guard Paths.exists(path) else {
      output = try storeErrors { () throws(FileError) in try OutputFile(creating: path) }
      return
    }
    guard resuming else {
      throw StoreError(
        .exists, path: path, "the report exists",
        hint: "go on with it by --resume, or name another file")
    }
    let size = try readLines(path)
    output = try storeErrors { () throws(FileError) in
      try OutputFile(appendingTo: path, keeping: size)
    }
  }

  /// Takes what an earlier run has written; of a line that was cut nothing stays.
  ///
  /// - Returns: how many bytes are whole lines.
  private func readLines(_ path: String) throws(StoreError) -> Int {
    let bytes = try storeErrors { () throws(FileError) in try readFile(path, limit: 4 << 30) }
    let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    for (number, line) in bytes[..<end].split(separator: 0x0A).enumerated() {
      guard let line = try? JSONValue(parsing: Array(line).span), case .object(let store) = line,
        case .string? = store["store"]
      else {
        throw StoreError(
          .notAStore, path: path, "line \(number + 1) is not one of a report of stores",
          hint: "name the file that --report wrote, or one that is not there yet")
      }
      add(store)
    }
    return end
  }

  private func add(_ store: JSONObject) {
    guard case .string(let hash)? = store["sha256"] else { return }
    var known = Earlier()
    if case .object(let error)? = store["error"] {
      guard case .string(let word)? = error["code"], Self.lasting.contains(word) else { return }
      known.error = .damaged
    }
    if case .object(let queue)? = store["queue"], case .number(let count)? = queue["operations"] {
      known.operations = Int(count.text) ?? 0
    }
    if case .string(let word)? = store["worst"] { known.worst = Severity(rawValue: word) }
    earlier[hash] = known
  }

  /// Adds the line of a store; it is there for whoever goes on, whatever happens then.
  func add<Seen>(_ store: SeenStore<Seen>) throws(StoreError) {
    let line = Array((ReportJSON(store).compactText + "\n").utf8)
    try storeErrors { () throws(FileError) in
      try output?.write(line.span)
      try output?.flush()
    }
  }
}
