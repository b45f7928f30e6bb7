import Bytes

/// Stores that a list of those with problems leaves out.
package struct LeftOutStores: Sendable {
  package private(set) var count = 0
  /// How many operations wait there, which is no problem but is easily taken for nothing.
  package private(set) var waiting = 0

  package init() {}

  package mutating func add(_ summary: StoreSummary) {
    count += 1
    waiting += summary.waiting
  }

  /// How many they are, for people; nil where there are none.
  package var words: String? {
    guard count > 0 else { return nil }
    return count.counted("store without problems is", "stores without problems are") + " left out"
      + (waiting > 0 ? "; \(waiting.counted("operation waits", "operations wait")) there" : "")
  }
}
