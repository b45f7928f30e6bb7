import XMLFormat

/// What an XML store says about itself, in `databaseInfo`.
package struct CoreDataXMLInfo: Sendable, Equatable {
  /// The version of the format, as written.
  package var version: String?
  /// The store's identifier.
  package var identifier: String?
  /// The last object identifier that was given out, as written.
  var nextObjectID: String?
  /// The version of the framework that wrote the store last.
  var frameworkVersion: Int64?
  /// The 32-byte hash of each entity of the store's model; nil where the store has none.
  var entityHashes: [String: [UInt8]]?
  /// The keys that the app has added; their values may be secrets and are not kept.
  var applicationKeys: [String] = []
}

extension CoreDataXMLInfo {
  /// Reads the element that has just started, to its end.
  init(reading reader: inout XMLReader) throws(XMLError) {
    while let event = try reader.next() {
      switch event {
      case .startElement: try take(&reader)
      case .endElement: return
      case .text:
        throw reader.unexpected("text stands between the parts of the store's description")
      }
    }
  }

  private mutating func take(_ reader: inout XMLReader) throws(XMLError) {
    switch reader.name {
    case "version": version = try reader.readText()
    case "UUID": identifier = try reader.readText()
    case "nextObjectID": nextObjectID = try reader.readText()
    case "metadata": try takeMetadata(&reader)
    default: try reader.skipElement()
    }
  }

  /// Old systems leave the element empty.
  private mutating func takeMetadata(_ reader: inout XMLReader) throws(XMLError) {
    while let event = try reader.next() {
      switch event {
      case .startElement where reader.name == "plist":
        take(try XMLPropertyList(reading: &reader))
      case .startElement: try reader.skipElement()
      case .endElement: return
      case .text: break
      }
    }
  }

  private mutating func take(_ metadata: XMLPropertyList) {
    for entry in metadata.entries ?? [] {
      switch entry.key {
      case "NSPersistenceFrameworkVersion": frameworkVersion = entry.value.integer
      case "NSStoreModelVersionHashes": entityHashes = entry.value.entityHashes
      case let key:
        if !key.hasPrefix("NS"), !key.hasPrefix("_NS") { applicationKeys.append(key) }
      }
    }
    applicationKeys.sort()
  }
}
