import Foundation
import TestSupport
import Testing

/// An output takes the place of nothing that a run reads, and of no other output.
struct OutputPlacesTests {
  private let folder: TemporaryFolder
  private let source: String
  private let store: String
  /// What takes up time in a replay whose server is not there.
  private static let nobody = ["--to", "https://localhost:1", "--retries", "0"]

  init() throws {
    folder = try TemporaryFolder()
    source = try folder.copy(of: Sample(name: "ios-2015"))
    store = Sample(name: "ios-2015").store(in: source)
  }

  /// Runs a command that must be refused, and leave every file as it is.
  private func expectRefusal(
    _ arguments: [String], _ code: Int32 = 73, _ words: String = "it is the source itself"
  ) async throws {
    let before = try Fingerprint(of: folder.path)
    let outcome = await rehome(arguments)
    #expect(outcome.code == code && outcome.error.contains(words), "\(arguments): \(outcome.error)")
    #expect(outcome.output.isEmpty)
    #expect(try Fingerprint(of: folder.path) == before, "\(arguments)")
  }

  @Test func noOutputIsTheSource() async throws {
    let (log, other) = (store + "-wal", source + "/../ios-2015/qstodoitem.sqlite")
    for output in [store, log, other] {
      for option in ["--html", "--csv"] {
        try await expectRefusal(["audit", "-f", option, output, store])
        try await expectRefusal(["audit", "-f", option, output, source])
        try await expectRefusal(["audit", "-f", option, output, "nothing", store])
      }
      for option in ["--plan", "--report", "--journal"] {
        try await expectRefusal(["replay", "-f", option, output, store] + Self.nobody)
        try await expectRefusal(["replay", "-f", "-n", option, output, store] + Self.nobody)
      }
      try await expectRefusal(["export", "-f", store, "--to", "json", "--report", output])
      try await expectRefusal(["seed", "-f", store, "-o", output])
      try await expectRefusal(["inspect", "--report", output, "--resume", store])
    }
    let part = store + "-journal"
    try await expectRefusal(
      ["inspect", "--report", part, source], 73, "SQLite would take it for a part of the source")
  }

  /// A file that is called as the beginning of an archive is not what a store in that lies in.
  @Test(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
  func archiveWithAMarkInItsNameIsTheSource() async throws {
    try folder.makePlaces(
      """
      os.makedirs('all')
      for at in ['', 'all/']:
          with zipfile.ZipFile(at + 'p!q.zip', 'w') as archive: archive.writestr('s.db', whole(1))
          for name in ['p', 'p!q.zip!s.db'][:1 + len(at)]: open(at + name, 'wb').write(whole(2))
      """)
    let archive = folder.path("p!q.zip")
    try await expectRefusal(["convert", "-f", archive + "!s.db", "-o", archive])
    let inFolder = folder.path("all/p!q.zip")
    try await expectRefusal(["convert", "-f", folder.path("all"), "-o", inFolder])
  }

  /// A file that standard input was redirected from has a name all the same.
  @Test(arguments: [
    "convert - -f -o FILE", "convert - -f -o LINK", "convert - -f -o OTHER",
    "convert - -f -o FILE-wal", "convert /dev/fd/0 -f -o FILE", "seed - -f -o FILE",
    "audit - -f --html FILE", "audit - -f --csv FILE", "export - --to json -f -o FILE",
    "export - --to csv --table TodoItem -f --report FILE", "replay - -n -f --plan FILE",
    "replay - -n -f --report FILE", "audit --files-from - -f --html FILE",
    "replay STORE -n -f --header-file - --plan FILE",
  ])
  func noOutputIsWhatStandardInputComesFrom(command: String) throws {
    let isList = command.contains("--files-from")
    let file = try folder.makeFolder("in") + "/file"
    if isList {
      try folder.write(store + "\n", to: "in/file")
    } else {
      try FileManager.default.copyItem(atPath: Sample(name: "ios-2016").store(), toPath: file)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: file)
    try FileManager.default.linkItem(atPath: file, toPath: folder.path("other"))
    let words = command.replacing("FILE", with: file).replacing("LINK", with: folder.path("link"))
      .replacing("OTHER", with: folder.path("other")).replacing("STORE", with: store)
    let before = try Fingerprint(of: folder.path)
    let outcome = try Program.bash.run([
      "-c", #"exec "$0" \#(words) <"$1""#, Project.executable.path, file,
    ])
    #expect(outcome.code == 73, "\(outcome.error)")
    let reasons = [
      "it is the source itself", "it is what --", "SQLite would take it for a part of the source",
    ]
    #expect(reasons.contains { outcome.error.contains($0) }, "\(outcome.error)")
    #expect(try Fingerprint(of: folder.path) == before)
  }

  /// A pipe and a terminal are in nobody's way.
  @Test func outputOfAPipeMayBeAnything() throws {
    let line = #"cat "$1" | "$0" convert - -f -o "$1" && "$0" hash --files-from - -q </dev/null"#
    let outcome = try Program.bash.run(["-c", line, Project.executable.path, store])
    #expect(outcome.code == 66, "\(outcome.error)")
  }

  @Test func noOutputIsWhatAStoreLiesIn() async throws {
    let archive = folder.path("a.tar")
    _ = try python(
      "import sys, tarfile\nwith tarfile.open(sys.argv[1], 'w') as a: a.add(sys.argv[2], 'd')",
      archive, source)
    let list = try folder.write("\(archive)\n", to: "list")
    for place in [[archive], [folder.path], [archive + "!d/qstodoitem.sqlite"]] {
      try await expectRefusal(["audit", "-f", "--html", archive] + place)
    }
    try await expectRefusal(["convert", "-f", "-o", archive, "--files-from", list])
    try await expectRefusal(
      ["convert", "-f", "-o", list, "--files-from", list], 73, "it is what --files-from names")
    let bundle = folder.path("bundle")
    #expect(await rehome("export", "-q", store, "--to", "csv", "-o", bundle).code == 0)
    try await expectRefusal(["audit", "-f", "--csv", bundle + "/TodoItem.csv", bundle])
    try await expectRefusal(["seed", "-f", "-o", bundle + "/manifest.json", bundle])
  }

  @Test func noOutputGoesIntoABundleThatIsRead() async throws {
    let bundle = folder.path("bundle")
    let words = "it would lie in the source"
    #expect(await rehome("export", "-q", store, "--to", "csv", "-o", bundle).code == 0)
    for command in ["convert", "seed"] {
      try await expectRefusal([command, bundle, "-o", bundle + "/new.rehome"], 73, words)
    }
    try await expectRefusal(
      ["export", bundle, "--to", "xml", "-o", bundle + "/new.xml"], 73, words)
    try await expectRefusal(["audit", bundle, "--html", bundle + "/page.html"], 73, words)
    // A folder that is none is refused for what it is.
    try await expectRefusal(["seed", source, "-o", source + "/new.rehome"], 65, "is a folder")
  }

  @Test func noOutputIsWhatAnOptionNames() async throws {
    let headers = try folder.write("T: x\n", to: "headers")
    try await expectRefusal(
      ["replay", "-f", store, "--header-file", headers, "--report", headers] + Self.nobody, 73,
      "it is what --header-file names")
    let target = folder.path("target.rehome")
    #expect(await rehome("seed", "-q", store, "-o", target).code == 0)
    for option in ["--report", "--plan", "--journal"] {
      try await expectRefusal(
        ["replay", "-f", store, "--to", target, option, target], 73, "it is what --to names")
    }
    let own = folder.path("own.rehome")
    #expect(await rehome("convert", "-q", store, "-o", own).code == 0)
    for option in ["--report", "--plan"] {
      try await expectRefusal(["replay", "-f", own, "--to", target, option, own])
    }
    // The journal that nobody named lies in the current folder.
    try await expectRefusal(
      ["replay", "-f", store, "--report", "qstodoitem.rehome"] + Self.nobody, 64,
      "is called as a store is")
  }

  @Test func outputsHaveNamesOfTheirOwn() async throws {
    let (out, again) = (folder.path("out"), source + "/../out")
    for arguments in [
      ["export", store, "--to", "json", "-o", out, "--report", again],
      ["audit", store, "--csv", out, "--html", again],
      ["audit", store, "--csv", out, "--report", again],
      ["audit", store, "--csv", out, "--html", out + "-wal"],
      ["replay", store, "--plan", out, "--report", again] + Self.nobody,
      ["seed", store, "-o", out, "--rejects", again],
    ] {
      try await expectRefusal(arguments, 64, "write to the same place")
      try await expectRefusal(arguments + ["-f"], 64, "write to the same place")
    }
    let pages = try folder.makeFolder("pages")
    try await expectRefusal(
      ["export", "-f", store, "--to", "csv", "-o", pages, "--report", pages + "/report"], 64,
      "write to the same place")
  }

  @Test func folderWithOtherThingsIsNotReplaced() async throws {
    func arguments(_ output: String) -> [String] {
      ["export", "-q", "-f", store, "--to", "csv", "-o", output]
    }
    for output in [source, source + "/.", folder.path, folder.path("ios-2015/../ios-2015")] {
      try await expectRefusal(
        arguments(output), 73, "in it is the source itself, which is never changed")
    }
    let mine = try folder.makeFolder("mine")
    try folder.write("a thesis", to: "mine/thesis.txt")
    try await expectRefusal(arguments(mine), 73, "thesis.txt is no part of a bundle")
    try await expectRefusal(
      ["export", "-f", store, "--to", "json", "-o", mine], 73, "thesis.txt is no part of a bundle")
    let empty = try folder.makeFolder("empty")
    for _ in 1...2 { #expect(await rehome(arguments(empty)).code == 0) }
    #expect(folder.text("empty/manifest.json") != nil)
    try folder.write("a thesis", to: "empty/thesis.txt")
    try await expectRefusal(arguments(empty), 73, "thesis.txt is no part of a bundle")
  }

  @Test func outputBesideTheStoresOfAFolderIsFine() async throws {
    for option in ["--html", "--csv"] {
      for _ in 1...2 {
        let outcome = await rehome("audit", "-q", "-f", option, source + "/mine.txt", source)
        #expect(outcome.code == 0, "\(outcome.error)")
      }
    }
    let report = source + "/report.ndjson"
    #expect(await rehome("find", "-q", "--report", report, source).code == 0)
    #expect(await rehome("find", "-q", "--report", report, "--resume", source).code == 0)
    #expect(await rehome("find", "-q", "--copy-to", source, source).code == 0)
  }

  @Test(arguments: ["taken", "none/report"])
  func reportThatCannotBeMadeIsToldBeforeTheWork(name: String) async throws {
    try folder.write("mine", to: "taken")
    let report = folder.path(name)
    for target in [["-o", folder.path("out.json")], []] {
      try await expectRefusal(
        ["export", store, "--to", "json", "--report", report] + target, 73, "cannot create it")
    }
    let target = folder.path("target.rehome")
    #expect(await rehome("seed", "-q", store, "-o", target).code == 0)
    for more in [[], ["-n"], ["--plan", folder.path("plan")]] {
      try await expectRefusal(
        ["replay", store, "--to", target, "--journal", folder.path("j"), "--report", report] + more,
        73, "cannot create it")
    }
  }

  @Test func reportOfWhatIsNotSentIsThePlan() async throws {
    let (plan, report) = (folder.path("plan"), folder.path("report"))
    let arguments = ["replay", store, "-n", "--report", report]
    #expect(await rehome(arguments).code == 0)
    let shown = await rehome("replay", store, "-n", "--json")
    #expect(folder.text("report") == shown.text)
    let both = await rehome(
      ["replay", "-f", store, "--plan", plan, "--report", report] + Self.nobody)
    #expect(both.code == 0, "\(both.error)")
    #expect(folder.text("plan") == folder.text("report"))
    #expect(both.error.contains("is in \(plan)") && both.error.contains("is in \(report)"))
  }
}
