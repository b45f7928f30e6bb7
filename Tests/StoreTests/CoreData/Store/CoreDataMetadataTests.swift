import Foundation
import Records
import SQLite
import Testing
import XMLFormat

@testable import CoreData

/// Metadata say the same in a table, in a binary list and in XML.
struct CoreDataMetadataTests {
  private static var list: [String: Any] {
    [
      "NSPersistenceFrameworkVersion": 1044,
      "NSStoreModelVersionHashes": ["Todo": Data([1, 2, 3])],
      "NSStoreType": "SQLite", "_NSAutoVacuumLevel": "2", "token": "secret", "app": ["deep": [1]],
    ]
  }

  private func read(_ format: PropertyListSerialization.PropertyListFormat) throws
    -> CoreDataMetadata
  {
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: Self.list, format: format, options: 0)
    var metadata = CoreDataMetadata()
    metadata.take(try XMLPropertyList(small: Array(bytes)))
    return metadata
  }

  @Test func everyFormSaysTheSame() throws {
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let metadata = try read(format)
      #expect(metadata.frameworkVersion == 1044)
      #expect(metadata.entityHashes == ["Todo": [1, 2, 3]])
      #expect(metadata.applicationKeys == ["app", "token"])
    }
  }

  @Test func tableSaysTheSame() throws {
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: Self.list, format: .binary, options: 0)
    let connection = try Connection(scratchInMemory: true)
    try connection.execute("CREATE TABLE Z_METADATA (Z_UUID, Z_PLIST)")
    let hex = bytes.map { String(format: "%02X", $0) }.joined()
    try connection.execute("INSERT INTO Z_METADATA VALUES ('U', x'\(hex)')")
    let table = try CoreDataMetadata(reading: connection)
    var own = try read(.binary)
    own.identifier = "U"
    #expect(table == own && !table.isUnreadable)
    #expect(
      table.facts.map { "\($0.key)=\($0.value)" } == [
        "storeIdentifier=U", "frameworkVersion=1044", "system=iOS 14, macOS 11",
        "applicationMetadata=app, token",
      ])
  }
}
