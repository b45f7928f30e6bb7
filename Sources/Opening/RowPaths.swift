import Bytes
package import Records
import Synchronization

/// Where the rows of JSON files lie: paths, each behind the name of its file where there is one.
///
/// It notes which of them have met their file, for several are opened with the same ones, so it has
/// identity.
package final class RowPaths: Sendable {
  private let texts: [String]
  private let met = Mutex<Set<String>>([])

  /// Takes what a person says.
  package init(_ texts: [String] = []) {
    self.texts = texts
  }

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

  /// Throws where a path has met no file, once all are open.
  package func checkAllMet() throws(StoreError) {
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
