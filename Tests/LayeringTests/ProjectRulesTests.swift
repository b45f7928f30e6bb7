import Testing

/// Each rule fails on a made-up violation, and lets pass what is allowed.
struct ProjectRulesTests {
  @Test(arguments: [
    ("Exports", "Canonical"), ("CoreData", "Exports"), ("Exports", "Tables"),
    ("Tables", "CoreData"), ("CoreData", "SyncSDKs"), ("Canonical", "SyncSDKs"),
    ("Merging", "Opening"), ("Places", "SyncSDKs"), ("Audit", "Tables"), ("Audit", "Replay"),
    ("SQLite", "Formats"), ("Records", "SQLite"), ("Formats", "XMLFormat"),
    ("Bytes", "Records"), ("Bytes", "CSQLite"), ("Opening", "CSQLite"), ("Records", "CZlib"),
    ("SQLite", "CZlib"), ("Formats", "CLibXML2"), ("Commands", "CSQLite"), ("rehome", "CZlib"),
    ("Opening", "Commands"), ("Opening", "CommandLineKit"), ("CommandLineKit", "Records"),
    ("CommandLineKit", "HTTPTransport"), ("HTTPTransport", "Opening"),
    ("HTTPTransport", "CommandLineKit"), ("Commands", "rehome"), ("Replay", "HTTPTransport"),
    ("Commands", "FoundationNetworking"), ("Bytes", "Foundation"), ("Opening", "Foundation"),
    ("SQLite", "FoundationEssentials"), ("Opening", "Testing"), ("Unknown", "Bytes"),
    ("Bytes", "SQLite3"), ("Opening", "Opening"),
  ])
  func forbiddenImportMeetsAnObjection(target: String, module: String) {
    #expect(LayerTable.objection(to: module, in: target) != nil)
    let manifest = "targets: [\n library(\"\(target)\", [\"Bytes\", \"\(module)\"]),\n]"
    #expect(!ProjectRules.objections(toManifest: manifest).isEmpty)
    let source = "import Glibc\npackage import \(module)\n"
    #expect(ProjectRules.objections(toImportsOf: source, in: target).count > 0)
  }

  @Test(arguments: [
    ("SQLite", "CSQLite"), ("Formats", "CZlib"), ("XMLFormat", "CLibXML2"), ("Tables", "SQLite"),
    ("Exports", "XMLFormat"), ("SyncSDKs", "CoreData"), ("Opening", "SyncSDKs"),
    ("Audit", "Records"), ("Records", "Bytes"), ("Commands", "Opening"),
    ("HTTPTransport", "Replay"), ("HTTPTransport", "FoundationNetworking"),
    ("CommandLineKit", "Bytes"), ("rehome", "Commands"), ("Bytes", "Glibc"),
    ("Commands", "Synchronization"), ("Commands", "HTTPTransport"),
  ])
  func allowedImportMeetsNone(target: String, module: String) {
    #expect(LayerTable.objection(to: module, in: target) == nil)
  }

  @Test(arguments: [
    "import SQLite", "package import SQLite", "@testable import SQLite", "import SQLite // why",
    "@_exported public import SQLite", "import struct SQLite.Statement", "import SQLite.Sub",
    "  internal import SQLite;", "import SQLite;import Glibc",
  ])
  func importIsFoundInAnyShape(line: String) {
    #expect(ProjectRules.imports(of: "// head\n\(line)\nlet x = 1").first == "SQLite")
  }

  @Test(arguments: [
    "// import SQLite", "/// import SQLite", "let x = \"import SQLite\"", "importSQLite()",
    "\"\"\"\nimport SQLite\n\"\"\"",
  ])
  func whatOnlyLooksLikeAnImportIsNone(text: String) {
    #expect(ProjectRules.imports(of: text) == [])
  }

  @Test(arguments: [
    ("let x = try! f()", "try!"), ("let x = y as! Int", "as!"), ("fatalError()", "fatalError"),
    ("Swift.fatalError(\"x\")", "fatalError"), ("public func f() {}", "public"),
    ("  public static let x = 1", "public"), ("public import Bytes", "public"),
    ("open class A {}", "public"), ("@MainActor public final class A {}", "public"),
  ])
  func forbiddenLanguageIsFoundWithItsLine(line: String, word: String) {
    #expect(ProjectRules.forbiddenWords(in: "let a = 1\n\(line)\n") == ["2: \(word)"])
  }

  @Test(arguments: [
    "// try! as! fatalError", "let x = \"try! as! fatalError public func\"", "try? f()",
    "x as? Int",
    "a != b", "isPublic = true", "open(path)", "\"\"\"\npublic func f() { try! g() }\n\"\"\"",
  ])
  func allowedLanguagePasses(text: String) {
    #expect(ProjectRules.forbiddenWords(in: text) == [])
  }

  @Test func entryThatTheStyleDoesNotNameIsAStranger() {
    let entries = ["Sources", ".git", "Makefile", "docs", "README.md", "utils"]
    #expect(ProjectRules.strangers(in: entries) == ["Makefile", "docs", "utils"])
  }

  @Test func manifestIsReadTargetByTarget() {
    let manifest = """
      func library(_ name: String) { .target(name: "Helper") }
      let package = Package(
        targets: [
          .systemLibrary(name: "CZlib"),
          library("Bytes"),
          library(
            "Formats",
            [
              "Bytes", "CZlib",
            ]),
          tests(of: "Bytes", ["Formats"]),
          .executableTarget(name: "rehome", dependencies: ["Commands"], swiftSettings: settings),
        ])
      """
    #expect(
      ProjectRules.targets(of: manifest) == [
        "CZlib": [], "Bytes": [], "Formats": ["Bytes", "CZlib"], "rehome": ["Commands"],
      ])
  }
}
