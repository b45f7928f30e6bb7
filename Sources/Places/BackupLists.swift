import Bytes
import CoreData
import XMLFormat

/// What the property lists of a backup say of the device, and of the backup.
struct BackupLists {
  /// The device.
  private(set) var device = DeviceName()
  /// Whether the backup says that it is encrypted; a decrypted copy says so, too.
  private(set) var isEncrypted = false
  /// How far the device had come when it stopped; nil where nobody says.
  private(set) var state: String?

  /// Reads those lists that are there.
  init(_ bodies: any BackupBodies, folder: String) throws(PlaceFailure) {
    let (info, manifest, status) = (
      try Self.list("Info.plist", bodies), try Self.list("Manifest.plist", bodies),
      try Self.list("Status.plist", bodies)
    )
    let lockdown = manifest?["Lockdown"]
    device.name = Self.first(info?["Device Name"], lockdown?["DeviceName"])
    device.identifier =
      Self.first(
        info?["Target Identifier"], info?["Unique Identifier"], lockdown?["UniqueDeviceID"])
      ?? (BackupFolder.isDeviceIdentifier(folder) ? folder : nil)
    if case .boolean(true)? = manifest?["IsEncrypted"] { isEncrypted = true }
    state = status?["SnapshotState"]?.string
  }

  private static func first(_ values: XMLPropertyList?...) -> String? {
    values.lazy.compactMap { $0?.string }.first { !$0.isEmpty }
  }

  /// A list; nil where it is missing, or is none.
  private static func list(
    _ name: String, _ bodies: any BackupBodies
  ) throws(PlaceFailure) -> XMLPropertyList? {
    guard let path = try bodies.ownFile(name),
      let bytes = try? readFile(path, limit: 16 << 20, followingLinks: false)
    else { return nil }
    return XMLPropertyList.small(bytes)
  }
}
