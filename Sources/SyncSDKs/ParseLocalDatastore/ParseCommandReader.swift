import Bytes
import Formats
package import Records
import Tables

/// Reads the commands that an SDK of Parse keeps in files where the Local Datastore is off.
package final class ParseCommandReader: BatchReader {
  package var source: SourceDescription
  package let catalogue = Catalogue(tables: [], nameOrigin: .schema)
  /// The commands, and the files that tell how the server calls their objects.
  package private(set) var inputFiles: [String]
  private let commands: [String]
  private var stamps: [FileStamp?]
  private let isAndroid: Bool

  private static let mostFiles = 1_000_000
  private static let largestFile = 64 << 20

  /// Whether a folder holds commands, or a file is one.
  package static func isStore(at path: String) -> Bool {
    // What cannot be listed or read is told by whoever looks next.
    commandFiles(at: path).contains { file in
      (try? readFile(file, limit: largestFile)).map { ParseCommand($0).isCommand } ?? false
    }
  }

  /// The same of a folder whose names are known; most have none that could be a command's.
  package static func isStore(at folder: String, holding names: Set<String>) -> Bool {
    names.contains { CommandFileName($0) != nil } && isStore(at: folder)
  }

  /// Whether a file has the name of a command.
  package static func isPart(named name: String) -> Bool { CommandFileName(name) != nil }

  private static func commandFiles(at path: String) -> [String] {
    guard Paths.isDirectory(path) else {
      let isCommand = CommandFileName(Paths.fileName(of: path)) != nil
      return isCommand && Paths.isPlainFile(path) ? [path] : []
    }
    let names = (try? fileNames(inFolder: path, limit: mostFiles)) ?? []
    return names.filter { CommandFileName($0) != nil }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { Paths.join(path, $0) }.filter(Paths.isPlainFile)
  }

  /// Lists the commands at a path that is known to be such a store.
  package init(at path: String) {
    commands = Self.commandFiles(at: path)
    inputFiles = commands
    stamps = commands.map(FileStamp.init(of:))
    let names = commands.map { CommandFileName(Paths.fileName(of: $0)) }
    isAndroid = names.contains { $0?.isFromAndroid == true }
    source = SourceDescription(
      name: Paths.fileName(of: path), layout: .parseCommandCache,
      generation: isAndroid ? "android" : "ios",
      evidence: ["files called \(isAndroid ? "CachedCommand_…" : "Command-…") with a path each"])
    source.metadata = localObjects()
  }

  package var findings: Findings { [] }

  package func isSourceUnchanged() throws(StoreError) -> Bool {
    stamps == inputFiles.map(FileStamp.init(of:))
  }

  package func countRows(inTable table: Int) throws(StoreError) -> Int { 0 }

  package func read(
    _ table: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {}

  package func readQueue() throws(StoreError) -> Queue {
    var queue = Queue()
    var secrets = 0
    var unreadable = 0
    var made: Set<ExactText> = []
    for path in commands {
      let bytes = try storeErrors { () throws(FileError) in
        try readFile(path, limit: Self.largestFile)
      }
      let command = ParseCommand(bytes)
      secrets += command.secretCount
      if !command.isReadable, !bytes.isEmpty { unreadable += 1 }
      var operation = command.operation(isAndroid: isAndroid, made: &made)
      operation.sequence = Int64(queue.operations.count + 1)
      operation.originalID = Paths.fileName(of: path)
      queue.operations.append(operation)
      guard command.isCommand, operation.kind == nil, !command.isUnknownChange else { continue }
      queue.tell(
        Finding(
          "command-operation", command.isEvent ? .note : .warning, operation,
          "the command is no change of an object"))
    }
    if secrets > 0 { queue.tell(.secretsOfParse(secrets)) }
    if unreadable > 0 {
      queue.tell(
        Finding(
          "secret-withheld", .note,
          message: unreadable.counting("file that is", "files that are")
            + " no command may hold tokens, so what is in there is in no output"))
    }
    return queue
  }

  /// The ids that the server gave to objects for which commands have names of the device's own, from
  /// the folder beside theirs.
  private func localObjects() -> [SourceDescription.Fact] {
    guard let first = commands.first else { return [] }
    let around = Paths.folder(of: Paths.folder(of: first))
    guard Paths.isPlainFolder("LocalId", below: around) else { return [] }
    let folder = Paths.join(around, "LocalId")
    var facts: [SourceDescription.Fact] = []
    var known: Set<ExactText> = []
    for path in commands {
      // What cannot be read is told when the queue is.
      guard let bytes = try? readFile(path, limit: Self.largestFile) else { continue }
      for (name, className) in ParseCommand(bytes).localObjects
      where known.insert(ExactText(name)).inserted {
        let file = Paths.join(folder, name)
        let stamp = FileStamp(of: file)
        guard !name.contains("/"), Paths.isPlainFile(file),
          // The map is a help; without it the object counts as new.
          let map = try? readFile(file, limit: 1 << 16),
          let id = JSONPayload(map.span).text("objectId"), !id.isEmpty
        else { continue }
        inputFiles.append(file)
        stamps.append(stamp)
        facts.append(SourceDescription.Fact(name, className + "/" + id))
      }
    }
    return facts
  }

  /// One command of Parse's, as a file has it.
  struct ParseCommand {
    private let object: JSONObject?
    private let path: [String]

    init(_ bytes: [UInt8]) { self.init(JSONObject(parsing: bytes.span)) }

    init(_ object: JSONObject?) {
      self.object = object
      var text = ""
      if case .string(let path)? = object?["httpPath"] { text = path }
      path = text.split(separator: "/").map(String.init)
    }

    /// Whether anything can be told of it.
    var isReadable: Bool { object != nil }

    /// Whether it is a request to the service.
    var isCommand: Bool { if case .string? = object?["httpPath"] { true } else { false } }

    var isEvent: Bool { path.first == "events" }

    private var localID: String? { text("localId") }

    private func text(_ name: String) -> String? {
      if case .string(let text)? = object?[name], !text.isEmpty { text } else { nil }
    }

    /// The class and, if the path has one, the id.
    private func target(isAndroid: Bool) -> (className: String, id: String?)? {
      guard path.first == "classes", (2...3).contains(path.count) else { return nil }
      let parts = path.dropFirst().map { isAndroid ? percentDecoded($0) : $0 }
      return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    /// The change that it is; `made` are the names of objects for which a command waits already.
    func operation(isAndroid: Bool, made: inout Set<ExactText>) -> PendingOperation {
      var operation = PendingOperation()
      operation.originalCode = text("httpMethod")
      operation.raw = open.map { .text($0.json) }
      if case .object(let parameters)? = open?["parameters"] {
        operation.item = parameters.json
      }
      guard let target = target(isAndroid: isAndroid) else {
        // So that it is told from a change that nobody can read.
        if isCommand { operation.originalCode = "3" }
        return operation
      }
      operation.table = target.className
      operation.itemID = target.id ?? localID
      switch text("httpMethod")?.uppercased() {
      case "POST":
        let isFirst = localID.map { made.insert(ExactText($0)).inserted } ?? true
        operation.kind = isFirst && target.id == nil ? .insert : .update
      case "PUT": operation.kind = .update
      case "DELETE": operation.kind = .delete
      default: break
      }
      if isUnknownChange {
        // What the method says is of no use without the changes.
        operation.kind = nil
        operation.originalCode = nil
      }
      return operation
    }

    /// Whether it is to change an object in a way that the SDK does not know, or that it does not tell.
    var isUnknownChange: Bool {
      guard target(isAndroid: true) != nil,
        ["POST", "PUT"].contains(text("httpMethod")?.uppercased())
      else { return false }
      // The SDK keeps a set with each, be it an empty one.
      guard case .object(let parameters)? = object?["parameters"] else { return true }
      return !parameters.isDecodableSet
    }

    /// The objects that have names of the device's own, with their classes where these are told.
    var localObjects: [(name: String, className: String)] {
      var found: [(name: String, className: String)] = []
      if let localID, let target = target(isAndroid: true) {
        found.append((localID, target.className))
      }
      JSONValue.forEachObject(in: object?.members.map(\.value) ?? []) { object in
        if case .string(let name)? = object["localId"],
          case .string(let className)? = object["className"]
        {
          found.append((name, className))
        }
        return true
      }
      return found
    }
  }
}

extension ParseCommandReader.ParseCommand {
  /// What would let others in, wherever a command has it: signing up and in, and installations.
  private static let names: Set<String> = [
    "sessionToken", "session_token", "_SessionToken", "authData", "password", "installationId",
    "_InstallationId",
  ]

  /// Whether a key of the parameters is a secret; of the app's own classes only theirs are.
  private func isSecret(_ key: String) -> Bool {
    guard let target = target(isAndroid: true) else { return Self.names.contains(key) }
    return ParseLocalDatastore.secrets(of: target.className).contains(key)
  }

  var secretCount: Int {
    guard let object else { return 0 }
    var count = object["sessionToken"].map { $0 == .null ? 0 : 1 } ?? 0
    if case .object(let parameters)? = object["parameters"] {
      count += parameters.members.count { isSecret($0.key) }
    }
    return count + (hasSecretInPath ? 1 : 0)
  }

  /// Whether what is asked for stands behind the path, and a secret with it.
  private var hasSecretInPath: Bool {
    guard case .string(let path)? = object?["httpPath"], let mark = path.firstIndex(of: "?")
    else { return false }
    return Self.names.contains { path[mark...].contains($0 + "=") }
  }

  /// The command without secrets; nil where it cannot be read, so that nobody knows of them.
  var open: JSONObject? {
    guard var open = object else { return nil }
    open["sessionToken"] = nil
    if hasSecretInPath, case .string(let path)? = open["httpPath"] {
      open["httpPath"] = .string(String(path.prefix { $0 != "?" }))
    }
    if case .object(let parameters)? = open["parameters"] {
      let members = parameters.members.filter { !isSecret($0.key) }
      open["parameters"] = JSONObject(members).map(JSONValue.object)
    }
    return open
  }
}

extension Finding {
  static func secretsOfParse(_ count: Int) -> Finding {
    Finding(
      "secret-withheld", .note,
      message: count.counting(
        "token, password or id of an installation is",
        "tokens, passwords or ids of installations are") + " in no output")
  }
}
