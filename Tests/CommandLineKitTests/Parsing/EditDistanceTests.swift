import Testing

@testable import CommandLineKit

struct EditDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "abc", 0), ("json", "jsn", 1),
    ("frie", "fire", 1), ("ab", "ba", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func distanceCountsSlips(left: String, right: String, distance: Int) {
    #expect(editDistance(Array(left), Array(right)) == distance)
    #expect(editDistance(Array(right), Array(left)) == distance)
  }

  @Test(arguments: [
    ("jsn", "json"), ("verbos", "verbose"), ("tab", "table"), ("exclude-tabel", "exclude-table"),
  ])
  func nearWordIsSuggested(word: String, expected: String) {
    let candidates = ["json", "verbose", "table", "exclude-table"]
    #expect(nearestWord(to: word, among: candidates) == expected)
  }

  @Test(arguments: ["", "x", "t", "xyz", "jxyn", String(repeating: "j", count: 65)])
  func farWordIsNotSuggested(word: String) {
    #expect(nearestWord(to: word, among: ["json", "verbose", "table", "to", "o"]) == nil)
  }

  @Test func beginningOfTwoWordsIsNotSuggested() {
    #expect(nearestWord(to: "no-pr", among: ["no-progress", "no-prompting"]) == nil)
  }
}
