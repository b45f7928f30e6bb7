import Foundation
import TestSupport
import Testing

/// A model that cannot be used is an error that names it; nothing is published.
struct ModelTroubleTests {
  private static let sample = Sample.all.first { $0.name == "ios-2016" }

  @Test(arguments: [
    ("prose", "this is no model", Int32(64), "neither a compiled model nor the source"),
    ("cut.mom", "bplist00 and nothing else", 65, "cut.mom"),
    ("contents", "<model><entity name='A'", 65, "contents"),
    ("optimised.omo", "momv2$ and more", 65, "optimised form"),
  ])
  func fileThatIsNoModelIsRefused(
    name: String, text: String, code: Int32, words: String
  ) async throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(text, to: name)
    let sample = try #require(Self.sample)
    let outcome = await rehome(
      "convert", sample.store(), "--model", model, "-o", folder.path("out"))
    #expect(outcome.code == code)
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(folder.names == [name])
  }

  @Test func modelThatIsMissingIsMissingInput() async throws {
    let sample = try #require(Self.sample)
    let outcome = await rehome("inspect", sample.store(), "--model", "/nowhere/at/all.momd")
    #expect(outcome.code == 66)
    #expect(outcome.error.contains("/nowhere/at/all.momd"))
  }

  /// A model that is not there is wrong with no store.
  @Test(arguments: [["find"], ["audit"], ["convert", "--skip-unreadable", "-o", "out"]])
  func missingModelEndsTheRun(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let stores = ["ios-2016", "dotnet-2019"].map { Sample(name: $0).store() }
    let command = command.map { $0 == "out" ? folder.path($0) : $0 }
    let outcome = await rehome(command + stores + ["--model", "/nowhere/at/all.momd"])
    #expect(outcome.code == 66 && outcome.text.isEmpty, "\(outcome.text)")
    #expect(outcome.error.hasPrefix("rehome: /nowhere/at/all.momd: "), "\(outcome.error)")
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: ["cut.mom", "", "/"])
  func storeThatIsLeftOutForItsModelIsNamed(_ name: String) async throws {
    let (folder, models) = try (TemporaryFolder(), TemporaryFolder())
    try models.write("bplist00 and nothing else", to: "cut.mom")
    // A folder of models may be named with slashes at the end.
    let model = models.path(name)
    let stores = ["ios-2016", "dotnet-2019"].map { Sample(name: $0).store() }
    let outcome = await rehome(
      ["convert", "--skip-unreadable", "-o", folder.path("out"), "--model", model] + stores)
    #expect(outcome.code == 2, "\(outcome.error)")
    let words = "\(stores[0]) cannot be read and was left out: --model "
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(outcome.error.contains("cut.mom: "), "\(outcome.error)")
  }

  @Test func storeWithoutModelsTakesNone() async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Self.sample)
    let store = folder.path("items.rehome")
    let converted = await rehome("convert", sample.store(), "-o", store, "--fail-on", "never")
    try #require([0, 2].contains(converted.code), "\(converted.error)")
    let model = try folder.write("", to: "any.momd")
    let outcome = await rehome("inspect", store, "--model", model)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("a model makes no sense"))
  }

  @Test func inspectShowsTheModelOfASampleWhereAsked() async throws {
    let sample = try #require(Self.sample)
    let short = await rehome("inspect", "--fail-on", "never", sample.store())
    #expect(!short.text.contains("Model:"))
    let long = await rehome("inspect", "-v", "--fail-on", "never", sample.store())
    #expect(long.text.contains("Model:\n") && long.text.contains("\n  TodoItem\n"))
    #expect(long.text.contains("    complete: Boolean"))
    let json = await rehome("inspect", "--json", "--fail-on", "never", sample.store())
    let stores = try #require(try json.json()["stores"] as? [[String: Any]])
    let model = try #require(stores.first?["model"] as? [String: Any])
    let entities = try #require(model["entities"] as? [[String: Any]])
    #expect(entities.contains { $0["name"] as? String == "TodoItem" })
  }

  @Test func canonicalStoreHasNoModel() async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Self.sample)
    let store = folder.path("items.rehome")
    _ = await rehome("convert", sample.store(), "-o", store, "--fail-on", "never")
    let outcome = await rehome("inspect", "--json", "--fail-on", "never", store)
    let stores = try #require(try outcome.json()["stores"] as? [[String: Any]])
    #expect(stores.first?["model"] is NSNull)
  }
}
