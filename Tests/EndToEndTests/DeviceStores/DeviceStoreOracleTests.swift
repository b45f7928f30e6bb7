import Foundation
import TestSupport
import Testing

/// Random stores of other offline SDKs are read as programs in Python read them, which were written
/// from the formats' descriptions and share no code with the tool.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct DeviceStoreOracleTests {
  @Test(arguments: [("wild_amplify_stores.py", 45), ("wild_parse_stores.py", 40)])
  func randomStoresAreReadAsTheOracleReadsThem(maker: String, count: Int) async throws {
    let folder = try TemporaryFolder()
    var lines = Data()
    let stores = try RandomStores.make(maker, seed: 2031, count: count, in: folder)
    for store in stores {
      let inspect = await rehome("inspect", "--json", "--fail-on", "never", store)
      let audit = await rehome("audit", "--json", "--fail-on", "never", store)
      #expect(inspect.code == 0 && audit.code == 0, "\(store) \(inspect.error)\(audit.error)")
      let entry: [String: Any] = [
        "store": store, "inspect": try Self.only(inspect), "audit": try Self.only(audit),
      ]
      lines += try JSONSerialization.data(withJSONObject: entry) + Data("\n".utf8)
    }
    let oracle = ProjectFolders.oracles.appending(path: "compare_device_store.py")
    let report = String(decoding: try Python.run(file: oracle.path, input: lines), as: UTF8.self)
    #expect(report == "\(stores.count) stores\n", "\(report.prefix(4000))")
  }

  @Test(arguments: [("wild_amplify_stores.py", 27), ("wild_parse_stores.py", 24)])
  func randomStoresConvertAsTheOracleExpects(maker: String, count: Int) async throws {
    let folder = try TemporaryFolder()
    let oracle = Project.path("Tests/Oracles/compare_canonical.py")
    for store in try RandomStores.make(maker, seed: 2032, count: count, in: folder) {
      let output = folder.path("out.rehome")
      let outcome = await rehome("convert", "-qf", "--fail-on", "never", store, "-o", output)
      #expect(outcome.code == 0 || outcome.code == 2, "\(store) \(outcome.error)")
      let report = try Program.python.run(["-B", oracle, store, output])
      #expect(report.code == 0, "\(store) \(report.text)\(report.error)")
      let (left, right) = (await rehome("hash", store), await rehome("hash", output))
      #expect(left.text.prefix(64) == right.text.prefix(64), "\(store) \(left.error)\(right.error)")
    }
  }

  private static func only(_ outcome: Outcome) throws -> [String: any Sendable] {
    let stores = try #require(try outcome.json()["stores"] as? [[String: any Sendable]])
    return try #require(stores.first)
  }
}
