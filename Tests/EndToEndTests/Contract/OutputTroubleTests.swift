import Foundation
import TestSupport
import Testing

/// What is said, and with which exit code, when an output cannot be made.
struct OutputTroubleTests {
  private let folder: TemporaryFolder
  private let store: String
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = try folder.copy(of: Sample(name: "ios-2015"))
    store = Sample(name: "ios-2015").store(in: source)
  }

  private func convert(to output: String, _ force: Bool = false) async -> Outcome {
    force
      ? await rehome("convert", "-q", "--force", store, "-o", output)
      : await rehome("convert", "-q", store, "-o", output)
  }

  @Test func existingOutputIsKeptWithoutForce() async throws {
    let output = try folder.write("mine".utf8, to: "out")
    let outcome = await convert(to: output)
    #expect(outcome.code == 73)
    #expect(outcome.error.hasPrefix("rehome: \(output): cannot create it: file exists\n"))
    #expect(outcome.error.contains("--force"))
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "mine")
    #expect(await convert(to: output, true).code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)).starts(with: "SQLite".utf8))
  }

  /// Without an ending a path is a folder, which no --force makes of a file.
  @Test(arguments: ["json", "csv", "xml", "ndjson"], [[], ["-f"]])
  func bundleIsNoFile(format: String, options: [String]) async throws {
    let output = try folder.write("mine".utf8, to: "out")
    let outcome = await rehome(["export", store, "--to", format, "-o", output] + options)
    #expect(outcome.code == 73)
    #expect(outcome.error.hasPrefix("rehome: \(output): a bundle is a folder, and a file stands"))
    let advice = ["json", "xml"].contains(format) ? "ending in .\(format)" : "with --table"
    #expect(outcome.error.contains(advice), "\(outcome.error)")
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "mine")
  }

  @Test func missingFolderIsToldByTheNameThatWasAskedFor() async throws {
    let output = folder.path("none/out")
    let outcome = await convert(to: output)
    #expect(outcome.code == 73)
    #expect(
      outcome.error == """
        rehome: \(output): cannot create it: no such file or directory
          try: make the folder first

        """)
  }

  @Test(arguments: ["out", "sub/out"]) func fileIsNoFolderToMake(_ name: String) async throws {
    let output = try folder.write("mine".utf8, to: "file") + "/" + name
    let outcome = await convert(to: output)
    #expect(outcome.code == 73)
    #expect(
      outcome.error == """
        rehome: \(output): cannot create it: not a directory
          try: write elsewhere: a file stands where the path has a folder

        """)
  }

  @Test func folderIsNoOutput() async throws {
    #expect(await convert(to: source, true).code == 73)
    #expect(await convert(to: source).code == 73)
  }

  @Test(
    arguments: [
      ["convert"], ["export", "--to", "csv"], ["export", "--to", "json"], ["audit", "--html"],
    ], [false, true])
  func namesOfOpenFilesAreNoOutputs(_ command: [String], isForced: Bool) async throws {
    let links = ["open": "/proc/self/fd/1", "link": "open", "device": "/dev/null"]
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: target)
    }
    let options = command.last == "--html" ? command : command + ["-o"]
    for name in links.keys.map(folder.path) + ["/dev/stdout"] {
      let outcome = await rehome(options + [name, store] + (isForced ? ["--force"] : []))
      #expect(outcome.code == 73, "\(name)")
      #expect(outcome.error.contains("cannot create it: it is no plain file"), "\(outcome.error)")
      #expect(!outcome.error.contains("--force"))
    }
    for (name, target) in links {
      let link = folder.path(name)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    }
  }

  @Test func reportIsNoDevice() async throws {
    for path in ["/dev/null", "/dev/stdout"] {
      let outcome = await rehome("find", source, "--report", path)
      #expect(outcome.code == 73)
      #expect(outcome.error.contains("it is no plain file"), "\(outcome.error)")
    }
  }

  @Test(arguments: ["", "-wal"])
  func sourceIsNeverReplaced(ending: String) async throws {
    let before = try Fingerprint(of: source)
    let outcome = await convert(to: store + ending, true)
    #expect(outcome.code == 73)
    #expect(outcome.error.contains("it is the source itself"))
    #expect(try Fingerprint(of: source) == before)
  }

  @Test(arguments: ["-shm", "-journal"])
  func outputNeverBecomesAPartOfTheSource(ending: String) async throws {
    let before = try Fingerprint(of: source)
    let outcome = await convert(to: store + ending)
    #expect(outcome.code == 73)
    #expect(outcome.error.contains("SQLite would take it for a part of the source"))
    #expect(try Fingerprint(of: source) == before)
  }

  @Test func otherNameOfTheSourceIsNeverReplaced() async throws {
    let (hard, soft) = (folder.path("hard"), folder.path("soft"))
    try FileManager.default.linkItem(atPath: store, toPath: hard)
    try FileManager.default.createSymbolicLink(atPath: soft, withDestinationPath: store)
    for output in [hard, soft, source + "/../ios-2015/qstodoitem.sqlite"] {
      let outcome = await convert(to: output, true)
      #expect(outcome.code == 73, "\(output)")
      #expect(outcome.error.contains("it is the source itself"))
      let export = await rehome(
        "export", store, "--to", "ndjson", "--table", "TodoItem", "-f", "-o", output)
      #expect(export.code == 73, "\(output)")
      let report = await rehome(
        "export", store, "--to", "ndjson", "--table", "TodoItem", "-f", "--report", output)
      #expect(report.code == 73, "\(output)")
      #expect(report.output.isEmpty)
    }
  }

  @Test func outputBesideTheNamesOfTheSourceIsFine() async throws {
    #expect(await convert(to: source + "/qstodoitem.rehome").code == 0)
  }

  @Test(.enabled(if: FullDisk.isAvailable, "needs a private mount"))
  func fullDiskLeavesNothingBehind() throws {
    let mounted = try folder.makeFolder("small")
    let outcome = try FullDisk.run(["convert", store, "-o", mounted + "/out"], mounted: mounted)
    #expect(outcome.code == 74)
    #expect(outcome.error.hasPrefix("rehome: \(mounted)/out: "), "\(outcome.error)")
    #expect(outcome.error.contains("disk is full"))
    #expect(outcome.text == "left: \n")
    let small = try FullDisk.run(
      [
        "export", try AlteredStore.makeLarge(in: folder, rows: 2000), "--to", "ndjson", "-o",
        mounted + "/out",
      ], mounted: mounted)
    #expect(small.code == 74)
    #expect(small.error.hasPrefix("rehome: \(mounted)/out/"), "\(small.error)")
    #expect(small.error.contains("no space left"))
    #expect(small.text == "left: \n")
  }

  /// Wherever the room for a private copy ends, the store is named, and what to do about the room.
  @Test(.enabled(if: FullDisk.isAvailable, "needs a private mount"))
  func fullFolderForCopiesIsNamed() throws {
    let source = Sample(name: "ios-2015").store()
    let mounted = try folder.makeFolder("small")
    var failures = 0
    for size in stride(from: 40, through: 240, by: 8) {
      let outcome = try FullDisk.run(
        ["inspect", source], mounted: mounted, size: size, isForCopies: true)
      #expect(outcome.text.hasSuffix("left: \n"))
      guard outcome.code != 0 else { continue }
      failures += 1
      #expect(outcome.code == 74)
      #expect(outcome.error.hasPrefix("rehome: \(source): "), "\(size): \(outcome.error)")
      #expect(outcome.error.contains("set TMPDIR"), "\(outcome.error)")
    }
    #expect((1..<25) ~= failures)
  }

  @Test func refusedRunLeavesNoReport() async throws {
    let list = try folder.write("old", to: "list.csv")
    let report = folder.path("report.ndjson")
    #expect(await rehome("audit", store, "--csv", list, "--report", report).code == 73)
    #expect(!folder.names.contains("report.ndjson"))
    #expect(await rehome("audit", "-f", store, "--csv", list, "--report", report).code == 0)
    #expect(folder.text("report.ndjson")?.isEmpty == false)
  }

  /// SQLite reads such a store, too, which has no room for side files.
  @Test func storeOfTheLongestNameIsReadAndReplaced() async throws {
    let path = folder.path(String(repeating: "o", count: 248) + ".rehome")
    for arguments in [[], ["-f"]] {
      let outcome = await rehome(["convert", "-q", store, "-o", path] + arguments)
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    let content = await rehome("hash", "-q", path)
    #expect(content.code == 0, "\(content.error)")
    #expect(
      content.text.split(separator: " ")[0]
        == (await rehome("hash", "-q", store)).text.split(separator: " ")[0])
    #expect(await rehome("replay", "-n", path).code == 0)
    let found = await rehome("find", folder.path)
    #expect(found.code == 0 && found.text.contains(path), "\(found.error)")
    #expect(!folder.names.contains { $0.hasSuffix(".rehome-part") })
  }

  @Test func deviceThatIsFullIsAnError() throws {
    let line = #""$0" export "$1" --to ndjson > /dev/full"#
    let outcome = try Program.bash.run(["-c", line, Project.executable.path, store])
    #expect(outcome.code == 74)
    #expect(outcome.error.hasPrefix("rehome: standard output: "))
    #expect(outcome.error.contains("no space left"))
  }
}

/// A file system of a few pages, seen only by the process that is run on it.
private enum FullDisk {
  static let isAvailable: Bool = {
    let probe = "mount -t tmpfs -o size=16k none /mnt 2>/dev/null"
    let outcome = try? Program.bash.run(["-c", "unshare -m bash -c '\(probe)' 2>/dev/null"])
    return outcome?.code == 0
  }()

  /// Runs the tool where a folder has room for so many KiB, and may be the one for private copies.
  static func run(
    _ arguments: [String], mounted folder: String, size: Int = 64, isForCopies: Bool = false
  ) throws -> Outcome {
    let script = """
      folder=$1; shift
      mount -t tmpfs -o size=\(size)k none "$folder" || exit 1
      \(isForCopies ? "export TMPDIR=$folder" : "")
      "$@"; code=$?
      echo "left: $(ls -A "$folder")"
      exit $code
      """
    return try Program.bash.run(
      [
        "-c", #"exec unshare -m bash -c "$@""#, "bash", script, "bash", folder,
        Project.executable.path,
      ] + arguments)
  }
}
