import Testing

@testable import Places

/// A copy is called as its store, as far as that does no harm.
struct CopyNameTests {
  @Test(arguments: [
    ("data/q.sqlite", "q.sqlite"), ("..", "store.."), ("a/..", "store.."),
    (".hidden", "store.hidden"),
    ("a\u{1B}[2J.db", "a_[2J.db"), ("q\u{202E}.db", "q_.db"), ("x\\y.db", "x_y.db"),
    ("a/", "store"),
    ("notes.db-wal", "notes.db-wal.store"), ("Zählung.db", "Zählung.db"),
  ])
  func nameHoldsNothingThatMeansMore(path: String, name: String) {
    #expect(CopyName.make(of: path) == name)
  }

  @Test func nameIsNeverTooLong() {
    let name = CopyName.make(of: String(repeating: "ä", count: 5_000) + ".sqlite")
    #expect(name.utf8.count <= 110)
  }
}
