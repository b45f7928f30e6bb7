import Foundation
import TestSupport
import Testing

/// What everything that writes a file promises, whatever is written.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct WriterConformanceTests {
  /// A way to write what a store holds.
  enum Way: String, Sendable, CustomTestStringConvertible, CaseIterable {
    case canonical, toolkit, coreData
    case jsonDocument, xmlDocument, packedDocument, postgreSQL
    case jsonBundle, ndjsonBundle, csvBundle, safeCSVBundle, spreadsheetBundle, xmlBundle

    var testDescription: String { rawValue }

    /// The options of an export; nil for a new store.
    private var export: [String]? {
      switch self {
      case .canonical, .toolkit, .coreData: nil
      case .jsonDocument, .packedDocument, .jsonBundle: ["--to", "json"]
      case .xmlDocument, .xmlBundle: ["--to", "xml"]
      case .ndjsonBundle: ["--to", "ndjson"]
      case .csvBundle: ["--to", "csv"]
      case .safeCSVBundle: ["--to", "csv", "--csv-safe"]
      case .spreadsheetBundle: ["--to", "csv", "--for", "excel"]
      case .postgreSQL: ["--to", "postgresql"]
      }
    }

    /// A name with the ending by which the form is chosen.
    var output: String {
      switch self {
      case .jsonDocument: "out.json"
      case .xmlDocument: "out.xml"
      case .packedDocument: "out.json.gz"
      default: "out"
      }
    }

    var isBundle: Bool { rawValue.hasSuffix("Bundle") }

    /// Whether a reader of ours takes the output, so that its hash can be held against the source's.
    var isRead: Bool { ![.postgreSQL, .toolkit, .coreData].contains(self) }

    /// The run that writes a store to a path.
    func arguments(_ store: String, template: String, to output: String) -> [String] {
      switch self {
      case .canonical: ["convert", store, "-o", output]
      case .toolkit: ["seed", store, "--into", "toolkit", "-o", output]
      case .coreData: ["seed", store, "--into", "core-data", "--template", template, "-o", output]
      default: ["export", store, "-o", output] + (export ?? [])
      }
    }
  }

  private let folder: TemporaryFolder
  private let template: String
  private static let sample = Sample(name: "ios-2016")

  init() throws {
    folder = try TemporaryFolder()
    template = folder.path("empty.sqlite")
    _ = try Python.run(
      file: Project.path("Tests/Oracles/empty_core_data.py"),
      arguments: [Self.sample.store(), template, ""])
  }

  /// A store with awkward names and values; those with models of their own take only the app's.
  private func source(for way: Way) async throws -> String {
    if way == .coreData || way == .toolkit { return Self.sample.store() }
    let store = folder.path("awkward.rehome")
    #expect(await rehome("convert", "-qf", Self.sample.store(), "-o", store).code == 0)
    _ = try Python.run(
      file: Project.path("Tests/Oracles/awkward_store.py"), arguments: [store])
    return store
  }

  private func run(_ way: Way, _ store: String, to output: String, _ more: String...) async
    -> Outcome
  {
    let arguments = way.arguments(store, template: template, to: output)
    return await rehome(arguments + ["--fail-on", "never"] + more)
  }

  @Test(arguments: Way.allCases)
  func sourceStaysAsItWas(_ way: Way) async throws {
    let store = try await source(for: way)
    let before = try (Fingerprint(of: store), Fingerprint(of: template))
    #expect([0, 2].contains(await run(way, store, to: folder.path(way.output)).code))
    #expect(try Fingerprint(of: store) == before.0)
    #expect(try Fingerprint(of: template) == before.1)
  }

  @Test(arguments: Way.allCases)
  func booksBalanceAndCountWhatIsThere(_ way: Way) async throws {
    let store = try await source(for: way)
    let output = folder.path(way.output)
    let outcome = await run(way, store, to: output, "--json")
    let report = try outcome.json()
    let tables = try #require(report["tables"] as? [[String: any Sendable]])
    let names = tables.compactMap { $0["name"] as? String }
    var written: [String: Int] = [:]
    for (name, table) in zip(names, tables) {
      let count = { (key: String) in table[key] as? Int ?? 0 }
      #expect(count("read") == count("written") + count("filtered"), "\(name): \(table)")
      written[name] = count("written")
    }
    #expect(try counts(in: output, names) == written)
    #expect(written.count >= 2)
  }

  @Test(arguments: Way.allCases.filter(\.isRead))
  func contentIsThatOfTheSource(_ way: Way) async throws {
    let store = try await source(for: way)
    let output = folder.path(way.output)
    _ = await run(way, store, to: output)
    let hashes = await (rehome("hash", "-q", store), rehome("hash", "-q", output))
    #expect(hashes.0.text.prefix(64).count == 64)
    #expect(hashes.0.text.prefix(64) == hashes.1.text.prefix(64), "\(hashes.1.error)")
  }

  @Test(arguments: Way.allCases)
  func existingOutputIsKeptUnlessItMayBeReplaced(_ way: Way) async throws {
    let store = try await source(for: way)
    let output = folder.path(way.output)
    #expect([0, 2].contains(await run(way, store, to: output).code))
    let before = try Fingerprint(of: output)
    let refused = await run(way, store, to: output)
    #expect(refused.code == 73, "\(refused.error)")
    #expect(try Fingerprint(of: output) == before)
    #expect([0, 2].contains(await run(way, store, to: output, "-f").code))
    #expect(try Fingerprint(of: output) != before)
  }

  @Test(arguments: Way.allCases)
  func missingFolderAndTheSourceItselfAreRefused(_ way: Way) async throws {
    let store = try await source(for: way)
    let before = try Fingerprint(of: store)
    let missing = await run(way, store, to: folder.path("missing/") + way.output)
    #expect(missing.code == 73, "\(missing.error)")
    #expect(missing.error.contains("missing"))
    #expect(!folder.names.contains("missing"))
    for more in [[], ["-f"]] {
      let arguments = way.arguments(store, template: template, to: store) + more
      let code = await rehome(arguments).code
      #expect([64, 73].contains(code), "\(arguments): \(code)")
    }
    #expect(try Fingerprint(of: store) == before)
  }

  /// A file that may not grow further is what a full disk is to a program.
  @Test(arguments: Way.allCases, [1, 16])
  func nothingIsLeftWhereThereIsNoRoom(_ way: Way, kilobytes: Int) async throws {
    let store = try await source(for: way)
    let target = try folder.makeFolder("out-\(kilobytes)")
    let temporary = try folder.makeFolder("tmp-\(kilobytes)")
    let arguments = way.arguments(store, template: template, to: target + "/" + way.output)
    let line = "ulimit -f \(kilobytes); exec \"$0\" \"$@\""
    let outcome = try Program.bash.run(
      ["-c", line, Project.executable.path] + arguments, variables: ["TMPDIR": temporary])
    if outcome.code == 0 || outcome.code == 2 {
      // What is packed small enough fits.
      #expect(way == .packedDocument, "\(outcome.error)")
      return
    }
    #expect(outcome.code == 74, "\(outcome.error)")
    for left in [target, temporary] {
      #expect(try FileManager.default.contentsOfDirectory(atPath: left) == [])
    }
  }

  @Test(arguments: Way.allCases)
  func tableThatIsNamedComesAlone(_ way: Way) async throws {
    // A new store of an app has all of its tables.
    guard ![.coreData, .toolkit].contains(way) else { return }
    let store = try await source(for: way)
    let output = folder.path(way.output)
    let outcome = await run(way, store, to: output, "--table", "Extremes", "--json")
    #expect([0, 2].contains(outcome.code), "\(outcome.error)")
    #expect(try counts(in: output, ["Extremes"]) == ["Extremes": 2])
  }

  /// How many rows the tables of an output have, by readers that share no code with ours.
  private func counts(in output: String, _ tables: [String] = []) throws -> [String: Int] {
    let printed = try Python.run(
      file: Project.path("Tests/Oracles/count_rows.py"), arguments: [output] + tables)
    return try #require(try JSONSerialization.jsonObject(with: Data(printed)) as? [String: Int])
  }
}
