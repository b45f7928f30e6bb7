import Bytes
import Foundation
import TestSupport
import Testing

@testable import CoreData

struct ModelFileTests {
  private static func compiled(_ entities: String...) throws -> [UInt8] {
    var archive = ArchiveFixture()
    let listed = entities.map { ($0, archive.entity($0)) }
    return try archive.model(listed)
  }

  private static func sourced(_ entities: String...) -> [UInt8] {
    source(entities.map { "<entity name=\"\($0)\"/>" }.joined())
  }

  private static func currentVersion(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
    """
  }

  private static func hash(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

  private static func versionInfo(
    current: String, _ versions: [String: [String: UInt8]],
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> [UInt8] {
    let hashes = versions.mapValues { $0.mapValues { Data(hash($0)) } }
    let list: [String: Any] = [
      "NSManagedObjectModel_CurrentVersionName": current,
      "NSManagedObjectModel_VersionHashes": hashes,
    ]
    return [UInt8](
      try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
  }

  @Test func namesEndingsDoNotMatter() throws {
    let folder = try TemporaryFolder()
    try folder.write("one.txt", Self.compiled("E"))
    try folder.write("two.mom", Self.sourced("E"))
    try folder.write("three/contents", Self.sourced("E"))
    try folder.write("four/any.xcdatamodel/contents", Self.sourced("E"))
    try folder.write("five/v1", Self.compiled("E"))
    let forms = try ["one.txt", "two.mom", "three", "three/contents", "four", "five"].map {
      try ModelFile(at: folder.path($0)).form
    }
    #expect(
      forms == [
        .compiled, .source, .sourceFolder, .source, .sourceVersions, .compiledVersions,
      ])
    for name in ["one.txt", "two.mom", "three", "three/contents", "four", "five"] {
      let versions = try ModelFile(at: folder.path(name)).versions()
      #expect(versions.candidates.map { $0.model.entities.map(\.name) } == [["E"]], "\(name)")
    }
  }

  @Test func contentsFileIsCalledByItsFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("Shop 2.xcdatamodel/contents", Self.sourced("E"))
    for path in ["Shop 2.xcdatamodel", "Shop 2.xcdatamodel/contents"] {
      #expect(try ModelFile(at: folder.path(path)).versions().candidates.map(\.name) == ["Shop 2"])
    }
  }

  @Test func everySourceIsReadAndTheCurrentOneIsKnown() throws {
    let folder = try TemporaryFolder()
    try folder.write("M.xcdatamodeld/.xccurrentversion", Self.currentVersion("M 2.xcdatamodel"))
    try folder.write("M.xcdatamodeld/M.xcdatamodel/contents", Self.sourced("A"))
    try folder.write("M.xcdatamodeld/M 2.xcdatamodel/contents", Self.sourced("A", "B"))
    try folder.write("M.xcdatamodeld/M 3.xcdatamodel/contents", Self.sourced("C"))
    let candidates = try ModelFile(at: folder.path("M.xcdatamodeld")).versions().candidates
    #expect(candidates.map(\.name) == ["M 2", "M 3", "M"])
    #expect(candidates.map(\.isCurrent) == [true, false, false])
    #expect(candidates.allSatisfy { $0.hashes == nil })
  }

  @Test(arguments: [
    PropertyListSerialization.PropertyListFormat.binary, .xml,
  ])
  func versionIsChosenByItsHashesThoughAnotherIsCurrent(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("M.momd/one.mom", Self.compiled("A"))
    try folder.write("M.momd/two.mom", Self.compiled("A"))
    try folder.write("M.momd/two.omo", "momv2$ and more")
    try folder.write(
      "M.momd/VersionInfo.plist",
      Self.versionInfo(current: "two", ["one": ["A": 1], "two": ["A": 2]], format))
    let versions = try ModelFile(at: folder.path("M.momd")).versions()
    #expect(versions.candidates.map(\.name) == ["one", "two"])
    let choice = try versions.chosen(for: ModelEvidence(hashes: ["A": Self.hash(1)]))
    #expect(choice.candidate.name == "one")
    #expect(choice.reason == .hashes)
  }

  @Test func versionWithOtherHashesIsNeverChosen() throws {
    let folder = try TemporaryFolder()
    try folder.write("M.momd/one.mom", Self.compiled("A", "B"))
    try folder.write(
      "M.momd/VersionInfo.plist",
      Self.versionInfo(current: "one", ["one": ["A": 1, "B": 1]], .binary))
    let versions = try ModelFile(at: folder.path("M.momd")).versions()
    let error = #expect(throws: ModelFileError.self) {
      _ = try versions.chosen(
        for: ModelEvidence(hashes: ["A": Self.hash(1), "B": Self.hash(9)]))
    }
    #expect(error?.code == .noVersionFits)
    #expect(error?.message.contains("one has another form of B") == true)
  }

  /// A store of one of a model's configurations has the entities of that alone.
  @Test func versionWithMoreEntitiesComesAfterThoseWithTheSame() throws {
    let folder = try TemporaryFolder()
    try folder.write("M.momd/wide.mom", Self.compiled("A", "B"))
    try folder.write("M.momd/other.mom", Self.compiled("A", "B"))
    try folder.write(
      "M.momd/VersionInfo.plist",
      Self.versionInfo(
        current: "other", ["wide": ["A": 1, "B": 1], "other": ["A": 2, "B": 1]], .binary))
    let hashed = try ModelFile(at: folder.path("M.momd")).versions()
    let choice = try hashed.chosen(for: ModelEvidence(hashes: ["A": Self.hash(1)]))
    #expect(choice.candidate.name == "wide")
    #expect(choice.reason == .hashes)
    #expect(throws: ModelFileError.self) {
      _ = try hashed.chosen(for: ModelEvidence(hashes: ["A": Self.hash(3)]))
    }
    try folder.write("N/.xccurrentversion", Self.currentVersion("wide.xcdatamodel"))
    try folder.write("N/wide.xcdatamodel/contents", Self.sourced("A", "B"))
    try folder.write("N/same.xcdatamodel/contents", Self.sourced("A"))
    let sourced = try ModelFile(at: folder.path("N")).versions()
    #expect(try sourced.chosen(for: ModelEvidence(entityNames: ["A"])).candidate.name == "same")
    #expect(try sourced.chosen(for: ModelEvidence(entityNames: ["B"])).candidate.name == "wide")
    #expect(throws: ModelFileError.self) {
      _ = try sourced.chosen(for: ModelEvidence(entityNames: []))
    }
  }

  @Test func fewestMisfitsWinAndTheCurrentVersionOnATie() throws {
    let folder = try TemporaryFolder()
    try folder.write("M/.xccurrentversion", Self.currentVersion("v3.xcdatamodel"))
    for version in ["v1", "v2", "v3"] {
      try folder.write("M/\(version).xcdatamodel/contents", Self.attributes(of: version))
    }
    let versions = try ModelFile(at: folder.path("M")).versions()
    func chosen(_ columns: String...) throws -> String {
      let evidence = ModelEvidence(
        hashes: ["E": Self.hash(1)], rows: [PrimaryKeyRow(number: 1, name: "E", parent: 0)],
        tables: [
          ActualTable(
            name: "ZE",
            columns: (["Z_PK", "Z_ENT", "Z_OPT"] + columns).map {
              (name: $0, declaredType: $0.hasPrefix("Z_") ? "INTEGER" : "VARCHAR")
            })
        ])
      return try versions.chosen(for: evidence).candidate.name
    }
    #expect(try chosen("ZA") == "v1")
    #expect(try chosen("ZA", "ZB") == "v3")
    #expect(try chosen("ZC") == "v1")
  }

  /// `v1` has the attribute `a`; the others have `a` and `b`.
  private static func attributes(of version: String) -> [UInt8] {
    let names = version == "v1" ? ["a"] : ["a", "b"]
    let attributes = names.map { "<attribute name=\"\($0)\" attributeType=\"String\"/>" }
    return source("<entity name=\"E\">\(attributes.joined())</entity>")
  }

  @Test func refusalNamesTheEntitiesOfBothSides() throws {
    let folder = try TemporaryFolder()
    try folder.write("model", Self.sourced("A", "B"))
    let versions = try ModelFile(at: folder.path("model")).versions()
    let error = #expect(throws: ModelFileError.self) {
      _ = try versions.chosen(for: ModelEvidence(entityNames: ["A", "C"]))
    }
    #expect(
      error?.message
        == "no version of the model belongs to this store, whose entities are A, C: "
        + "model lacks C, has B besides")
    #expect(error?.path == folder.path("model"))
  }

  @Test func unreadableVersionIsNotedBesideTheOthers() throws {
    let folder = try TemporaryFolder()
    try folder.write("M/a.xcdatamodel/contents", "<model>")
    try folder.write("M/b.xcdatamodel/contents", Self.sourced("E"))
    let versions = try ModelFile(at: folder.path("M")).versions()
    #expect(versions.candidates.map(\.name) == ["b"])
    #expect(versions.unreadable.map(\.code) == [.unreadable])
    #expect(versions.unreadable.first?.path == folder.path("M/a.xcdatamodel/contents"))
  }

  @Test func whatIsNoModelIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write("empty/readme.txt", "nothing")
    try folder.write("old/elements", "x")
    try folder.write("old/layout", "x")
    try folder.write("prose", "this is no model")
    try folder.write("html", "<html></html>")
    try folder.write("optimised", "momv2$ and more")
    try folder.write("list", Self.versionInfo(current: "x", [:], .binary))
    try folder.write("broken/VersionInfo.plist", "<plist>")
    func code(_ name: String) -> ModelFileError.Code? {
      #expect(throws: ModelFileError.self, "\(name)") {
        _ = try ModelFile(at: folder.path(name)).versions()
      }?.code
    }
    #expect(code("empty") == .notAModel)
    #expect(code("old") == .unsupported)
    #expect(code("prose") == .notAModel)
    #expect(code("html") == .notAModel)
    #expect(code("optimised") == .unsupported)
    #expect(code("list") == .unusable)
    #expect(code("broken") == .unreadable)
    #expect(code("missing") == .inputOutput)
  }

  @Test func missingModelIsReportedAsMissing() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ModelFileError.self) {
      _ = try ModelFile(at: folder.path("nowhere"))
    }
    #expect(error?.kind == .missing)
    #expect(error?.path == folder.path("nowhere"))
  }
}
