import Bytes
import Foundation
import SQLite
import SQLiteFile
import TestSupport
import Testing

@testable import Opening
@testable import Records

/// Files with every kind of schema, and damaged ones, against the verdict of SQLite's own check.
///
/// `REHOME_SCHEMAS=5000 swift test --filter WildSchemaTests` tries as many for each seed.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct WildSchemaTests {
  /// A file that Python made.
  private struct WildFile: Decodable {
    let path: String
    let verdict: String
    let marks: [String]
    /// How many rows each table has, where nothing has been damaged.
    let rows: [String: Int]
    var isMutant: Bool { marks.contains("mutant") }
  }

  private static let count =
    ProcessInfo.processInfo.environment["REHOME_SCHEMAS"].flatMap { Int($0) } ?? 60

  private func makeFiles(seed: Int, in folder: TemporaryFolder) throws -> [WildFile] {
    let maker = ProjectFolders.oracles.appending(path: "wild_schemas.py").path
    let output = try Python.run(
      file: maker, arguments: [folder.path("wild"), "\(seed)", "\(Self.count)"])
    return try JSONDecoder().decode([WildFile].self, from: output)
  }

  @Test(arguments: 1...4)
  func nothingThatTheEngineFindsSoundIsRefused(seed: Int) throws {
    let folder = try TemporaryFolder()
    let interruption = Interruption { false }
    let opening = StoreOpening(temporaryFolder: folder.path, interruption: interruption)
    var verdicts: [String: Int] = [:]
    for file in try makeFiles(seed: seed, in: folder) {
      verdicts[file.verdict, default: 0] += 1
      guard file.verdict == "sound" else { continue }
      let place = "seed \(seed), \(file.path): \(file.marks.sorted())"
      if !file.isMutant { #expect(trouble(of: file.path) == nil, "\(place)") }
      switch rows(of: file, opening) {
      case .success(let rows): #expect(rows == file.rows, "\(place)")
      case .failure(let error):
        // A damaged record that no check looks at shows when it is read.
        #expect(file.isMutant && error.kind == .damaged, "\(place): \(error.message)")
      }
    }
    #expect(verdicts["sound", default: 0] > Self.count / 2)
    #expect(verdicts["damaged", default: 0] > 0)
  }

  /// What our own check finds first.
  private func trouble(of path: String) -> String? {
    do throws(PageError) {
      return try PageFile(opening: path).checkStructure(threads: 1).damage.first?.description
    } catch {
      return error.message
    }
  }

  /// How many rows are read from the tables whose rows Python has counted.
  private func rows(
    of file: WildFile, _ opening: StoreOpening
  ) -> Result<[String: Int], StoreError> {
    do throws(StoreError) {
      let reader = try opening.reader(forStoreAt: file.path)
      var rows: [String: Int] = [:]
      for (index, table) in reader.catalogue.tables.enumerated() {
        var count = 0
        try reader.forEachBatch(inTable: index) { batch in count += batch.rowCount }
        if file.rows[table.sourceTable] != nil { rows[table.sourceTable] = count }
      }
      return .success(rows)
    } catch {
      return .failure(error)
    }
  }
}
