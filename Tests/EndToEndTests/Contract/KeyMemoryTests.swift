import Foundation
import TestSupport
import Testing

/// What is kept of rows and what refers to them takes a few bytes of memory for each.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct KeyMemoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func peak(_ command: String...) throws -> Double {
    try RunCosts(of: command).memory
  }

  /// A plain store of rows whose keys are so far apart.
  private func store(_ name: String, from start: Int, apart step: Int) throws -> String {
    let path = folder.path("\(name)\(step).db")
    try Devices.execute(
      path,
      """
      CREATE TABLE T (pk INTEGER PRIMARY KEY, id TEXT);
      WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 400000)
      INSERT INTO T SELECT \(start) + i * \(step), '\(name)' || i FROM n;
      """)
    return path
  }

  /// Keys are close together where one counts them, and lie apart where a clock makes them.
  @Test func keysThatLieApartTakeLittleMoreThanOthers() throws {
    func peaks(_ step: Int) throws -> [Double] {
      let (first, second) = (
        try store("a", from: 1, apart: step), try store("b", from: 2, apart: step)
      )
      return [
        try peak("audit", second),
        try peak("convert", "-qf", first, second, "-o", folder.path("m.rehome")),
      ]
    }
    for (close, apart) in zip(try peaks(1), try peaks(1 << 22)) {
      #expect(apart - close < 10, "\(apart) MiB, and \(close) where keys are close together")
    }
  }

  /// A store of items with columns that refer to them.
  private func items(_ count: Int, references: Int) async throws -> String {
    let names = (0..<references).map { "r\($0)" }
    var text = "id,\(names.joined(separator: ","))\n"
    for item in 0..<count {
      let ids = names.indices.map { ",a\((item * 7919 + $0) % count)" }
      text += "a\(item)\(ids.joined())\n"
    }
    let (file, path) = (try folder.write(text, to: "s.csv"), folder.path("s.rehome"))
    let options = names.flatMap { ["--reference", "s.\($0)=s"] }
    #expect(await rehome(["seed", "-qf", file, "-o", path] + options).code == 0)
    return path
  }

  /// It is looked up which of the rows are there to which others refer.
  @Test func rowsThatAreReferredToTakeLittle() async throws {
    let store = try await items(200_000, references: 1)
    let close = try peak("audit", store)
    try Devices.execute(
      store,
      """
      UPDATE s SET r0 = r0 << 22; UPDATE s SET _pk = -(_pk << 22); UPDATE s SET _pk = -_pk;
      """)
    let apart = try peak("audit", store)
    #expect(apart - close < 11, "\(apart) MiB, \(close) where keys are close together")
  }

  /// Several columns that refer to the same items share what stands for them.
  @Test func columnsOfReferencesTakeAsMuchAsOne() async throws {
    var peaks: [Double] = []
    for count in [1, 6] {
      let store = try await items(100_000, references: count)
      peaks.append(try peak("verify", "-q", "--by-id", store, store))
    }
    #expect(peaks[1] - peaks[0] < 8, "\(peaks[1]) MiB for six, \(peaks[0]) for one")
  }
}
