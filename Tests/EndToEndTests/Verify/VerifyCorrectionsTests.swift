import Foundation
import TestSupport
import Testing

/// What a person says of names and types is for the store that has them otherwise, not for the one
/// that was made with it.
struct VerifyCorrectionsTests {
  /// What a column cannot take counts as NULL in the hash, and yet is a difference.
  @Test(arguments: [
    ("'nope'", 0), ("'other'", 5), ("NULL", 0), ("x'6e6f7065'", 5), ("CAST(x'ff' AS TEXT)", 5),
  ])
  func valuesThatNoColumnCouldTakeAreCompared(_ value: String, _ code: Int32) async throws {
    let folder = try TemporaryFolder()
    let stores = (folder.path("first.db"), folder.path("second.db"))
    _ = try python(
      """
      import sqlite3, sys
      for path, value in zip(sys.argv[1:], ["'nope'", sys.argv[3]]):
          with sqlite3.connect(path) as database:
              database.execute('CREATE TABLE T (id TEXT PRIMARY KEY, n REAL)')
              database.execute("INSERT INTO T VALUES ('a', 1.5), ('c', 2.5)")
              database.execute(f"INSERT INTO T VALUES ('b', {value})")
      """, stores.0, stores.1, value)
    let converted = folder.path("first.rehome")
    _ = await rehome("convert", "-q", stores.0, "-o", converted)
    #expect(await rehome("verify", "-q", stores.0, converted).code == 0)
    for first in [stores.0, converted] {
      let items = await rehome("verify", "--by-id", first, stores.1)
      #expect(items.code == code, "\(items.text)")
      let outcome = await rehome("verify", first, stores.1)
      #expect(outcome.code == code, "\(outcome.text)")
      #expect(
        outcome.text.contains("T: 1 value of the first and \(value == "NULL" ? 0 : 1) of the"))
      let words = code == 0 ? "the same in both" : "not the same in both"
      #expect(outcome.text.contains(value == "NULL" ? "compared as NULL" : words))
      let report = try await rehome("verify", "--json", stores.1, first).json()
      #expect(report["equal"] as? Bool == (code == 0))
    }
  }

  private let folder: TemporaryFolder
  /// A plain file, the same under another name, and a store of it with a type of its own.
  private let (item, other, store): (String, String, String)

  init() async throws {
    folder = try TemporaryFolder()
    let text = "id,zip\n1,123\n2,456\n"
    item = try folder.write(text, to: "Item.csv")
    other = try folder.write(text, to: "Other.csv")
    store = folder.path("app.rehome")
    let outcome = await rehome("seed", "-q", item, "--type", "Item.zip=text", "-o", store)
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  private static let type = ["--type", "Item.zip=text"]
  private static let name = ["--rename", "Other=Item"]

  @Test(arguments: [[], ["--by-id"]])
  func storeThatTakesNoCorrectionsIsComparedAsItIs(more: [String]) async throws {
    for stores in [[item, store], [store, item], [item, item]] {
      let outcome = await rehome(["verify"] + more + stores + Self.type)
      #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    }
    let renamed = await rehome(
      ["verify"] + more + [other, store] + Self.name + ["--type", "Other.zip=text"])
    #expect(renamed.code == 0, "\(renamed.text)\(renamed.error)")
  }

  @Test func nameIsForTheStoreThatHasTheOldOne() async throws {
    let same = await rehome(["verify", other, item] + Self.name)
    #expect(same.code == 0, "\(same.text)\(same.error)")
    let under = await rehome(["verify", item, other] + Self.name + Self.type)
    #expect(under.code == 0, "\(under.text)\(under.error)")
    let without = await rehome("verify", other, item)
    #expect(without.code == 5)
  }

  @Test(arguments: [
    (["--type", "Item.none=text"], "no store has such a column"),
    (["--rename", "None=Item"], "no store has such a table or column"),
    (["--type", "Item.zip=word"], "the types are"),
  ])
  func whatNoStoreTakesIsAMistake(options: [String], told: String) async throws {
    let outcome = await rehome(["verify", item, store] + options)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains(told), "\(outcome.error)")
  }

  /// An answer without rows may have had any column, but not to be compared with one that the other
  /// store has not.
  @Test func nameThatMeetsNoColumnBesideAnAnswerWithoutRowsIsAMistake() async throws {
    let empty = try folder.write("[]", to: "Item.json")
    for stores in [[empty, item], [item, empty]] {
      for name in ["Item.x=zip", "Item.zip=x"] {
        let outcome = await rehome(["verify", "--by-id"] + stores + ["--rename", name])
        #expect(outcome.code == 5, "\(name): \(outcome.error)")
      }
      let outcome = await rehome(["verify", "--by-id"] + stores + ["--rename", "Item.x=y"])
      #expect(outcome.code == 64, "\(outcome.text)")
      #expect(outcome.error.contains("no store has the first name"), "\(outcome.error)")
    }
    let both = await rehome("verify", "--by-id", empty, empty, "--rename", "Item.x=y")
    #expect(both.code == 0, "\(both.error)")
  }

  @Test func rowsBesideOtherColumnsAreSaidNotToBeCompared() async throws {
    let words = "  the rows were not compared; --by-id compares what both have"
    let outcome = await rehome("verify", item, store)
    #expect(outcome.code == 5 && outcome.text.contains(words), "\(outcome.text)")
    let report = try await rehome("verify", "--json", item, store).json()
    let table = try #require((report["tables"] as? [[String: Any]])?.first)
    let differences = try #require(table["differences"] as? [String: Any])
    #expect(differences["totals"] is NSNull, "\(differences)")
    try folder.makeFolder("Item")
    let file = try folder.write("id,zip\n1,124\n2,456\n", to: "Item/Item.csv")
    let rows = try await rehome("verify", "--json", item, file).json()
    let other = try #require((rows["tables"] as? [[String: Any]])?.first)
    let totals = (other["differences"] as? [String: Any])?["totals"] as? [String: Any]
    #expect(totals?["changed"] as? Int == 1)
    #expect(await rehome("verify", item, file).text.contains(words) == false)
  }

  @Test func storesThatBothTakeNoneRefuse() async throws {
    let outcome = await rehome(["verify", store, store] + Self.type)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("takes no corrections"), "\(outcome.error)")
  }
}
