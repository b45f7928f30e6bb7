import TestSupport
import Testing

/// Stores whose service spoke what is not spoken here are never sent to a server.
struct ForeignServiceTests {
  @Test(
    arguments: [
      ("amplify-ios-2024/TodoApp.db", "AppSync"),
      ("watermelon-2024/watermelon.db", "WatermelonDB"),
      ("powersync-2025/todos.sqlite", "PowerSync"),
      ("couchbase-ios-2015/notes.cblite", "Sync Gateway"),
    ], [true, false])
  func serverIsRefusedByTheNameOfTheProtocol(
    _ store: (sample: String, name: String), isDryRun: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let outcome = await rehome(
      [
        "replay", Project.path("samples/\(store.sample)"), "--to", "https://example.invalid",
        "--journal", folder.path("j.rehome"),
      ] + (isDryRun ? ["--dry-run"] : []))
    #expect(outcome.code == 64)
    #expect(outcome.error.contains(store.name))
    #expect(outcome.error.contains("rehearse with --to STORE"))
    #expect(!outcome.error.contains("the journal is"))
    #expect(folder.names.isEmpty, "\(folder.names)")
  }

  /// The service of one device of a store of several is enough, wherever the device stands.
  @Test(arguments: [
    ["ios-2016", "powersync-2025"], ["powersync-2025", "ios-2016"],
    ["datasync-2023", "watermelon-2024"], ["watermelon-2024", "datasync-2023"],
  ])
  func serverIsRefusedForOneOfSeveralDevices(samples: [String]) async throws {
    let folder = try TemporaryFolder()
    let merged = folder.path("out.rehome")
    let stores = samples.map { Sample(name: $0).store() }
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let outcome = await rehome("replay", merged, "--to", "https://example.invalid", "--dry-run")
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("which is not spoken here"))
  }

  /// What is not to be sent says nothing about what the server speaks.
  @Test(
    arguments: [
      ("parse-android-2016/ParseOfflineStore", "Game"),
      ("couchbase-ios-2015/notes.cblite", "task"),
    ], [true, false])
  func onlyWhatIsSentDecidesTheDialect(
    _ other: (store: String, table: String), isDropped: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let merged = folder.path("out.rehome")
    let stores = [Project.path("samples/\(other.store)"), Sample(name: "dotnet-2019").store()]
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    var replay = ["replay", merged, "--to", "https://example.invalid", "--dry-run"]
    let refused = await rehome(replay)
    #expect(refused.code == 64 && refused.error.contains("--table"))
    if isDropped {
      _ = await rehome("ops", "drop", merged, "--table", other.table)
    } else {
      replay += ["--table", "Product"]
    }
    let outcome = await rehome(replay)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.text.contains("tables/Product"))
  }

  /// Only an update of a part cannot be sent to a service that takes whole items.
  @Test func wholeItemsOfPowerSyncGoToAnyService() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("out.rehome")
    _ = await rehome(
      "convert", "-q", Project.path("samples/powersync-2025/todos.sqlite"), "-o", store)
    let replay = [
      "replay", store, "--to", "https://example.invalid", "--dialect", "v3", "--dry-run",
    ]
    let refused = await rehome(replay)
    #expect(refused.code == 64 && refused.error.contains("hold only what changed"))
    _ = await rehome("ops", "drop", store, "3")
    let outcome = await rehome(replay)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.text.contains("POST"))
  }

  /// Whatever refuses a replay, and of whichever family the store is, nothing is left of it.
  @Test(
    arguments: [
      "amplify-ios-2024/TodoApp.db", "parse-android-2016/ParseOfflineStore",
      "watermelon-2024/watermelon.db", "powersync-2025/todos.sqlite",
      "couchbase-ios-2015/notes.cblite",
      "datasync-2023/offline.db", "ios-2016/qstodoitem.sqlite", "toolkit-2025/todo.sqlite",
    ],
    [
      ["--to", "https://example.invalid", "--dialect", "v2", "--map", "nonsense"],
      ["--to", "https://example.invalid", "--dialect", "v2", "--table", "NoSuchTable"],
      ["--to", "https://example.invalid", "--dialect", "v2", "--header-file", "/nowhere/at/all"],
      ["--to", "http://example.invalid", "--dialect", "v2"],
      ["--to", "/nowhere/at/all.rehome"],
    ])
  func refusalLeavesNothing(sample: String, arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    let outcome = await rehome(
      ["replay", Project.path("samples/\(sample)"), "--journal", folder.path("j.rehome")]
        + arguments)
    #expect([64, 65, 66].contains(outcome.code), "\(outcome.error)")
    #expect(folder.names.isEmpty, "\(folder.names)")
  }
}
