import Foundation
import TestSupport
import Testing

/// The commands that SDKs of Parse keep in files.
struct ParseCommandTests {
  private static let secret = "s3cr3t-never-shown"

  /// The files of a phone: three changes of one new object, a deletion and an event.
  private static func commands(_ folder: TemporaryFolder, isAndroid: Bool = true) throws -> String {
    let bodies = [
      #"{"httpPath":"classes\/Task","httpMethod":"POST","localId":"local_0a","sessionToken":"T","#
        + #""parameters":{"title":"new","done":{"__op":"Increment","amount":1}}}"#,
      #"{"httpPath":"classes\/Task","httpMethod":"POST","localId":"local_0a","#
        + #""parameters":{"title":"newer"}}"#,
      #"{"httpPath":"classes\/Task\/k%C3%A4se","httpMethod":"PUT","sessionToken":"T","parameters":"#
        + #"{"next":{"__type":"Pointer","className":"Task","localId":"local_0a"}}}"#,
      #"{"httpPath":"classes\/Task\/gone","httpMethod":"DELETE","sessionToken":"T"}"#,
      #"{"httpPath":"events\/AppOpened","httpMethod":"POST","parameters":{"at":1}}"#,
      #"{"httpPath":"users","httpMethod":"POST","parameters":{"username":"u","password":"T"}}"#,
      #"{"op":"old","sessionToken":"T"}"#,
    ]
    let path = folder.path("files/\(isAndroid ? "CommandCache" : "Command Cache")")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (place, body) in bodies.enumerated() {
      let number = String(format: "%08x", place)
      let name =
        isAndroid
        ? "CachedCommand_00000158f2a4b3c0_\(number)_1234"
        : "Command-0000000018ad2f00-\(number)-5A0E0000-0000-4000-8000-00000000000\(place)"
      let text = body.replacing("\"T\"", with: "\"\(secret)\"")
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }
    try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/Other"))
    return path
  }

  @Test(arguments: [true, false])
  func folderIsReadInTheOrderOfItsNames(isAndroid: Bool) async throws {
    let folder = try TemporaryFolder()
    let store = try Self.commands(folder, isAndroid: isAndroid)
    let inspected = await rehome("inspect", "--json", store)
    #expect(inspected.text.contains(#""layout": "parse-command-cache""#), "\(inspected.error)")
    #expect(inspected.text.contains(#""generation": "\#(isAndroid ? "android" : "ios")""#))
    let outcome = await rehome("audit", "--json", store, "--fail-on", "never")
    let stores = try #require(try outcome.json()["stores"] as? [[String: Any]])
    let operations = try #require(stores.first?["operations"] as? [[String: Any]])
    #expect(
      operations.map { $0["kind"] as? String }
        == ["insert", "update", "update", "delete", nil, nil, nil])
    #expect(
      operations.prefix(4).map { $0["itemId"] as? String }
        == ["local_0a", "local_0a", isAndroid ? "käse" : "k%C3%A4se", "gone"])
    #expect(operations[0]["table"] as? String == "Task")
    #expect((operations[1]["item"] as? [String: Any])?["title"] as? String == "newer")
    let findings = try #require(stores.first?["findings"] as? [[String: Any]])
    let codes = Set(findings.compactMap { $0["code"] as? String })
    #expect(codes.isSuperset(of: ["secret-withheld", "command-operation"]))
    #expect(!codes.contains("operation-without-row"))
    #expect(!codes.contains("operation-for-unknown-table"))
    #expect(!outcome.text.contains(Self.secret))
  }

  @Test func folderIsFoundAmongOthersAndOneFileIsReadAlone() async throws {
    let folder = try TemporaryFolder()
    let store = try Self.commands(folder)
    let found = await rehome("find", "--json", folder.path("files"))
    #expect(found.text.contains("parse-command-cache"), "\(found.error)")
    let alone = await rehome(
      "ops", "list", "--json", store + "/CachedCommand_00000158f2a4b3c0_00000003_1234")
    #expect(alone.text.contains("gone"), "\(alone.error)")
  }

  @Test func commandsAreSentWithTheIdsThatTheDeviceHasLearnt() async throws {
    let folder = try TemporaryFolder()
    let store = try Self.commands(folder)
    let service = try TableService("parse")
    try service.tell("POST /seed", #"{"Task": [{"objectId": "käse"}, {"objectId": "known"}]}"#)
    let ids = folder.path("files/LocalId")
    try FileManager.default.createDirectory(atPath: ids, withIntermediateDirectories: true)
    try Data(#"{"objectId":"known","retainCount":1}"#.utf8)
      .write(to: URL(fileURLWithPath: ids + "/local_0a"))
    let outcome = await rehome(
      "replay", store, "--to", service.address, "--json", "--journal", folder.path("j.rehome"))
    #expect(outcome.code == 2, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["applied"] as? Int == 3)
    #expect(report["alreadyApplied"] as? Int == 1)
    #expect(report["pending"] as? Int == 3)
    #expect(
      try service.commits == ["update Task known", "update Task known", "update Task käse"])
    #expect(!outcome.text.contains(Self.secret))
    let kept = try Data(contentsOf: URL(fileURLWithPath: folder.path("j.rehome")))
    #expect(kept.range(of: Data(Self.secret.utf8)) == nil)
  }
}
