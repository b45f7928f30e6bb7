import Foundation
import TestSupport
import Testing

/// Links, pipes, devices and names that lead elsewhere are never followed to where they should not.
struct HostilePlaceTests {
  private let folder: TemporaryFolder
  private let bundle: String

  init() async throws {
    folder = try TemporaryFolder()
    bundle = folder.path("bundle")
    let store = Sample(name: "ios-2016").store()
    let outcome = await rehome("export", "-q", store, "--to", "json", "-o", bundle)
    try #require(outcome.code == 0)
  }

  @Test(
    .mustEnd, arguments: ["manifest.json", "TodoItem.json"],
    ["pipe", "device", "link", "folder", "socket"])
  func fileOfABundleMustBeAPlainFile(_ name: String, _ kind: String) async throws {
    let path = bundle + "/" + name
    let script = """
      import os, shutil, socket, sys
      kind, path = sys.argv[1:]
      os.rename(path, path + ".old")
      if kind == "pipe": os.mkfifo(path)
      if kind == "device": os.symlink("/dev/zero", path)
      if kind == "link": os.symlink(path + ".old", path)
      if kind == "folder": os.mkdir(path)
      if kind == "socket":
          os.chdir(os.path.dirname(path))
          socket.socket(socket.AF_UNIX).bind(os.path.basename(path))
      """
    _ = try python(script, kind, path)
    for command in [["inspect"], ["hash"], ["export", "--to", "csv", "-o", folder.path("out")]] {
      let outcome = await rehome(command + [bundle])
      #expect(outcome.code == 65, "\(outcome.error)")
      #expect(outcome.error.hasPrefix("rehome: \(path): "), "\(outcome.error)")
    }
    #expect(folder.names == ["bundle"])
  }

  @Test(
    .mustEnd,
    arguments: [
      "../TodoItem.json", "/etc/passwd", "..", ".", "", "a/b", "manifest.json", "a\\u0000b",
      "a\\nb",
    ])
  func manifestCannotNameAFileElsewhere(_ name: String) async throws {
    let path = bundle + "/manifest.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacingOccurrences(of: "\"TodoItem.json\"", with: "\"\(name)\"")
    try #require(changed != text)
    try changed.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.copyItem(
      atPath: bundle + "/TodoItem.json", toPath: folder.path("TodoItem.json"))
    for command in ["inspect", "hash", "audit"] {
      #expect(await rehome(command, bundle).code == 65)
    }
  }

  @Test(.mustEnd, arguments: ["inspect", "audit", "hash", "convert", "export"])
  func pipesAndDevicesAreNoStores(_ command: String) async throws {
    let pipe = folder.path("pipe")
    _ = try python("import os, sys; os.mkfifo(sys.argv[1])", pipe)
    let more =
      switch command {
      case "convert": ["-o", folder.path("out")]
      case "export": ["--to", "json"]
      default: [String]()
      }
    for path in [pipe, "/dev/zero", "/dev/null"] {
      let outcome = await rehome([command, path] + more)
      #expect(outcome.code == 65, "\(path): \(outcome.error)")
    }
    #expect(folder.names == ["bundle", "pipe"])
  }

  @Test func namesOfTablesNeverLeadOutOfTheOutput() async throws {
    let store = folder.path("store")
    let script = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      for name in ["../up", "/root", "a/../../b", "..", ".", "con", "nul\\tx", "\\u202e", "x" * 400,
                   "manifest", "operations", "A", "a"[:0] + "b"]:
          db.execute('CREATE TABLE "' + name + '" (id TEXT)')
          db.execute('INSERT INTO "' + name + '" VALUES (1)')
      db.commit()
      """
    _ = try python(script, store)
    let before = folder.names
    for format in ["csv", "json", "ndjson", "xml"] {
      let output = try folder.makeFolder("out-\(format)") + "/bundle"
      let outcome = await rehome("export", "-q", store, "--to", format, "-o", output)
      #expect(outcome.code == 0, "\(outcome.error)")
      let names = FileManager.default.subpaths(atPath: folder.path("out-\(format)")) ?? []
      #expect(names.filter { $0.contains("/") }.count == names.count - 1)
      #expect(names.allSatisfy { $0.split(separator: "/").count <= 2 && $0.utf8.count < 270 })
      #expect(await rehome("verify", "-q", store, output).code == 0)
    }
    #expect(Set(folder.names).subtracting(before).allSatisfy { $0.hasPrefix("out-") })
  }

  @Test func linkAsOutputIsReplacedAndNotFollowed() async throws {
    let (target, link) = (try folder.write("mine", to: "target"), folder.path("link"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(await rehome("convert", "-q", bundle, "-o", link).code == 73)
    #expect(await rehome("convert", "-qf", bundle, "-o", link).code == 0)
    #expect(folder.text("target") == "mine")
    let attributes = try FileManager.default.attributesOfItem(atPath: link)
    #expect(attributes[.type] as? FileAttributeType == .typeRegular)
  }

  @Test func devicesAreNeverReplaced() async throws {
    for output in ["/dev/null", "/dev/full"] {
      #expect(await rehome("convert", "-qf", bundle, "-o", output).code == 73)
      #expect(await rehome("convert", "-q", bundle, "-o", output).code == 73)
    }
  }

  @Test func readerThatGoesAwayEndsTheRunInSilence() throws {
    let store = try AlteredStore.makeLarge(in: folder, rows: 30_000)
    let line =
      #""$0" export "$1" --to ndjson --table TodoItem | head -n 1; echo "${PIPESTATUS[0]}""#
    let outcome = try Program.bash.run(["-c", line, Project.executable.path, store])
    #expect(outcome.text.hasSuffix("}\n0\n"))
    #expect(outcome.error == "")
  }
}
