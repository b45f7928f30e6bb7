import Foundation
import TestSupport
import Testing

/// A merge may end with one store, and two stores with the same rows are equal however they were made.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct FewerSourcesTests {
  private let folder: TemporaryFolder
  private var merged: String { folder.path("out.rehome") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func device(_ name: String, _ rows: String) throws -> String {
    try Devices.makeItems(name, in: folder, rows)
  }

  @Test(arguments: [["--once"], ["--skip-unreadable"]])
  func storeOfOneIsCleanHoweverManyWereGiven(options: [String]) async throws {
    let sample = Sample(name: "ios-2016").store()
    let other = folder.path("other.sqlite")
    var bytes = try Data(contentsOf: URL(filePath: sample))
    if options == ["--skip-unreadable"] { bytes = bytes.prefix(5000) }
    try bytes.write(to: URL(filePath: other))
    _ = await rehome(
      ["convert", "-q", "--fail-on", "never", sample, other, "-o", merged] + options)
    let inspected = await rehome("inspect", "--json", merged)
    #expect(inspected.text.contains("converted from"), "\(inspected.error)")
    #expect(!inspected.text.contains("not-in-catalogue"), "\(inspected.text)")
    let (again, alone) = (folder.path("again.rehome"), folder.path("alone.rehome"))
    for (input, output) in [(merged, again), (sample, alone)] {
      let outcome = await rehome("convert", input, "-o", output)
      #expect(!outcome.error.contains("not-in-catalogue"), "\(outcome.error)")
    }
    for store in [merged, again] {
      let verdict = await rehome("verify", "--json", store, alone)
      // Of a store that was left out nobody knows what it had.
      #expect(verdict.code == (options == ["--once"] ? 0 : 2), "\(verdict.text)")
      #expect(try verdict.json()["equal"] as? Bool == true)
    }
  }

  /// A store that is not read may have what an option is about, and none of the others is asked in vain.
  @Test(arguments: [["--once"], ["--skip-unreadable"]], ["convert", "audit"])
  func optionThatMeetsNoStoreIsTold(options: [String], _ command: String) async throws {
    let sample = Sample(name: "ios-2016").store()
    let other = folder.path("other.sqlite")
    var bytes = try Data(contentsOf: URL(filePath: sample))
    if options == ["--skip-unreadable"] { bytes = bytes.prefix(5000) }
    try bytes.write(to: URL(filePath: other))
    var arguments = [command, sample, other, "--rename", "Typo=x", "--fail-on", "never"]
    if command == "convert" { arguments += ["-o", merged] }
    if command == "convert" || options == ["--once"] { arguments += options }
    let outcome = await rehome(arguments)
    #expect(outcome.code == (options == ["--once"] ? 0 : 2), "\(outcome.error)")
    let words = "--rename Typo=x: no store has such a table or column, of those"
    #expect(outcome.error.components(separatedBy: words).count == 2, "\(outcome.error)")
  }

  /// Which device a row is from is no content, and hides no difference.
  @Test func rowsOfAMergeAreComparedAsThoseOfAStore() async throws {
    let (first, second) = (
      "['a', None, None, 'x'], ['b', None, None, 'y']", "['c', None, None, 'z']"
    )
    let stores = [try device("a.rehome", first), try device("b.rehome", second)]
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let same = try device("same.rehome", "\(first), \(second)")
    let changed = try device(
      "changed.rehome", "\(first), \(second)".replacing("'y'", with: "'other'"))
    for pair in [[merged, same], [same, merged]] {
      #expect(await rehome(["verify", "-q"] + pair).code == 0)
    }
    for pair in [[merged, changed], [changed, merged]] {
      let outcome = await rehome(["verify", "--json"] + pair)
      #expect(outcome.code == 5)
      #expect(!outcome.text.contains("_source"), "\(outcome.text)")
      let tables = try #require(try outcome.json()["tables"] as? [[String: Any]])
      let difference = try #require(
        tables.first { $0["name"] as? String == "Item" }?["differences"] as? [String: Any])
      let rows = try #require(difference["rows"] as? [[String: Any]])
      #expect(rows.count == 1 && "\(rows)".contains("other"), "\(outcome.text)")
    }
  }
}
