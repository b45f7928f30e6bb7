/// The name of a layout, as reports show it; design section 7.
///
/// Those of the sync SDKs stand with what is known of each, in `SyncSDKs`.
package struct Layout: Sendable, Hashable, RawRepresentable {
  /// The name.
  package let rawValue: String

  /// A layout that this tool knows.
  package init(named name: String) { rawValue = name }

  /// A layout that a store or an export names, perhaps one that a newer tool knows; nil where the
  /// text can be no layout's name.
  package init?(rawValue: String) {
    let isName = rawValue.utf8.allSatisfy { byte in
      byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-")
    }
    guard isName, (1...64).contains(rawValue.utf8.count) else { return nil }
    self.rawValue = rawValue
  }

  package static let coreData = Layout(named: "core-data")
  package static let coreDataXML = Layout(named: "core-data-xml")
  package static let rehome = Layout(named: "rehome")
  package static let sqlite = Layout(named: "sqlite")
  package static let bundle = Layout(named: "bundle")
  package static let document = Layout(named: "document")
  package static let csv = Layout(named: "csv")
  package static let json = Layout(named: "json")
  static let ndjson = Layout(named: "ndjson")
  package static let xml = Layout(named: "xml")

  /// The layouts of plain files, whose types are found out from their values.
  package static let ofPlainFiles: Set<Layout> = [.csv, .json, .ndjson, .xml]

  /// The layouts that are no sync SDK's.
  package static let ofNoSDK: [Layout] = [
    .coreData, .coreDataXML, .rehome, .sqlite, .bundle, .document, .csv, .json, .ndjson, .xml,
  ]
}
