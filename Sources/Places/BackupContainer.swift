import Bytes
import Formats
import Records
import SQLite

/// The files of an iOS backup under the names that they have on the device.
final class BackupContainer: Container {
  let word = "ios-backup"
  let device: DeviceName?
  let finding: Finding?
  /// What it is called among the places, and when it was made.
  let name: String
  let age: BackupAge
  private(set) var files: [ContainedFile] = []
  private let bodies: any BackupBodies
  private let settings: PlaceSettings
  /// The names of the bodies, one behind the other, at the places of the files.
  private var fileIDs: [UInt8] = []
  /// The folders with files that are called as the manifest of a bundle.
  private var possibleBundles: Set<ExactText> = []
  /// The paths beside which files are called as their side files.
  private var withSideFiles = PathHashes()
  private var candidates = 0
  /// How many files of the list are there.
  private var bodiesThere = 0
  /// How many files have an archive beside them that does not tell their size.
  private var sizeless = 0

  /// Reads the list of files, and looks at the first bytes of each.
  init(
    _ bodies: any BackupBodies, named name: String, folder: String, _ settings: PlaceSettings,
    _ tally: PlaceTally
  ) throws(PlaceFailure) {
    self.bodies = bodies
    self.name = name
    self.settings = settings
    let lists = try BackupLists(bodies, folder: folder)
    device = lists.device
    age = BackupAge(date: lists.date, archived: BackupFolder.timeOfArchiving(folder))
    lists.remarks.forEach(tally.note)
    let state = lists.state.flatMap { $0 == "finished" ? nil : $0 }
    let isIncomplete = bodies.has(BackupFolder.snapshot) || state != nil
    finding = isIncomplete ? BackupFolder.findingOfIncomplete(state) : nil
    if isIncomplete { tally.note(BackupFolder.remarkOfIncomplete(state)) }
    try readList(lists, tally)
    guard candidates > 0 || !lists.isEncrypted else { throw Self.encrypted }
    tally.keepInteresting(&files)
    bodies.willCopy(files.map(fileID))
    order()
  }

  private static let encrypted = PlaceFailure(
    .encrypted, "the backup is encrypted, with a password of its own",
    hint: "switch off \"Encrypt local backup\" and back up again, or decrypt a copy, as with "
      + "'mvt-ios decrypt-backup', and name that")

  // MARK: The lists of files

  private func readList(_ lists: BackupLists, _ tally: PlaceTally) throws(PlaceFailure) {
    let name = bodies.has(BackupFolder.database) ? BackupFolder.database : BackupFolder.records
    guard let path = try bodies.ownFile(name) else {
      throw BackupFolder.failureOfList(name, bodies.count)
    }
    guard name == BackupFolder.database else { return try readRecords(path, tally) }
    let log = BackupFolder.database + "-wal"
    if try bodies.ownFile(log) == nil, bodies.has(log) {
      tally.note("\(log) is no plain file and not read, so that the newest files may not be listed")
    }
    try readDatabase(path, lists, tally)
  }

  private func readDatabase(
    _ path: String, _ lists: BackupLists, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let start: [UInt8]
    do {
      start = try readPrefix(of: path, count: DatabaseHeader.size)
    } catch {
      throw PlaceFailure(error, reading: Self.listOfFiles)
    }
    guard start.starts(with: "SQLite format 3\0".utf8) else {
      if lists.isEncrypted { throw Self.encrypted }
      throw PlaceFailure(
        .damaged, "\(Self.listOfFiles), is no database; \(whatIsThere)",
        hint: "copy the backup again")
    }
    do {
      let database = try SourceDatabase(
        opening: path, temporaryFolder: settings.temporaryFolder)
      database.connection.watch(settings.interruption)
      Self.lostFiles(of: database).forEach(tally.tell)
      try readRows(of: database.connection, tally)
    } catch let error as PlaceFailure {
      throw error
    } catch let error as SQLiteError {
      if Self.saysNothingOfTheFile.contains(error.kind) {
        throw PlaceFailure(error, reading: Self.listOfFiles)
      }
      throw PlaceFailure(
        .damaged, "\(Self.listOfFiles), cannot be read: \(error.message); \(whatIsThere)",
        hint: "copy the backup again")
    } catch {
      throw PlaceFailure(.damaged, "\(error)")
    }
  }

  private static let listOfFiles = "the backup's list of files, Manifest.db"

  /// Which files the list may lack, since its log or its journal is damaged.
  private static func lostFiles(of list: borrowing SourceDatabase) -> [PlaceFailure] {
    let damaged = [
      list.wal?.trouble == nil ? nil : "-wal", list.journalTrouble == nil ? nil : "-journal",
    ]
    return damaged.compactMap(\.self).map { ending in
      PlaceFailure(
        .damaged,
        "\(BackupFolder.database)\(ending), which belongs to the backup's list of files, is damaged: "
          + "files that came last may not be listed, and stores among them are not read",
        hint: "copy the backup again")
    }
  }

  /// What another copy of the list would not mend.
  private static let saysNothingOfTheFile: Set<FailureKind> = [
    .notPermitted, .inputOutput, .noSpace, .limit, .interrupted, .temporary,
  ]

  private var whatIsThere: String { BackupFolder.whatIsThere(bodies.count) }

  /// Which rows are of files; what is marked as neither a folder nor a link may be one.
  private static let ofFiles = "flags IS NULL OR flags NOT IN (2, 4)"

  private func readRows(
    of connection: borrowing Connection, _ tally: PlaceTally
  ) throws {
    let tables = try connection.tables().map(\.name)
    guard tables.contains("Files") else {
      throw PlaceFailure(
        .unsupported,
        "the backup's list of files has a form that is not known; its tables are "
          + "\(tables.joined(separator: ", ")), and \(whatIsThere)")
    }
    let endings = ["manifest.json"] + SideFiles.endings
    var telling = try connection.prepare(
      "SELECT domain, relativePath FROM Files WHERE "
        + endings.map { "relativePath LIKE '%\($0)'" }.joined(separator: " OR "))
    while try telling.step() {
      noteWhatTells(Self.name(domain: telling.bytes(at: 0), path: telling.bytes(at: 1)))
    }
    var statement = try connection.prepare(
      "SELECT fileID, domain, relativePath, file, flags IS 1 FROM Files WHERE \(Self.ofFiles)")
    var count = 0
    while try statement.step() {
      count += 1
      guard count <= 10_000_000 else {
        throw PlaceFailure(.limit, "the backup lists more than 10000000 files")
      }
      let id = (statement.text(at: 0) ?? "").lowercased()
      let isSurelyFile = statement.integer(at: 4) == 1
      guard BackupFolder.isFileID(id[...]) else {
        if isSurelyFile {
          takeNumberless(
            Self.name(domain: statement.bytes(at: 1), path: statement.bytes(at: 2)), tally)
        }
        continue
      }
      guard isSurelyFile || bodies.isThere(id) else { continue }
      take(id, domain: statement.bytes(at: 1), path: statement.bytes(at: 2), tally) {
        size(in: statement.bytes(at: 3))
      }
    }
    var links = try connection.prepare("SELECT count(*) FROM Files WHERE flags = 4")
    if try links.step() { tally.count(.link, times: Int(clamping: links.integer(at: 0))) }
    try tellUnlisted(of: connection, tally)
    guard sizeless > 0 else { return }
    let files = sizeless.counting("file", "files")
    tally.note(
      "the backup's list does not tell the size of \(files), of which an end may be missing")
  }

  /// Tells of bodies that no row is of, where there are more bodies than rows.
  private func tellUnlisted(
    of connection: borrowing Connection, _ tally: PlaceTally
  ) throws {
    guard bodiesThere < bodies.count else { return }
    var unlisted = UnlistedBodies()
    var statement = try connection.prepare("SELECT fileID FROM Files WHERE \(Self.ofFiles)")
    while try statement.step() {
      unlisted.add(listed: (statement.text(at: 0) ?? "").lowercased())
    }
    unlisted.tell(bodies, tally)
  }

  /// The one thing that is asked of the archive that stands with each file; nil where it says none.
  private func size(in bytes: [UInt8]) -> Int? {
    guard !bytes.isEmpty else { return nil }
    // An archive that cannot be read tells no size.
    let size = (try? KeyedArchive(parsing: bytes))?.root["Size"]?.integer
    if size == nil { sizeless += 1 }
    return size.flatMap { Int(exactly: $0) }
  }

  private func readRecords(_ path: String, _ tally: PlaceTally) throws(PlaceFailure) {
    do throws(FormatError) {
      // What breaks off is told the second time.
      try? forEachRecord(path) { record in
        if record.isFile { noteWhatTells(Self.name(domain: record.domain, path: record.path)) }
      }
      try forEachRecord(path) { record in
        if record.isLink { tally.count(.link) }
        guard record.isFile else { return }
        let id = BackupFolder.fileID(domain: record.domain, path: record.path)
        take(id, domain: record.domain, path: record.path, tally) { record.size }
      }
    } catch {
      tally.tell(PlaceFailure(error))
    }
    guard bodiesThere < bodies.count else { return }
    var unlisted = UnlistedBodies()
    // What breaks off was told.
    try? forEachRecord(path) { record in
      guard record.isFile else { return }
      unlisted.add(listed: BackupFolder.fileID(domain: record.domain, path: record.path))
    }
    unlisted.tell(bodies, tally)
  }

  private func forEachRecord(
    _ path: String, _ body: (BackupRecords.Record) -> Void
  ) throws(FormatError) {
    var records = try BackupRecords(try positionedFile(path))
    while let record = try records.next() { body(record) }
  }

  /// Notes where a bundle or a damaged database may lie, since what its files begin with does not tell
  /// that they matter.
  private func noteWhatTells(_ name: String) {
    if let main = SideFiles.mainPath(of: name) { withSideFiles.insert(main) }
    guard SideFiles.name(of: name) == BundleFiles.manifest else { return }
    possibleBundles.insert(ExactText(SideFiles.folder(of: name)))
  }

  private static func name(domain: [UInt8], path: [UInt8]) -> String {
    ArchiveName.text(domain) + "/" + ArchiveName.text(path)
  }

  /// Takes a file of the list where it is a store or a container, or may belong to one.
  private func take(
    _ id: String, domain: [UInt8], path: [UInt8], _ tally: PlaceTally, size: () -> Int?
  ) {
    let name = Self.name(domain: domain, path: path)
    let found: (kind: FileKind, size: Int)?
    do {
      found = try bodies.look(at: id)
    } catch {
      return append(id, name, size: size(), error)
    }
    guard let body = found else { return takeMissing(id, name, tally, size: size()) }
    bodiesThere += 1
    var file = ContainedFile(path: name, kind: body.kind, size: body.size, place: fileIDs.count)
    if let kind = body.kind.counted {
      let mayBeInBundle = possibleBundles.contains(ExactText(SideFiles.folder(of: name)))
      guard
        mayBeInBundle || SideFiles.mayBelongToStore(name)
          || file.mayTurnOutToBeDatabase(withSideFiles)
      else { return tally.count(kind, name) }
    } else {
      candidates += 1
    }
    if let told = size(), told > body.size {
      let failure = Self.failure(ofHaving: body.size, of: told)
      // Where too little is left to tell what it was, its name does.
      if body.size < Self.sizeOfMark, mayBeOfStore(name) {
        return append(id, name, size: body.size, failure)
      }
      file.failure = failure
    }
    append(file, id)
  }

  /// How many bytes a database begins with that tell what it is.
  private static let sizeOfMark = 16

  private static func failure(ofHaving found: Int, of told: Int) -> PlaceFailure {
    PlaceFailure(
      .truncated, "the backup has \(found) of \(told) bytes of the file",
      hint: "make the backup again, or copy it again")
  }

  /// Tells of a store whose body is not there; other files are counted.
  private func takeMissing(_ id: String, _ name: String, _ tally: PlaceTally, size: Int?) {
    guard size != 0, mayBeOfStore(name) else { return tally.count(.missingFile) }
    append(
      id, name, size: size,
      PlaceFailure(
        .fileMissing, "the backup lists \(name), but its file \(id) is missing",
        hint: "copy the backup again, with everything in it"))
  }

  /// Tells of a store whose body nobody can find, since the list has no number for it; other files are
  /// counted.
  private func takeNumberless(_ name: String, _ tally: PlaceTally) {
    guard mayBeOfStore(name) else { return tally.count(.numberlessFile) }
    append(
      "", name, size: nil,
      PlaceFailure(
        .fileMissing,
        "the backup lists \(name) without a proper number, so that its file is not found",
        hint: "copy the backup again, with everything in it"))
  }

  /// Nothing but its name, and those of the files beside it, is left of a missing file.
  private func mayBeOfStore(_ name: String) -> Bool {
    SideFiles.mayBelongToStore(name) || LostStore.isCalledDatabase(name)
      || withSideFiles.contains(name)
  }

  /// Appends a file of which nobody knows what it is, since its body is not to be had.
  private func append(_ id: String, _ name: String, size: Int?, _ failure: PlaceFailure) {
    let isSideFile = SideFiles.mayBelongToStore(name)
    var file = ContainedFile(
      path: name, kind: isSideFile ? .counted(.sideFile) : .database,
      size: size ?? 0, place: id.isEmpty ? -1 : fileIDs.count)
    file.failure = failure
    append(file, id)
  }

  private func append(_ file: ContainedFile, _ id: String) {
    files.append(file)
    fileIDs += id.utf8
  }

  /// The name of a body; empty where nobody knows it.
  private func fileID(of file: ContainedFile) -> String {
    let digits = file.place < 0 ? [] : fileIDs[file.place...].prefix(BackupFolder.digitsOfFileID)
    return String(decoding: digits, as: UTF8.self)
  }

  /// The list of files has no order of its own.
  private func order() {
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  // MARK: Bodies

  func diskPath(of file: ContainedFile) -> String? { bodies.diskPath(of: fileID(of: file)) }

  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    try bodies.copy(fileID(of: file), to: path, budget)
  }
}
