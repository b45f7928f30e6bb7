import Foundation
import TestSupport
import Testing

/// What is found in stores is what a program in Python finds, which shares no code with the tool.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct AuditOracleTests {
  private static let count = 24

  @Test(arguments: ["wild_ios_stores.py", "wild_sibling_stores.py"])
  func randomStoresHaveTheFindingsThatTheirRowsAndQueueCallFor(maker: String) async throws {
    let folder = try TemporaryFolder()
    let stores = try RandomStores.make(maker, seed: 2027, count: Self.count, in: folder)
    try await expectFindings(of: stores)
  }

  @Test func samplesHaveTheFindingsThatTheirRowsAndQueueCallFor() async throws {
    try await expectFindings(of: Sample.all.map { $0.store() })
  }

  /// A situation that was planted must be found; what it is called is the format's description's.
  @Test(arguments: [
    ("insert-without-row", "operation-without-row"), ("unknown-kind", "unknown-operation-kind"),
    ("undecodable", "undecodable-operation"), ("negative-number", "odd-operation-id"),
    ("unknown-table", "operation-for-unknown-table"), ("case-twins", "item-id-case-twins"),
    ("duplicate-rows", "duplicate-item-id"), ("insert-delete", "insert-then-delete"),
    ("conflict", "error-conflict"), ("no-answer", "error-rejected"),
    ("kind-in-a-string", "operation-kind-in-string"), ("reused-number", "error-without-operation"),
    ("duplicate-number", "duplicate-operation-id"), ("rows-without-id", "missing-item-id"),
    ("dangling-reference", "dangling-reference"), ("one-sided-reference", "one-sided-reference"),
  ])
  func plantedSituationIsFound(situation: String, code: String) async throws {
    let stores = try await Self.plantedStores.value.filter { $0.situations.contains(situation) }
    for store in stores {
      // An error whose operation's number was given out again may be about the new one's kind.
      let isFound = store.codes.contains(code)
      let isStale = situation == "reused-number" && store.codes.contains("stale-error")
      #expect(isFound || isStale, "\(store.name)")
    }
    #expect(!stores.isEmpty)
  }

  /// What was put into a random store, and the codes of what is found in it.
  private struct PlantedStore: Sendable {
    let name: String
    let situations: Set<String>
    let codes: Set<String>
  }

  /// Made once, for all situations.
  private static let plantedStores = Task {
    let folder = try TemporaryFolder()
    var stores: [PlantedStore] = []
    for store in try RandomStores.make("wild_ios_stores.py", seed: 31, count: 30, in: folder) {
      let codes = Set(try await findings(of: store).compactMap { $0["code"] as? String })
      stores.append(
        PlantedStore(
          name: store, situations: try RandomStores.situations(of: store), codes: codes))
    }
    return stores
  }

  private func expectFindings(of stores: [String]) async throws {
    var lines = Data()
    for store in stores {
      let entry: [String: Any] = ["store": store, "findings": try await Self.findings(of: store)]
      lines += try JSONSerialization.data(withJSONObject: entry) + Data("\n".utf8)
    }
    let oracle = ProjectFolders.oracles.appending(path: "check_findings.py")
    let report = String(decoding: try Python.run(file: oracle.path, input: lines), as: UTF8.self)
    let words = report.split(separator: " ")
    #expect(report.split(separator: "\n").count == 1, "\(report)")
    #expect(words.first == "\(stores.count)" && words.dropFirst(2).first != "0")
  }

  private static func findings(of store: String) async throws -> [[String: any Sendable]] {
    let outcome = await rehome("audit", "--json", "--fail-on", "never", store)
    #expect(outcome.code == 0 && outcome.error == "", "\(store) \(outcome.error)")
    let stores = try #require(try outcome.json()["stores"] as? [[String: any Sendable]])
    return try #require(stores.first?["findings"] as? [[String: any Sendable]])
  }
}
