import Foundation
import TestSupport
import Testing

/// Replays to a server: what its options promise, and where the token goes.
struct ServerReplayTests {
  private static let token = "tok.Xq7/s3cr3t+Zz"

  /// A server may answer one request on each connection, and say nothing of that.
  @Test func connectionsThatEndWithoutAWordLoseNothing() async throws {
    let remote = try await RemoteReplay()
    try remote.service.tell("POST /plan", #"{"rules": [{"kind": "once"}]}"#)
    let outcome = await remote.replay()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try remote.isDone())
  }

  @Test func tokenFromStandardInputReachesTheServerAndNoFile() async throws {
    let remote = try await RemoteReplay()
    try remote.service.tell("POST /require", #"{"X-ZUMO-AUTH": "\#(Self.token)"}"#)
    let report = remote.rehearsal.folder.path("report.json")
    let outcome = try SystemProgram(name: Project.executable.path).run(
      remote.arguments + ["--header-file", "-", "--report", report, "-v"], input: Self.token)
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(outcome.complaints.contains("has no name, and is sent as X-ZUMO-AUTH\n"))
    #expect(try remote.isDone())
    #expect(!outcome.output.contains("s3cr3t"))
    #expect(remote.rehearsal.folder.names.contains("device.rehome"))
    for name in remote.rehearsal.folder.names where name != "after" {
      let bytes = try Data(contentsOf: URL(filePath: remote.rehearsal.folder.path(name)))
      #expect(bytes.range(of: Data("s3cr3t".utf8)) == nil, "\(name)")
    }
  }

  @Test(
    arguments: [
      "cat token | PROGRAM -", "PROGRAM <(cat token)",
      "mkfifo pipe; cat token > pipe & PROGRAM pipe",
    ])
  func tokenComesThroughAPipe(_ command: String) async throws {
    let remote = try await RemoteReplay()
    try remote.service.tell("POST /require", #"{"X-ZUMO-AUTH": "\#(Self.token)"}"#)
    _ = try remote.rehearsal.folder.write(Self.token, to: "token")
    let program = ([Project.executable.path] + remote.arguments + ["-q", "--header-file"])
      .map { "'" + $0 + "'" }.joined(separator: " ")
    let outcome = try SystemProgram(name: "bash").run([
      "-c",
      "cd '\(remote.rehearsal.folder.path(""))'; " + command.replacing("PROGRAM", with: program),
    ])
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(try remote.isDone())
  }

  @Test func endlessSecretsAreRefused() async throws {
    let remote = try await RemoteReplay()
    let outcome = await remote.replay("--header-file", "/dev/zero")
    #expect([64, 65, 74].contains(outcome.code), "\(outcome.error)")
    #expect(try remote.service.count("requests") == 0)
  }

  @Test func refusedTokenStopsAndTheRightOneGoesOn() async throws {
    let remote = try await RemoteReplay()
    try remote.service.tell("POST /require", #"{"X-ZUMO-AUTH": "\#(Self.token)"}"#)
    let refused = await remote.replay("--json", "--jobs", "1")
    #expect(refused.code == 77)
    #expect(try refused.json()["pending"] as? Int == 3)
    // One asked for the table, which is not permitted either.
    #expect(try remote.service.count("requests") == 2)
    let file = try remote.rehearsal.folder.write(Self.token, to: "token")
    #expect(await remote.replay("--header-file", file).code == 0)
    #expect(try remote.isDone())
  }

  @Test func redirectCarriesTheTokenNowhere() async throws {
    let remote = try await RemoteReplay()
    try remote.service.tell(
      "POST /plan", #"{"rules": [{"kind": "redirect", "status": 307, "elsewhere": true}]}"#)
    let file = try remote.rehearsal.folder.write(Self.token, to: "token")
    let outcome = await remote.replay("--header-file", file, "--retries", "1", "--json")
    #expect([69, 75].contains(outcome.code), "\(outcome.error)")
    #expect(try outcome.json()["applied"] as? Int == 0)
    #expect(try remote.service.strays == 0)
    try remote.service.tell("POST /plan", #"{"rules": []}"#)
    #expect(await remote.replay("--header-file", file).code == 0)
    #expect(try remote.isDone())
  }

  @Test func answersThatNeverComeAreAskedFor() async throws {
    let remote = try await RemoteReplay()
    try remote.service.tell(
      "POST /plan", #"{"rules": [{"kind": "stall", "commit": "after", "first": 2, "last": 4}]}"#)
    let outcome = await remote.replay("--timeout", "3", "--json")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try outcome.json()["alreadyApplied"] as? Int == 3)
    #expect(try remote.isDone())
    #expect(try remote.service.count("GET") == 4)
  }

  @Test(arguments: [("client-wins", 0, "text 1"), ("server-wins", 0, "old"), ("skip", 4, "old")])
  func rulesDecideConflicts(_ decision: String, _ code: Int, _ text: String) async throws {
    let remote = try await RemoteReplay(version: "AAAAAAAAB9E=")
    let rules = try remote.rehearsal.folder.write(
      """
      table,operation,situation,decision
      Other,*,*,stop
      TodoItem,update,changed,\(decision)
      *,delete,*,client-wins

      """, to: "rules.csv")
    let outcome = await remote.replay("--rules", rules)
    #expect(Int(outcome.code) == code, "\(outcome.error)")
    #expect(try remote.text(of: "item-000001") == text)
    #expect(try remote.service.commits.contains("delete TodoItem item-000002"))
  }

  /// Nothing is under way beside the operation that ends the run, unless somebody asks for more.
  @Test func conflictThatStopsTheRunComesBeforeOtherRequests() async throws {
    let remote = try await RemoteReplay(version: "AAAAAAAAB9E=")
    let report = try await remote.replay("--on-conflict", "stop", "--json").json()
    #expect(report["conflicts"] as? Int == 1)
    #expect(report["pending"] as? Int == 1)
    #expect(try remote.service.count("DELETE") == 0)
  }

  @Test(arguments: [("Renamed", "Renamed"), ("tables/Renamed", "Renamed")])
  func mappedTableIsSentToItsName(_ name: String, _ table: String) async throws {
    let remote = try await RemoteReplay(table: table)
    #expect(await remote.replay("--map", "TodoItem=" + name).code == 0)
    #expect(try remote.isDone(table))
  }

  @Test func onlyTheGivenAuthorityIsTrusted() async throws {
    let fixtures = Project.path("Tests/HTTPTransportTests/Fixtures") + "/"
    let remote = try await RemoteReplay(certificate: fixtures + "loopback.pem")
    let stranger = await remote.replay("--retries", "0")
    #expect(stranger.code == 69, "\(stranger.error)")
    #expect(try remote.service.commits.isEmpty)
    let friend = await remote.replay("--ca-file", fixtures + "authority.pem")
    #expect(friend.code == 0, "\(friend.error)")
    #expect(try remote.isDone())
  }
}

/// A device's store with an insert, an update and a delete, and the server they are for.
struct RemoteReplay {
  let rehearsal: Rehearsal
  let service: TableService
  /// What the server speaks.
  private let name: String

  /// Starts a server whose items have the device's version, or the one given.
  init(
    table: String = "TodoItem", version: String? = nil, certificate: String? = nil,
    dialect: String = "v2-dotnet"
  ) async throws {
    name = String(dialect.prefix { $0 != "-" })
    rehearsal = try await Rehearsal(operations: 3)
    service = try TableService(dialect, certificate: certificate)
    let file = rehearsal.folder.path("TodoItem.ndjson")
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    var items = lines.joined(separator: ",")
      .replacing(#""createdAt": "2024-01-01T00:00:00.000Z", "#, with: "")
    if let version {
      for number in 1...2 { items = items.replacing("AAAAAAA0000\(number)=", with: version) }
    }
    try service.tell("POST /seed", "{\"\(table)\": [\(items)]}")
  }

  /// The command line that every replay begins with.
  var arguments: [String] {
    [
      "replay", rehearsal.device, "--to", service.address, "--journal",
      rehearsal.folder.path("device.rehome"),
    ]
  }

  func replay(_ options: String...) async -> Outcome {
    await rehome(arguments + ["-q", "--dialect", name] + options)
  }

  /// A replay that says what it does.
  func loudReplay(_ options: String...) async -> Outcome {
    await rehome(arguments + ["--dialect", name] + options)
  }

  /// The canonical store that keeps the journal.
  var journal: String { rehearsal.folder.path("device.rehome") }

  /// Whether each operation was carried out once.
  func isDone(_ table: String = "TodoItem") throws -> Bool {
    // Version 3 replaces items where the others update them.
    try service.commits.map { $0.replacing("replace ", with: "update ") }.sorted() == [
      "delete \(table) item-000002", "insert \(table) item-000000", "update \(table) item-000001",
    ]
  }

  /// What the server has as an item's text.
  func text(of item: String) throws -> String? {
    let state = try service.tell("GET /state") as? [String: Any]
    let tables = state?["tables"] as? [String: [String: [String: Any]]]
    return (tables?["TodoItem"]?[item]?["fields"] as? [String: Any])?["text"] as? String
  }
}
