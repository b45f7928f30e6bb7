// swift-tools-version: 6.2
import PackageDescription

// The manifest is the architecture: an edge that is not listed here does not compile, and
// `LayeringTests` fails on an edge that the layers do not allow.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  // Where Debian keeps the headers of libxml2, which include each other; saves the need for
  // `pkg-config`. Whatever uses `XMLFormat` loads them, too: once they are newer than what was built
  // with them, it would find none.
  .unsafeFlags(["-Xcc", "-I/usr/include/libxml2"]),
]

/// The tests of one target, in a folder of the same name.
func tests(
  of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.target(name: name), "TestSupport"] + dependencies,
    exclude: exclude, swiftSettings: settings)
}

/// The targets whose loops go through every byte, or look at every operation from all sides.
///
/// They are optimised in debug builds, too, where the tests would otherwise spend most of their time in
/// them; what checks them stays.
let busyTargets: Set = ["Audit", "Bytes", "Formats", "Records", "SQLite", "SQLiteFile"]

/// A library target with the settings that every target shares.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  let optimised = SwiftSetting.unsafeFlags(
    ["-O", "-assert-config", "Debug"], .when(configuration: .debug))
  return .target(
    name: name, dependencies: dependencies,
    swiftSettings: settings + (busyTargets.contains(name) ? [optimised] : []))
}

/// The fuzzed readers, which `Tests/fuzz` builds with the fuzzer; never a product.
let fuzzing: [Target] = [
  .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
  .executableTarget(
    name: "Fuzz", dependencies: ["Bytes", "SQLite", "Formats", "XMLFormat", "Commands", "CFuzzer"],
    path: "Tests/Fuzz/Fuzz", swiftSettings: settings),
]

let package = Package(
  name: "rehome",
  products: [.executable(name: "rehome", targets: ["rehome"])],
  targets: [
    // System libraries.
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CLibXML2"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CHashing"),
    .systemLibrary(name: "CMemory"),
    // Bytes.
    library("Bytes", ["CHashing", "CMemory"]),
    // Formats and the model.
    library("SQLite", ["Bytes", "CSQLite"]),
    library("Formats", ["Bytes", "CZlib"]),
    library("XMLFormat", ["Bytes", "CLibXML2"]),
    library("Records", ["Bytes"]),
    library("SQLiteFile", ["Bytes", "Records"]),
    // What planned tables become: batches of rows, a queue, or what is left of damaged ones.
    library("Tables", ["Bytes", "SQLite", "SQLiteFile", "Formats", "Records"]),
    // Formats, recognised, read and written.
    library("Exports", ["Bytes", "SQLite", "Formats", "XMLFormat", "Records"]),
    library(
      "CoreData",
      ["Bytes", "SQLite", "SQLiteFile", "Formats", "XMLFormat", "Records", "Tables"]),
    library(
      "SyncSDKs", ["Bytes", "SQLite", "SQLiteFile", "Formats", "Records", "Tables", "CoreData"]),
    library("Canonical", ["Bytes", "SQLite", "SQLiteFile", "Formats", "Records", "Tables"]),
    // Jobs, where stores are found, and the person's side.
    library("Merging", ["Bytes", "SQLite", "Formats", "Records", "Tables", "SyncSDKs"]),
    library(
      "Opening",
      [
        "Bytes", "SQLite", "SQLiteFile", "Records", "Tables", "Exports", "CoreData", "SyncSDKs",
        "Canonical",
      ]),
    library("Audit", ["Bytes", "Formats", "Records", "SyncSDKs"]),
    library("Replay", ["Bytes", "Formats", "Records"]),
    library(
      "Places", ["Bytes", "SQLite", "Formats", "XMLFormat", "Records", "CoreData", "Opening"]),
    library("CommandLineKit", ["Bytes"]),
    library("HTTPTransport", ["Bytes", "Replay", "CCurl"]),
    // The commands.
    library(
      "Commands",
      [
        "Bytes", "SQLite", "Formats", "Records", "Tables", "Exports", "CoreData", "SyncSDKs",
        "Canonical", "Merging", "Opening", "Audit", "Replay", "HTTPTransport", "CommandLineKit",
        "Places",
      ]),
    // Tests, target by target.
    .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
    .target(
      name: "TestSupport", dependencies: ["CSpawn"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(name: "LayeringTests", dependencies: ["TestSupport"], swiftSettings: settings),
    tests(of: "Bytes"),
    tests(of: "SQLite", ["Bytes"]),
    tests(of: "Records", ["Bytes"]),
    tests(of: "Formats", ["Bytes"], exclude: ["Fixtures"]),
    tests(of: "SQLiteFile", ["Bytes"]),
    tests(of: "Canonical", ["Bytes", "Records", "SQLite", "SQLiteFile"]),
    tests(of: "Replay", ["Bytes", "Formats", "Records"]),
    tests(of: "CommandLineKit"),
    tests(of: "HTTPTransport", ["Bytes", "Records", "Replay"], exclude: ["Fixtures"]),
    tests(of: "XMLFormat", ["Bytes", "Formats"], exclude: ["Fixtures"]),
    // What reads and writes stores is tested together: most tests open a store from its file.
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "Bytes", "SQLite", "SQLiteFile", "Formats", "XMLFormat", "Records", "Tables", "Exports",
        "CoreData", "SyncSDKs", "Canonical", "Merging", "Opening", "TestSupport",
      ],
      exclude: ["CoreData/XML/Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["CommandLineKit", "Commands", "Records", "SyncSDKs", "TestSupport", "rehome"],
      swiftSettings: settings),
    tests(
      of: "Audit",
      ["Bytes", "Formats", "Records", "Opening", "SyncSDKs", "SQLite", "Canonical"]),
    tests(of: "Places", ["Bytes", "Records", "SQLite"]),
    tests(
      of: "Commands",
      [
        "CommandLineKit", "Bytes", "Formats", "Records", "Opening", "Canonical", "Audit",
        "Replay", "HTTPTransport", "SQLite",
      ]),
    // Not a product: `Tests/benchmark` builds it.
    .executableTarget(
      name: "benchmarks", dependencies: ["Bytes", "CommandLineKit"], path: "Tests/Benchmarks",
      swiftSettings: settings),
    // The entry point.
    .executableTarget(
      name: "rehome", dependencies: ["Bytes", "CommandLineKit", "Commands"],
      swiftSettings: settings),
  ] + fuzzing
)
