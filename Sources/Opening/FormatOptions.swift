import Bytes
package import Records
import Synchronization

/// What a person says that is only for plain files of one format: where the rows of JSON files lie,
/// as paths, each behind the name of its file where there is one, and how CSV is written.
///
/// It notes what of it has met a file, for several are opened with the same options, so it has
/// identity.
package final class FormatOptions: Sendable {
  private let texts: [String]
  private let met = Mutex<Set<String>>([])
  /// The names of the options for CSV that are given; what they say is with those for all formats.
  private let ofCSV: [String]
  private let hasMetCSV = Mutex(false)

  /// Takes what a person says.
  package init(rows texts: [String] = [], ofCSV: [String] = []) {
    self.texts = texts
    self.ofCSV = ofCSV
  }

  /// Notes that one of the files is CSV.
  func noteCSV() { hasMetCSV.withLock { $0 = true } }

  /// The paths for a JSON file that has all these names.
  ///
  /// - Throws: `StoreError` when one of all is no path.
  func paths(forFileCalled names: [String]) throws(StoreError) -> [String] {
    if let wrong = texts.first(where: { !$0.hasPrefix("$") && !$0.contains("=$") }) {
      throw StoreError(
        .usage, "--rows \(wrong) is no path", hint: "a path is $, or names behind it: $.data.items")
    }
    return texts.compactMap { text in
      let path = text.hasPrefix("$") ? text : Self.path(text, forFileCalled: names)
      if path != nil { met.withLock { _ = $0.insert(text) } }
      return path
    }
  }

  private static func path(_ text: String, forFileCalled names: [String]) -> String? {
    names.lazy.compactMap { text.removing(prefix: $0 + "=") }.first { $0.hasPrefix("$") }
  }

  /// Throws where a path or an option has met no file, once all are open.
  package func checkAllMet() throws(StoreError) {
    if let name = ofCSV.first, !hasMetCSV.withLock({ $0 }) {
      throw StoreError(
        .usage, "--\(name): no input is a plain file of CSV", hint: "leave it away")
    }
    guard let other = texts.first(where: { text in !met.withLock { $0.contains(text) } }) else {
      return
    }
    let isForAll = other.hasPrefix("$")
    throw StoreError(
      .usage, "--rows \(other): no input is a plain file of JSON\(isForAll ? "" : " of this name")",
      hint: isForAll
        ? "leave it away" : "FILE= names a file as the command line does, or its table")
  }
}
