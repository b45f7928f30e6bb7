import Bytes
import CoreData
import Formats
import Records
import XMLFormat

/// The signs by which the folder of an iOS backup is known, and the names in it.
enum BackupFolder {
  /// The list of files since iOS 10.
  static let database = "Manifest.db"
  /// The list of files before, and what it begins with.
  static let records = "Manifest.mbdb"
  static let recordsMark = BackupRecords.mark
  /// What describes the device and the backup.
  static let lists = ["Info.plist", "Manifest.plist", "Status.plist"]

  /// Whether a file of this name is or may be a part of a backup.
  static func isPart(_ name: Substring) -> Bool {
    isBody(name) || name == database || name == records
      || name.hasPrefix("Manifest.db-")
      || lists.contains { $0 == name } || oldEndings.contains(where: name.hasSuffix)
  }

  /// How a body may be called: with the digits of its file's number, which some tools write large.
  static func spellings(of fileID: String) -> [String] { [fileID, fileID.uppercased()] }

  /// How many hexadecimal digits the name of a body has.
  static let digitsOfFileID = 40

  /// Whether a name is that of a body, in lower-case digits.
  static func isFileID(_ name: Substring) -> Bool {
    name.utf8.count == digitsOfFileID && hasDigitsAlone(name)
  }

  private static func hasDigitsAlone(_ name: some StringProtocol) -> Bool {
    name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Whether a file of this name is a body, in either spelling.
  static func isBody(_ name: some StringProtocol) -> Bool {
    name.utf8.count == digitsOfFileID && hasDigitsAlone(name.lowercased())
  }

  /// Whether a file of this name is a body in the folder for bodies of another name.
  ///
  /// Caches, too, are sorted into folders by digits of hashes.
  static func isBody(_ name: Substring, inFolder folder: String) -> Bool {
    isBody(name) && name.lowercased().hasPrefix(folder.lowercased())
  }

  /// Whether a folder with these names is a backup.
  ///
  /// `beginsAsRecords` looks whether the old list is one, `holdsBodies` whether a folder with the
  /// name of one for bodies has some.
  static func isBackup(
    _ names: Set<String>, beginsAsRecords: () -> Bool, holdsBodies: (String) -> Bool
  ) -> Bool {
    if names.contains(records), beginsAsRecords() { return true }
    guard names.contains(database) else { return false }
    return lists.contains(where: names.contains)
      || names.contains { isSubfolder($0) && holdsBodies($0) }
  }

  /// Whether a folder with these names is what is left of a backup without a list of its files.
  ///
  /// Any app may have a list of the first name, and files that are called by a hash.
  static func lacksList(_ names: Set<String>, holdsBodies: (String) -> Bool) -> Bool {
    guard lists.contains(where: names.contains) else { return false }
    return names.contains { isSubfolder($0) && holdsBodies($0) }
      || lists.dropFirst().contains(where: names.contains) && names.contains { isBody($0) }
  }

  /// What to say of it, with how many files there are.
  static func failureOfMissingList(_ count: Int) -> PlaceFailure {
    PlaceFailure(
      .damaged,
      "the backup's list of files, \(database), is missing; \(whatIsThere(count)), and the stores among "
        + "them are read without their names, their logs and what else belongs to them",
      hint: copyAgain)
  }

  /// What to say where the list is there, but a link or a folder.
  static func failureOfList(_ name: String, _ count: Int) -> PlaceFailure {
    PlaceFailure(
      .damaged,
      "the backup's list of files, \(name), is no plain file, and a link may lead anywhere; "
        + whatIsThere(count),
      hint: copyAgain)
  }

  private static let copyAgain = "copy the backup again, with everything in it"

  /// What is left of a backup whose list of files is of no use.
  static func whatIsThere(_ count: Int) -> String {
    count.counting("file is there, under a hashed name", "files are there, under hashed names")
  }

  /// Where the device puts all files until the transfer is at its end.
  static let snapshot = "Snapshot"

  /// Whether a folder holds what is left of a transfer that broke off before a list of files was in its
  /// place, by the names in it and in its `Snapshot`.
  static func isUnfinished(_ names: Set<String>, inSnapshot: () -> Set<String>) -> Bool {
    guard names.contains(snapshot), lists.contains(where: names.contains) else { return false }
    // The host writes the list of the device, and any app may have a file of its name.
    return [database, records, "Manifest.plist"].contains(where: inSnapshot().contains)
  }

  /// What to say of a backup that is not whole, with the state that it tells.
  static func remarkOfIncomplete(_ state: String?) -> String {
    "the backup is incomplete (\(state ?? whatHappened)); make it again if the device is at hand"
  }

  /// The same of each store in it, wherever that goes.
  static func findingOfIncomplete(_ state: String?) -> Finding {
    Finding(
      "backup-incomplete", .note,
      message:
        "the backup that it was in is not whole (\(state ?? whatHappened)), so that newer changes "
        + "may be missing")
  }

  private static let whatHappened = "a transfer broke off"

  /// Whether a name is that of a folder for bodies, in either spelling.
  static func isSubfolder(_ name: String) -> Bool {
    name.utf8.count == 2 && hasDigitsAlone(name.lowercased())
  }

  /// Whether a folder holds a backup of iOS 3, which is a pair of files for each body.
  static func isTooOld(_ names: Set<String>) -> Bool {
    names.contains("Info.plist")
      && oldEndings.allSatisfy { ending in names.contains { $0.hasSuffix(ending) } }
  }

  /// What the names of the files of each pair end in.
  private static let oldEndings = [".mddata", ".mdinfo"]

  /// Why such a backup is not read.
  static let tooOld = PlaceFailure(
    .unsupported, "the backup has the form of iOS 3, which is not read",
    hint: "restore it to a device, and back that up")

  /// The name of the body of a file: the hash of its domain and path.
  static func fileID(domain: [UInt8], path: [UInt8]) -> String {
    var digits: [UInt8] = []
    digits.appendHex(SHA1.hash(of: domain + [UInt8(ascii: "-")] + path).span)
    return String(decoding: digits, as: UTF8.self)
  }

  /// When a backup was put aside, as the end of its folder's name tells: `-YYYYMMDD-HHMMSS`.
  static func timeOfArchiving(_ name: String) -> String? {
    let end = name.suffix(16)
    let shape = end.map { $0.isASCII && $0.isNumber ? "0" : $0 }
    return String(shape) == "-00000000-000000" ? String(end.dropFirst()) : nil
  }

  static func isDeviceIdentifier(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    let isHex = { (text: Substring) in
      text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
    guard parts.allSatisfy(isHex) else { return false }
    return parts.map(\.utf8.count) == [40] || parts.map(\.utf8.count) == [8, 16]
  }
}

/// What the property lists of a backup say of the device, and of the backup.
struct BackupLists {
  private(set) var device = DeviceName()
  /// Whether the backup says that it is encrypted; a decrypted copy says so, too.
  private(set) var isEncrypted = false
  /// How far the device had come when it stopped; nil where nobody says.
  private(set) var state: String?
  /// When the backup was made; nil where nobody says.
  private(set) var date: Double?
  /// Which lists are there, but cannot be read, and why.
  private(set) var remarks: [String] = []

  init(_ bodies: any BackupBodies, folder: String) throws(PlaceFailure) {
    let info = try list("Info.plist", bodies)
    let manifest = try list("Manifest.plist", bodies)
    let status = try list("Status.plist", bodies)
    let lockdown = manifest?["Lockdown"]
    device.name = Self.first(info?["Device Name"], lockdown?["DeviceName"])
    device.identifier =
      Self.first(
        info?["Target Identifier"], info?["Unique Identifier"], lockdown?["UniqueDeviceID"])
      ?? Self.identifier(inName: folder)
    if case .boolean(true)? = manifest?["IsEncrypted"] { isEncrypted = true }
    state = status?["SnapshotState"]?.string
    date = Self.date(info?["Last Backup Date"], status?["Date"], manifest?["Date"])
  }

  private static func identifier(inName folder: String) -> String? {
    let isArchived = BackupFolder.timeOfArchiving(folder) != nil
    let name = isArchived ? String(folder.dropLast(16)) : folder
    return BackupFolder.isDeviceIdentifier(name) ? name : nil
  }

  private static func date(_ values: XMLPropertyList?...) -> Double? {
    for case .date(let date)? in values { return date }
    return nil
  }

  private static func first(_ values: XMLPropertyList?...) -> String? {
    values.lazy.compactMap { $0?.string }.first { !$0.isEmpty }
  }

  /// A list; nil where it is missing, or is none.
  private mutating func list(
    _ name: String, _ bodies: any BackupBodies
  ) throws(PlaceFailure) -> XMLPropertyList? {
    guard let path = try bodies.ownFile(name) else {
      if bodies.has(name) { tellUnknown(name, "it is no plain file") }
      return nil
    }
    do {
      let bytes = try readFile(path, limit: 16 << 20, followingLinks: false)
      let list = XMLPropertyList.small(bytes)
      if list == nil { tellUnknown(name, bytes.isEmpty ? "it is empty" : "it is no property list") }
      return list
    } catch {
      tellUnknown(name, error.message)
      return nil
    }
  }

  private mutating func tellUnknown(_ name: String, _ reason: String) {
    remarks.append("what \(name) says of the backup is not known: \(reason)")
  }
}
