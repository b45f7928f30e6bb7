import Foundation
import Records
import SyncSDKs
import TestSupport
import Testing

/// `rehome-store(5)` describes the canonical store as it is really written.
struct StoreManualTests {
  private let page: String

  init() throws {
    page = try String(contentsOfFile: Project.path("man/rehome-store.5"), encoding: .utf8)
  }

  /// A store of two sources, which has all that there can be.
  private func mergedStore(in folder: TemporaryFolder) async throws -> String {
    let store = folder.path("out.rehome")
    let sources = ["ios-2016", "ios-2015"].map { Sample(name: $0).store() }
    #expect(await rehome(["convert", "-q"] + sources + ["-o", store]).code == 0)
    return store
  }

  /// Every table of the bookkeeping, and every column with its declared type.
  private func realColumns() async throws -> [String: [String]] {
    let folder = try TemporaryFolder()
    let store = try await mergedStore(in: folder)
    let text = try python(
      """
      import json, sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      names = [n for n, in db.execute(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'rehome!_%' ESCAPE '!'")]
      print(json.dumps({n: [f'{c[1]} {c[2]}' for c in db.execute(f'PRAGMA table_info("{n}")')]
          for n in names}))
      """, store)
    return try JSONDecoder().decode([String: [String]].self, from: Data(text.utf8))
  }

  /// The tables of the page (`.SS`) with their columns (`.It Va name Vt TYPE`).
  private func describedColumns() -> [String: [String]] {
    var tables: [String: [String]] = [:]
    var table: String?
    for line in page.split(separator: "\n") {
      if line.hasPrefix(".Ss ") { table = String(line.dropFirst(4)) }
      if line.hasPrefix(".Sh ") { table = nil }
      guard let table, line.hasPrefix(".It Va "), table.hasPrefix("rehome_") else { continue }
      let words = line.split(separator: " ")
      tables[table, default: []].append("\(words[2]) \(words.count > 4 ? words[4] : "")")
    }
    return tables
  }

  @Test func everyTableAndColumnIsDescribed() async throws {
    let real = try await realColumns()
    #expect(real.count >= 11)
    #expect(describedColumns() == real)
  }

  @Test func everyWordOfTheVocabulariesIsDescribed() {
    let words =
      LogicalType.allCases.map(\.rawValue) + ColumnRole.allCases.map(\.rawValue)
      + OperationKind.allCases.map(\.rawValue) + OperationState.allCases.map(\.rawValue)
      + Severity.allCases.map(\.rawValue) + NameOrigin.allCases.map(\.rawValue)
      + RejectCode.allCases.map(\.rawValue) + Layout.ofNoSDK.map(\.rawValue)
      + SDK.all.map(\.layout.rawValue)
    for word in words { #expect(page.contains("\n.It Li \(word)\n"), "\(word)") }
  }

  @Test func everyExampleRunsOnARealStore() async throws {
    let folder = try TemporaryFolder()
    let store = try await mergedStore(in: folder)
    let examples = page.split(separator: "\n.Bd ").dropFirst().compactMap { block in
      block.split(separator: "\n.Ed").first?.split(separator: "\n").dropFirst()
        .joined(separator: "\n")
    }
    #expect(examples.count == 5)
    for example in examples {
      let rows = try python(
        """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        parts = [part for part in sys.argv[2].split(';') if 'SELECT' in part or 'PRAGMA' in part]
        parts = [part[part.find('PRAGMA'):] if 'PRAGMA' in part else part for part in parts]
        print(*[len(db.execute(part).fetchall()) > 0 for part in parts])
        """, store, example)
      #expect(rows.contains("True") && !rows.contains("False"), "\(example)")
    }
  }
}
