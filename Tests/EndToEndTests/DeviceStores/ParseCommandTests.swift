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

  /// It can be read, and is no change of an item.
  @Test func eventIsCalledACommand() async throws {
    let folder = try TemporaryFolder()
    let store = try Self.commands(folder)
    let page = await rehome("ops", "show", store, "5")
    #expect(page.text.hasPrefix("Operation 5: command\n"), "\(page.text)\(page.error)")
    #expect(await rehome("ops", "show", store, "7").text.hasPrefix("Operation 7: unreadable\n"))
    let audit = await rehome("audit", "--fail-on", "never", store).text
    #expect(audit.contains("  5: command\n     it is a command to the server and no change\n"))
    #expect(audit.contains("  7: unreadable\n     it cannot be read\n"), "\(audit)")
  }

  /// Nobody knows what to do with a field that is to be changed in a way of another SDK's.
  @Test(arguments: [true, false], ["POST", "PUT", "GET"])
  func changeOfAnUnknownKindIsToldAndHeldBack(isAndroid: Bool, _ method: String) async throws {
    let folder = try TemporaryFolder()
    let store = try Self.commands(folder, isAndroid: isAndroid)
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: store).sorted().first { $0 != "Other" })
    let body =
      #"{"httpPath":"classes\/Task","httpMethod":"\#(method)","localId":"local_0a","#
      + #""parameters":{"title":"new","done":{"__op":"Weird","amount":1}}}"#
    try Data(body.utf8).write(to: URL(fileURLWithPath: store + "/" + name))
    let audit = await rehome("audit", "--json", store, "--fail-on", "never")
    let stores = try #require(try audit.json()["stores"] as? [[String: Any]])
    let findings = try #require(stores.first?["findings"] as? [[String: Any]])
    let codes = findings.filter { $0["operation"] as? Int == 1 }.compactMap {
      $0["code"] as? String
    }
    // What asks for something is no change, whatever is in it.
    let isChange = method != "GET"
    #expect(
      codes.sorted()
        == (isChange ? ["undecodable-operation"] : ["command-operation", "unknown-operation-kind"]))
    let plan = try await rehome("replay", "--dry-run", "--json", store).json()
    let held = try #require(plan["held"] as? [[String: Any]])
    #expect(
      held.contains { $0["sequence"] as? Int == 1 && $0["reason"] as? String == "unreadable" })
  }

  @Test(arguments: [
    ("PUT", #","parameters":[1]"#), ("PUT", #","parameters":"x""#), ("POST", #","parameters":7"#),
    ("PUT", #","parameters":null"#), ("PUT", ""),
  ])
  func changeThatTellsNoFieldsIsToldAndHeldBack(_ method: String, _ parameters: String) async throws
  {
    let folder = try TemporaryFolder()
    let store = try Self.commands(folder)
    let body = #"{"httpPath":"classes\/Task\/a","httpMethod":"\#(method)"\#(parameters)}"#
    let file = store + "/CachedCommand_00000158f2a4b3c0_00000009_1234"
    try Data(body.utf8).write(to: URL(fileURLWithPath: file))
    let audit = await rehome("audit", "--json", store, "--fail-on", "never")
    let stores = try #require(try audit.json()["stores"] as? [[String: Any]])
    let findings = try #require(stores.first?["findings"] as? [[String: Any]])
    let codes = findings.filter { $0["operation"] as? Int == 8 }.map { $0["code"] as? String }
    #expect(codes == ["undecodable-operation"])
    let plan = try await rehome("replay", "--dry-run", "--json", store).json()
    let held = try #require(plan["held"] as? [[String: Any]])
    #expect(
      held.contains { $0["sequence"] as? Int == 8 && $0["reason"] as? String == "unreadable" })
  }

  /// A file that is no command at all is no event either, and may hold secrets.
  @Test func fileThatIsNoCommandIsTold() async throws {
    let folder = try TemporaryFolder()
    let store = try Self.commands(folder)
    let file = store + "/CachedCommand_00000158f2a4b3c0_00000009_1234"
    try Data("not json \(Self.secret)".utf8).write(to: URL(fileURLWithPath: file))
    let audit = await rehome("audit", "--json", "--fail-on", "never", store)
    #expect(audit.text.contains("1 file that is no command"), "\(audit.error)")
    #expect(!audit.text.contains(Self.secret))
    let plan = await rehome("replay", "--dry-run", "--json", store)
    let held = try #require(try plan.json()["held"] as? [[String: Any]])
    #expect(
      held.map { $0["reason"] as? String } == ["noChange", "noChange", "unreadable", "unreadable"])
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

  /// What the server has called the objects is a part of what the commands say.
  @Test func commandsWhoseObjectsHaveOtherIdsAreNotTheSame() async throws {
    let folder = try TemporaryFolder()
    let (store, ids) = (try Self.commands(folder), folder.path("files/LocalId"))
    try FileManager.default.createDirectory(atPath: ids, withIntermediateDirectories: true)
    var places: [String] = []
    for (name, id) in ["a": "known", "b": "other", "c": "known"] {
      try Data(#"{"objectId":"\#(id)"}"#.utf8).write(to: URL(fileURLWithPath: ids + "/local_0a"))
      try FileManager.default.copyItem(
        atPath: folder.path("files"), toPath: folder.path("shelf-\(name)"))
      places.append(folder.path("shelf-\(name)"))
    }
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("shelf-a/CommandCache/x.txt")))
    places = places.sorted()
    let stores = try await rehome(["find", "--json"] + places).jsonLines()
    let hashes = stores.map { $0["sha256"] as? String }
    #expect(hashes.count == 3 && hashes[0] != hashes[1] && hashes[0] == hashes[2], "\(store)")
    let merged = folder.path("merged.rehome")
    let both = await rehome("convert", "-o", merged, places[0], places[1])
    #expect(!both.error.contains("source-given-twice"), "\(both.error)")
    let twice = await rehome("convert", "-f", "-o", merged, places[0], places[2])
    #expect(twice.error.contains("source-given-twice"), "\(twice.error)")
  }

  @Test(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
  func commandsAreFoundInArchivesAndBackups() async throws {
    let folder = try TemporaryFolder()
    let store = try Self.commands(folder)
    let ids = folder.path("files/LocalId")
    try FileManager.default.createDirectory(atPath: ids, withIntermediateDirectories: true)
    try Data(#"{"objectId":"known"}"#.utf8).write(to: URL(fileURLWithPath: ids + "/local_0a"))
    _ = try python(Self.packing, folder.path("files"), folder.path("packed"))
    let plain = await rehome("ops", "list", "--json", store)
    for (place, name) in [
      ("files.zip", "files/CommandCache"), ("alone.zip", ""), ("files.tgz", "files/CommandCache"),
      ("files.ab", "files/CommandCache"),
      ("backup", "AppDomain-com.example/Library/Private Documents/Parse/CommandCache"),
    ] {
      let path = folder.path("packed/\(place)")
      let full = name.isEmpty ? path : path + "!" + name
      let found = await rehome("find", "--json", path)
      let line = try found.json()
      #expect(line["store"] as? String == full, "\(found.error)")
      #expect(line["layout"] as? String == "parse-command-cache")
      let listed = await rehome("ops", "list", "--json", full)
      #expect(listed.code == plain.code, "\(place): \(listed.error)")
      #expect(listed.text == plain.text, "\(place): \(listed.error)")
      let known = await rehome("inspect", "--json", full)
      #expect(known.text.contains("Task/known") == !name.isEmpty, "\(place)")
      #expect(!(listed.text + known.text).contains(Self.secret))
    }
  }

  /// Packs a folder in each of the ways in which devices and people do.
  private static let packing = """
    import hashlib, io, os, plistlib, sqlite3, sys, tarfile, zipfile, zlib
    root, out = sys.argv[1:]
    os.makedirs(out + "/backup")
    files = sorted(os.path.join(at, name) for at, _, names in os.walk(root) for name in names)
    inside = {path: os.path.relpath(path, os.path.dirname(root)) for path in files}
    with zipfile.ZipFile(out + "/files.zip", "w", 8) as packed:
        for path in files: packed.write(path, inside[path])
    with zipfile.ZipFile(out + "/alone.zip", "w", 8) as packed:
        for path in files:
            if "/CommandCache/" in path: packed.write(path, os.path.basename(path))
    with tarfile.open(out + "/files.tgz", "w:gz") as packed:
        for path in files: packed.add(path, inside[path])
    with tarfile.open(fileobj=(raw := io.BytesIO()), mode="w", format=tarfile.USTAR_FORMAT) as packed:
        for path in files: packed.add(path, inside[path])
    with open(out + "/files.ab", "wb") as packed:
        packed.write(b"ANDROID BACKUP\\n5\\n1\\nnone\\n" + zlib.compress(raw.getvalue()))
    backup = out + "/backup"
    for name in ("Info", "Manifest", "Status"):
        with open(f"{backup}/{name}.plist", "wb") as file: plistlib.dump({"Device Name": "Ada"}, file)
    database = sqlite3.connect(backup + "/Manifest.db")
    database.execute("CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT,"
                     " flags INTEGER, file BLOB)")
    for path in files:
        name = "Library/Private Documents/Parse/" + os.path.relpath(path, root)
        number = hashlib.sha1(("AppDomain-com.example-" + name).encode()).hexdigest()
        database.execute("INSERT INTO Files VALUES (?, 'AppDomain-com.example', ?, 1, NULL)",
                         (number, name))
        os.makedirs(f"{backup}/{number[:2]}", exist_ok=True)
        with open(path, "rb") as file, open(f"{backup}/{number[:2]}/{number}", "wb") as body:
            body.write(file.read())
    database.commit()
    """

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
