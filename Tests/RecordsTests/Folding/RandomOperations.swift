import Records
import TestSupport

extension PendingOperation {
  /// Operations of which many are about the same items, and some about none, each from a source.
  static func random(
    _ count: Int, using generator: inout SeededGenerator,
    source: (_ number: Int, _ generator: inout SeededGenerator) -> Int32
  ) -> [PendingOperation] {
    let ids: [String?] = [
      nil, "", "a", "A", "b", "\u{e9}", "\u{c9}", "e\u{301}", "k", "K", "\u{212A}", "abcdefgh",
      "ABCDEFGH", "abcdefghi", "1", "01",
    ]
    return (0..<count).map { number in
      var operation = PendingOperation()
      operation.sequence = Int64(number) + 1
      operation.table = ["A", "B", "", nil].randomElement(using: &generator) ?? nil
      operation.itemID = ids.randomElement(using: &generator) ?? nil
      operation.kind = [.insert, .update, .delete, nil].randomElement(using: &generator) ?? nil
      operation.state =
        [.pending, .failed, .completed].randomElement(using: &generator) ?? .pending
      operation.source = source(number, &generator)
      return operation
    }
  }
}
