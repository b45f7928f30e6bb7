import Foundation
import TestSupport
import Testing

/// The project as it is keeps the rules.
struct LayeringTests {
  private struct SourceFile {
    let target: String
    let path: String
    let text: String
  }

  private func sources() throws -> [SourceFile] {
    let root = ProjectFolders.package.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: root.path))
    return try files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map {
      SourceFile(
        target: String($0.prefix { $0 != "/" }), path: $0,
        text: try String(contentsOf: root.appending(path: $0), encoding: .utf8))
    }
  }

  private func manifest() throws -> String {
    let file = ProjectFolders.package.appending(path: "Package.swift")
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func manifestDeclaresOnlyEdgesThatTheLayersAllow() throws {
    #expect(ProjectRules.objections(toManifest: try manifest()) == [])
  }

  @Test func everyFolderOfSourcesIsATargetOrASystemLibrary() throws {
    let root = ProjectFolders.package.appending(path: "Sources")
    let folders = try FileManager.default.contentsOfDirectory(atPath: root.path)
    let targets = ProjectRules.targets(of: try manifest())
    #expect(folders.filter { LayerTable.layer(of: $0) == nil } == [])
    #expect(Set(targets.keys).subtracting(folders) == [])
    let swift = Set(try sources().map(\.target))
    #expect(swift.subtracting(targets.keys) == [])
  }

  @Test func sourcesImportOnlyWhatTheLayersAllow() throws {
    let files = try sources()
    #expect(files.count > 100)
    for file in files {
      let objections = ProjectRules.objections(toImportsOf: file.text, in: file.target)
      #expect(objections == [], "\(file.path)")
    }
  }

  @Test func importedTargetsAreDeclaredDependencies() throws {
    let targets = ProjectRules.targets(of: try manifest())
    for file in try sources() {
      let own = Set(ProjectRules.imports(of: file.text)).intersection(LayerTable.layers.joined())
      #expect(own.subtracting(targets[file.target] ?? []) == [], "\(file.path)")
    }
  }

  @Test func sourcesUseNoForbiddenLanguage() throws {
    for file in try sources() {
      #expect(ProjectRules.forbiddenWords(in: file.text) == [], "\(file.path)")
    }
  }

  @Test func topLevelHoldsOnlyWhatTheStyleNames() throws {
    let entries = try FileManager.default.contentsOfDirectory(atPath: ProjectFolders.package.path)
    #expect(ProjectRules.strangers(in: entries) == [])
    #expect(entries.contains("Package.swift"))
  }
}
