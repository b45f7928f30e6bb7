import Testing

@testable import Exports

struct RisingKeysTests {
  private func keys(_ texts: [String]) -> RisingKeys {
    var keys = RisingKeys()
    for text in texts { keys.add(Array(text.utf8).span) }
    return keys
  }

  /// Numbers that come twice, fall, or are spelled otherwise tell no rows apart.
  @Test(
    arguments: [
      (["1", "2", "10"], true), (["-3", "0"], true), ([], true), (["1", "1"], false),
      (["2", "1"], false), (["01"], false), (["1", "x"], false), (["1.0"], false),
    ] as [([String], Bool)])
  func onlyRisingNumbersAreKeys(texts: [String], areRising: Bool) {
    #expect(keys(texts).areRising == areRising)
    // Pieces of a file are looked at apart.
    for cut in texts.indices {
      var joined = keys(Array(texts[..<cut]))
      joined.add(keys(Array(texts[cut...])))
      #expect(joined.areRising == areRising, "\(cut)")
    }
  }
}
