import Foundation
import TestSupport
import Testing

/// A rehearsal says beforehand what the tables of its target cannot do, or cannot show.
struct LocalLacksTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func seeded(_ json: String, _ name: String, _ options: String...) async throws -> String {
    let (file, store) = (try folder.write(json, to: name + ".json"), folder.path("t.rehome"))
    let outcome = await rehome(["seed", file, "-qfo", store] + options)
    try #require(outcome.code == 0, "\(outcome.error)")
    return store
  }

  /// Exports of services often have no versions, and numbers are none.
  @Test(arguments: [
    (#""text":"theirs""#, true), (#""text":"theirs","version":7"#, true),
    (#""text":"theirs","version":"AAAAAAAAAAc=""#, false),
  ])
  func versionsThatAreNotThereAreTold(_ fields: String, isTold: Bool) async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    let target = try await seeded("[{\"id\":\"item-000001\",\(fields)}]", "TodoItem")
    for options in [["-n"], ["--dynamic-schema"]] {
      let outcome = await rehome(
        ["replay", rehearsal.device, "--to", target, "--journal", folder.path("j.rehome")] + options
      )
      let words = "tables of the target have no versions of items"
      #expect(outcome.error.contains(words) == isTold, "\(outcome.error)")
    }
    let whole = await rehome("replay", "-n", rehearsal.device, "--to", rehearsal.server)
    #expect(!whole.error.contains("tables of the target"), "\(whole.error)")
  }

  /// The ids of Parse and Couchbase are called otherwise; following the advice helps.
  @Test(arguments: [
    ("parse-android-2016", "Game", "objectId"), ("couchbase-ios-2015", "task", "_id"),
  ])
  func idsThatAreNotThereAreTold(_ sample: String, _ table: String, _ id: String) async throws {
    let device = Sample(name: sample).store()
    let json = #"[{"\#(id)":"u1u1u1u1u1","score":1}]"#
    let target = try await seeded(json, table)
    let told = await rehome("replay", "-n", device, "--to", target)
    let remedy = "--rename \(table).\(id)=id"
    #expect(told.error.contains("no column with the ids of items"), "\(told.error)")
    #expect(told.error.contains(remedy), "\(told.error)")
    let again = try await seeded(json, table, "--rename", "\(table).\(id)=id")
    let outcome = await rehome("replay", "-n", device, "--to", again)
    #expect(!outcome.error.contains("no column with the ids"), "\(outcome.error)")
  }
}
