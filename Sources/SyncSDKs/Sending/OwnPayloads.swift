import Bytes
package import Formats
package import Records

/// What one device sends of the payloads of its operations, where that could not be told any more beside
/// the columns of other devices, which may be called otherwise, have other types, or be more.
package struct OwnPayloads {
  private let catalogue: Catalogue
  private let places: [ExactText: Int]
  private let sdks: DeviceSDKs
  private let isOfSeveral: Bool
  private var sent: SentPayloads
  /// NULL for each column, by the places of the tables and the styles of their SDKs.
  private var nulls: [Int: (style: SDKStyle, object: [UInt8])] = [:]

  /// Looks at the payloads of a store with these tables.
  package init(of source: SourceDescription, _ catalogue: Catalogue) {
    (self.catalogue, places) = (catalogue, catalogue.places)
    sdks = source.sdks
    isOfSeveral = source.isOfSeveral
    sent = SentPayloads(catalogue)
  }

  /// What is sent of the payload of an operation; nil where that can be told from it anywhere.
  package mutating func item(of operation: borrowing PendingOperation) -> [UInt8]? {
    // Of several devices in one store nobody knows any more whose columns are whose.
    guard !isOfSeveral, operation.item != nil else { return nil }
    let sdk = sdks[operation.source]
    if sdk.sendsBranches { return sent.itemOfRow(operation, sdk.style) }
    guard sdk.sendsChanges, operation.kind == .insert,
      let table = operation.table.flatMap({ places[ExactText($0)] })
    else { return nil }
    // What the changes behind it leave of it is known when it is sent.
    if let known = nulls[table], known.style == sdk.style { return known.object }
    let object = JSONObject().withNulls(for: catalogue.tables[table], sdk.style).json
    nulls[table] = (sdk.style, object)
    return object
  }
}

extension JSONObject {
  /// The payload of an insert with the columns that it leaves out as they are NULL.
  package func withNulls(for table: Table, _ style: SDKStyle) -> JSONObject {
    let lacking = table.columns.filter { column in
      column.role == .value && style.sends(column) && self[column.sourceName] == nil
    }
    return JSONObject(
      members + lacking.map { Member(key: $0.sourceName, value: .null) }) ?? self
  }
}
