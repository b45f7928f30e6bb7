import Foundation
import TestSupport
import XMLFormat

@testable import CoreData

/// What the reader gives of an XML store that a test writes itself.
struct XMLStoreReading {
  private let fields: [String: Any]

  /// Reads a store of these objects, with a model where one is given as source.
  init(objects: String, hashes: [String] = [], model: String? = nil) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.document(objects, hashes), to: "store.xml")
    try self.init(path, model: model.map { try folder.write($0, to: "contents") })
  }

  /// Reads the store at a path.
  init(_ path: String, model: String? = nil) throws {
    let folder = try TemporaryFolder()
    fields = try StoreReading(
      ofStoreAt: path, temporaryFolder: folder.path, model: model
    ).fields
  }

  var layout: String { fields["layout"] as? String ?? "" }
  var tableNames: [String] { fields["tableNames"] as? [String] ?? [] }
  var findings: [String] { fields["findings"] as? [String] ?? [] }
  var rejects: [String] {
    (fields["rejects"] as? [[String: Any]] ?? []).map { reject in
      ["table", "pk", "column", "code"].map { "\(reject[$0] ?? "")" }.joined(separator: " ")
    }
  }

  /// The columns of a table, each as `name type`.
  func columns(_ table: String) -> [String] {
    let tables = fields["tables"] as? [String: [String: Any]]
    return (tables?[table]?["columns"] as? [[String]] ?? []).map { $0.joined(separator: " ") }
  }

  /// The rows of a table, each as its cells with blanks between them, the key first.
  func rows(_ table: String) -> [String] {
    let tables = fields["tables"] as? [String: [String: Any]]
    return (tables?[table]?["rows"] as? [[Any]] ?? []).map { row in
      row.map { $0 is NSNull ? "-" : "\($0)" }.joined(separator: " ")
    }
  }

  /// All tables as another program can judge them.
  var tables: Any { fields["tables"] ?? [:] }

  static func document(_ objects: String, _ hashes: [String] = []) -> String {
    let keys = hashes.map { "<key>\($0)</key><data>AAAA</data>" }.joined()
    let metadata =
      hashes.isEmpty
      ? ""
      : "<plist version=\"1.0\"><dict><key>NSStoreModelVersionHashes</key>"
        + "<dict>\(keys)</dict></dict></plist>"
    return """
      <?xml version="1.0" standalone="no"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database><databaseInfo><version>134481920</version><UUID>U</UUID>
      <metadata>\(metadata)</metadata></databaseInfo>
      \(objects)
      </database>
      """
  }
}

/// An object of a test's store; `links` are `name type destination ids…`.
func object(
  _ type: String, _ id: String, _ attributes: [String] = [], links: [String] = []
) -> String {
  let values = attributes.map { text in
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    return "<attribute name=\"\(parts[0])\" type=\"\(parts[1])\">\(parts[2])</attribute>"
  }
  let relationships = links.map { text in
    let parts = text.split(separator: " ").map(String.init)
    let ids = parts.dropFirst(3).joined(separator: " ")
    return "<relationship name=\"\(parts[0])\" type=\"\(parts[1])\" destination=\"\(parts[2])\""
      + (ids.isEmpty ? "/>" : " idrefs=\"\(ids)\"/>")
  }
  return "<object type=\"\(type)\" id=\"\(id)\">\((values + relationships).joined())</object>"
}

extension CoreDataXMLSchema {
  /// What a store shows when it is read to its end.
  init(reading store: consuming CoreDataXMLStore) throws(XMLError) {
    try self.init(reading: &store) { _ in }
  }
}
