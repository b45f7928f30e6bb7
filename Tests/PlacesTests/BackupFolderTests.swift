import Bytes
import Foundation
import Testing

@testable import Places

/// The names by which a backup is known, and the hash by which a store is.
struct BackupFolderTests {
  @Test(arguments: [
    ("00008030-001A2D3E4F5A6B7C", true), (String(repeating: "a0", count: 20), true),
    (String(repeating: "A0", count: 20), true), ("00008030-001A2D3E4F5A", false),
    (String(repeating: "a", count: 39), false), (String(repeating: "g", count: 40), false),
    ("", false), ("0000803-0001A2D3E4F5A6B7C", false),
  ]) func identifierOfADeviceHasItsForm(name: String, isOne: Bool) {
    #expect(BackupFolder.isDeviceIdentifier(name) == isOne)
  }

  @Test func bodyIsNamedByLowerCaseDigits() {
    let name = String(repeating: "0f", count: 20)
    #expect(BackupFolder.isFileID(name[...]) && !BackupFolder.isFileID(name.dropLast()))
    #expect(!BackupFolder.isFileID(name.uppercased()[...]) && BackupFolder.isPart(name[...]))
    for part in ["Manifest.db", "Manifest.db-wal", "Manifest.mbdb", "Info.plist", "Status.plist"] {
      #expect(BackupFolder.isPart(part[...]))
    }
    #expect(!BackupFolder.isPart("q.sqlite"))
  }

  @Test func folderIsABackupByItsLists() {
    let isBackup = { (names: Set<String>) in
      BackupFolder.isBackup(names, beginsAsRecords: { true }, holdsBodies: { $0 == "0f" })
    }
    #expect(isBackup(["Manifest.db", "Info.plist"]) && isBackup(["Manifest.db", "0f"]))
    #expect(
      !isBackup(["Manifest.db"]) && !isBackup(["Manifest.db", "0F"]) && !isBackup(["Info.plist"]))
    #expect(!isBackup(["Manifest.db", "de"]) && isBackup(["Manifest.mbdb"]))
    #expect(
      !BackupFolder.isBackup(
        ["Manifest.mbdb"], beginsAsRecords: { false }, holdsBodies: { _ in true }))
    #expect(BackupFolder.isTooOld(["Info.plist", "a.mddata", "a.mdinfo"]))
    #expect(!BackupFolder.isTooOld(["Info.plist", "a.mddata"]))
  }

  @Test func transferThatBrokeOffIsKnownByWhatTheDeviceSends() {
    let names: Set = ["Info.plist", "Snapshot"]
    for sent in ["Manifest.db", "Manifest.plist", "Manifest.mbdb"] {
      #expect(BackupFolder.isUnfinished(names) { [sent] })
      #expect(!BackupFolder.isUnfinished(["Snapshot"]) { [sent] })
      #expect(!BackupFolder.isUnfinished(["Info.plist"]) { [sent] })
    }
    #expect(!BackupFolder.isUnfinished(names) { ["Info.plist", "Status.plist", "q.sqlite"] })
  }

  @Test func everyFileThatSaysSomethingCountsForTheHash() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "q.sqlite").path
    func hash() throws -> String { try StoreOnDisk(path: path).hash() }
    try Data("a".utf8).write(to: URL(filePath: path))
    var seen = [try hash()]
    #expect(seen == ["ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"])
    for ending in ["-wal", "-journal"] {
      try Data("b".utf8).write(to: URL(filePath: path + ending))
      seen.append(try hash())
    }
    #expect(Set(seen).count == 3)
    try Data("c".utf8).write(to: URL(filePath: path + "-shm"))
    #expect(try hash() == seen.last)
  }
}
