import Foundation
import TestSupport
import Testing

/// What a person says of names and types is for the store that has them otherwise, not for the one
/// that was made with it.
struct VerifyCorrectionsTests {
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

  @Test func storesThatBothTakeNoneRefuse() async throws {
    let outcome = await rehome(["verify", store, store] + Self.type)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("takes no corrections"), "\(outcome.error)")
  }
}
