import Bytes
import Formats
import Records
import SQLite

/// Decodes the SDK's operations, one row after the other.
struct IOSOperationDecoder {
  private let reader: IOSQueueReader
  private let versionKeys: [StaticString]
  private var packing = OperationPacking()
  private var payloads = CommonPayloads<Meaning>()
  /// The entity that was named last, and the canonical name of its table.
  private var entity: [UInt8] = []
  private var table: [UInt8] = []

  /// The columns of the SDK's table that are read, the first behind the key.
  static let columns = ["ZID", "ZTABLE", "ZITEMID", "ZPROPERTIES"]

  private static let id = 1
  private static let table = 2
  private static let itemID = 3
  private static let payload = 4

  init(_ reader: IOSQueueReader) {
    self.reader = reader
    versionKeys = IOSNames.versionKeys(of: reader.generation)
  }

  /// The id of a row that is read from pages as it is from a statement; nil where only the engine
  /// knows what its values are as texts.
  static func plainID(of row: borrowing PageRow) -> Int64? {
    guard row.storageClass(at: id) == .integer else { return nil }
    guard isPlain(row.storageClass(at: table)), isPlain(row.storageClass(at: itemID)) else {
      return nil
    }
    return row.integer(at: id)
  }

  private static func isPlain(_ storage: StorageClass) -> Bool {
    switch storage {
    case .null, .integer, .text: true
    case .real, .blob: false
    }
  }

  /// Adds the operation of a row.
  mutating func add(_ row: borrowing some StoredRow & ~Copyable) {
    let meaning = meaning(of: row)
    addTable(row)
    packing.add(row, at: Self.itemID)
    packing.add(row, at: Self.id)
    packing.add(meaning.version)
    packing.add(meaning.code)
    packing.addNone()
    packing.addPayload(row, at: Self.payload)
    if let item = meaning.item { packing.addItem(item.span) } else { packing.addNone() }
    var operation = PendingOperation()
    operation.kind = meaning.kind
    packing.finish(operation)
  }

  /// Hands out all operations, and is ready for others.
  mutating func take() -> [PendingOperation] { packing.take() }

  private mutating func addTable(_ row: borrowing some StoredRow & ~Copyable) {
    switch row.storageClass(at: Self.table) {
    case .text: row.withText(at: Self.table) { addTable(of: $0) }
    case .blob: row.withBlob(at: Self.table) { addTable(of: $0) }
    case .null, .integer, .real: packing.add(row, at: Self.table)
    }
  }

  private mutating func addTable(of name: Span<UInt8>) {
    if !name.isEqual(to: entity.span) {
      entity.removeAll(keepingCapacity: true)
      entity.append(name)
      let text = String(decoding: entity, as: UTF8.self)
      table = Array((reader.tableNames[text] ?? text).utf8)
    }
    let table = table
    packing.add(table.span)
  }

  private mutating func meaning(of row: borrowing some StoredRow & ~Copyable) -> Meaning {
    switch row.storageClass(at: Self.payload) {
    case .null, .integer, .real: Meaning()
    // Only blobs carry a tag, the byte 1, with which no text is JSON.
    case .text:
      row.withText(at: Self.payload) { text in
        !text.isEmpty && text[0] == 1 ? Meaning() : meaning(of: text)
      }
    case .blob: row.withBlob(at: Self.payload) { meaning(of: $0) }
    }
  }

  private mutating func meaning(of payload: Span<UInt8>) -> Meaning {
    payloads.value(payload) { [versionKeys] payload in
      Meaning(plain: payload, versionKeys) ?? Meaning(JSONPayload(untagged: payload), versionKeys)
    }
  }
}

/// What a payload says.
private struct Meaning {
  var kind: OperationKind?
  var code: [UInt8]?
  var item: [UInt8]?
  var version: [UInt8]?

  /// Nothing.
  init() {}

  init(_ payload: JSONPayload, _ versionKeys: [StaticString]) {
    kind = payload.kind("type")
    code = payload.json("type")
    guard kind == .delete else { return }
    item = payload.objectJSON("item")
    let version = payload.version(ofItem: "item", under: versionKeys.map(\.description))
    self.version = version.map { Array($0.utf8) }
  }

  /// The same, without parsing, of a payload such as the SDK writes; nil for any other.
  init?(plain payload: Span<UInt8>, _ versionKeys: [StaticString]) {
    // A value of one byte is a digit.
    guard let object = PlainJSONObject(payload), let type = object.value(of: "type", in: payload),
      type.count == 1
    else { return nil }
    kind = IOSNames.kind(Int64(payload[type.lowerBound] &- UInt8(ascii: "0")))
    code = [payload[type.lowerBound]]
    guard kind == .delete, let place = object.value(of: "item", in: payload) else { return }
    let bytes = payload.extracting(place)
    guard let item = PlainJSONObject(bytes) else {
      // An empty object is not seen as plain; anything else is no item.
      if bytes[0] == UInt8(ascii: "{") { return nil }
      return
    }
    self.item = copy(bytes)
    for key in versionKeys where version == nil {
      guard let text = item.value(of: key, in: bytes), text.count > 2,
        bytes[text.lowerBound] == UInt8(ascii: "\"")
      else { continue }
      version = copy(bytes.extracting(text.lowerBound + 1..<text.upperBound - 1))
    }
  }
}

private func copy(_ span: Span<UInt8>) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.append(span)
  return bytes
}
