import Testing

@testable import Records

struct QueueCoverageTests {
  /// What all stores tell: `s` is one of an SDK, `p` one without a queue, in capitals without its log.
  private func coverage(of stores: String) -> QueueCoverage {
    var sum = QueueCoverage()
    for store in stores {
      let layout = store.lowercased() == "p" ? Layout.sqlite : Layout(named: "azure-mobile-ios")
      sum.add(
        QueueCoverage(
          of: SourceDescription(name: "a", layout: layout),
          codes: store.isUppercase ? ["duplicate-item-id", "wal-missing"] : ["duplicate-item-id"]))
    }
    return sum
  }

  @Test(arguments: [
    ("s", "Nothing waits to be sent."), ("ssp", "Nothing waits to be sent."),
    (
      "S", "Nothing waits to be sent in what is here, but changes may be missing: see the findings."
    ),
    (
      "sSsSP",
      "Nothing waits to be sent in what is here, but changes may be missing in 2: see the findings."
    ),
    ("pp", "No store that was read has a queue of changes, so none tells what reached a server."),
    ("pP", "No store that was read has a queue of changes, so none tells what reached a server."),
    ("", "No store that was read has a queue of changes, so none tells what reached a server."),
  ])
  func nothingIsSaidToWaitOnlyWhereThatIsKnown(stores: String, words: String) {
    let coverage = coverage(of: stores)
    #expect(coverage.nothingWaits(String(coverage.lacking)) == words)
    #expect(coverage.keepsQueue == (stores.lowercased().contains("s")))
    // Only where there is a queue can changes be missing from it.
    #expect((coverage.caveat("") == nil) == !stores.contains("S"))
  }

  @Test(arguments: [
    (
      Layout.sqlite, "b",
      "The store has no queue of changes, so it does not tell what reached a server."
    ),
    (
      .sqlite, "wal-missing",
      "The store has no queue of changes, and changes may be missing: see the findings."
    ),
    (
      .sqlite, "queue-not-read",
      "Nothing waits to be sent in what is here, but changes may be missing: see the findings."
    ),
    (Layout(named: "azure-mobile-ios"), "b", "Nothing waits to be sent."),
    (
      Layout(named: "azure-mobile-ios"), "wal-missing",
      "Nothing waits to be sent in what is here, but changes may be missing: see the findings."
    ),
  ])
  func oneStoreIsSpokenOfAsOne(layout: Layout, code: String, words: String) {
    #expect(SourceDescription(name: "a", layout: layout).nothingWaits(["a", code]) == words)
  }

  @Test(arguments: [
    "wal-missing", "wal-damaged", "journal-damaged", "store-damaged", "table-salvaged",
    "backup-incomplete", "store-left-out", "queue-not-read", "not-in-store", "command-cache-beside",
    "leftover-upgrade",
  ])
  func codesOfMissingChangesAreKnown(code: String) {
    #expect(QueueCoverage(keepsQueue: true, codes: ["a", code]).lacking == 1)
    #expect(Finding(code, .note, message: "").tellsOfMissingChanges)
  }

  /// What a canonical store or an export was made from decides.
  @Test func queueIsThatOfTheOrigin() {
    var source = SourceDescription(name: "a", layout: .rehome)
    let none: [String] = []
    #expect(QueueCoverage(of: source, codes: none).keepsQueue)
    source.origin = "sqlite"
    #expect(!QueueCoverage(of: source, codes: none).keepsQueue)
    for layout in ["csv", "toolkit-2025"] {
      source.earlier.append(
        EarlierSource(
          number: 1, SourceDescription(name: "b", layout: Layout(named: layout)),
          nameOrigin: .modelCache))
      #expect(QueueCoverage(of: source, codes: none).keepsQueue == (layout != "csv"))
    }
  }
}
