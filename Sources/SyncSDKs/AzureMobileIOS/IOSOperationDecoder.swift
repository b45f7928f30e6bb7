import Bytes
import Formats
package import Records
import SQLite
import Tables

/// Decodes the SDK's operations, one row after the other.
struct IOSOperationDecoder {
  private let reader: IOSQueueReader
  private let versionKeys: [StaticString]
  private var packing = OperationPacking()
  /// The names of the operation that are no text, of which others tell.
  private var unread = Self.noneUnread
  private var payloads = CommonPayloads<Meaning>()
  /// The entity that was named last, and the canonical name of its table.
  private var entity: [UInt8] = []
  private var table: [UInt8] = []

  /// The columns of the SDK's table that are read, the first behind the key.
  static let columns = ["ZID", "ZTABLE", "ZITEMID", "ZPROPERTIES"]

  /// The columns that name the item, with words for them.
  static let names = [(table, "table"), (itemID, "item's id")]

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
    guard isPlain(row, at: table), isPlain(row, at: itemID) else { return nil }
    return row.integer(at: id)
  }

  private static func isPlain(_ row: borrowing PageRow, at column: Int) -> Bool {
    switch row.storageClass(at: column) {
    case .null, .integer: true
    case .text: row.withText(at: column) { isValidUTF8($0) }
    case .real, .blob: false
    }
  }

  mutating func add(_ row: borrowing some StoredRow & ~Copyable) {
    switch row.storageClass(at: Self.payload) {
    case .null, .integer, .real: add(row, Meaning(), of: [UInt8]().span, file: nil)
    // Only blobs carry a tag, the byte 1, with which no text is JSON.
    case .text:
      row.withText(at: Self.payload) { text in
        let meaning = !text.isEmpty && text[0] == 1 ? Meaning() : meaning(of: text)
        add(row, meaning, of: text, file: nil)
      }
    case .blob:
      row.withBlob(at: Self.payload) { stored in
        guard let file = reader.payload(namedBy: stored) else {
          return add(row, meaning(of: stored), of: stored, file: nil)
        }
        add(row, meaning(of: file.span), of: file.span, file: file)
      }
    }
  }

  /// Adds a row and what its payload says, be it in the row or in a file.
  private mutating func add(
    _ row: borrowing some StoredRow & ~Copyable, _ meaning: Meaning, of payload: Span<UInt8>,
    file: [UInt8]?
  ) {
    addTable(row)
    if !packing.addName(row, at: Self.itemID) {
      unread.keepName(row, at: Self.itemID, "item's id")
    }
    packing.add(row, at: Self.id)
    if let own = meaning.own {
      add(row, meaning, texts: own.span, file: file)
    } else {
      add(row, meaning, texts: payload, file: file)
    }
    packing.finish(meaning.kind)
  }

  private mutating func add(
    _ row: borrowing some StoredRow & ~Copyable, _ meaning: Meaning, texts: Span<UInt8>,
    file: [UInt8]?
  ) {
    packing.add(meaning.version, of: texts)
    packing.add(meaning.code, of: texts)
    packing.addNone()
    // One that tells its kind cannot be taken for what is kept.
    if !unread.isEmpty || meaning.kind == nil {
      addPayload(row, file: file)
    } else if let file {
      packing.addPayload(file.span, isText: false)
    } else {
      packing.addPayload(row, at: Self.payload)
    }
    if let item = meaning.item {
      packing.addItem(texts.extracting(item))
    } else {
      packing.addNone()
    }
  }

  /// Adds the payload with names that are no text behind it.
  private mutating func addPayload(_ row: borrowing some StoredRow & ~Copyable, file: [UInt8]?) {
    let isNull = row.storageClass(at: Self.payload) == .null
    let stored = isNull ? nil : RawValue(row, at: Self.payload)
    packing.addPayload(unread.raw(behind: file.map { .binary($0) } ?? stored))
    unread = Self.noneUnread
  }

  private static let noneUnread = UnreadColumns(of: ["Z_PK"] + columns)

  /// Whether the operations should be taken before the next one.
  var isFull: Bool { packing.isFull }

  /// Hands out all operations, and is ready for others.
  mutating func take() -> [PendingOperation] { packing.take() }

  private mutating func addTable(_ row: borrowing some StoredRow & ~Copyable) {
    guard row.damagedText(at: Self.table) == nil else {
      unread.keepName(row, at: Self.table, "table")
      return packing.addNone()
    }
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
      table = Array((reader.tableNames[ExactText(text)] ?? text).utf8)
    }
    let table = table
    packing.add(table.span)
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
  /// Where the texts are that say it, in the payload or else in bytes of their own.
  var code: Range<Int>?
  var item: Range<Int>?
  var version: Range<Int>?
  private(set) var own: [UInt8]?

  init() {}

  init(_ payload: JSONPayload, _ versionKeys: [StaticString]) {
    kind = payload.kind("type")
    var texts: [UInt8] = []
    code = texts.append(part: payload.json("type"))
    if kind == .delete {
      item = texts.append(part: payload.objectJSON("item"))
      let version = payload.version(ofItem: "item", under: versionKeys.map(\.description))
      self.version = texts.append(part: version.map { Array($0.utf8) })
    }
    own = texts
  }

  /// The same, without parsing, of a payload such as the SDK writes; nil for any other.
  init?(plain payload: Span<UInt8>, _ versionKeys: [StaticString]) {
    var type: Range<Int>?
    let isPlain = forEachMember(ofPlainJSON: payload) { key, value in
      let key = payload.extracting(key)
      if key.isEqual(to: "type") { type = value }
      if key.isEqual(to: "item") { item = value }
    }
    // A value of one byte is a digit.
    guard isPlain, let type, type.count == 1 else { return nil }
    code = type
    kind = IOSNames.kind(Int64(payload[type.lowerBound] &- UInt8(ascii: "0")))
    guard kind == .delete, let place = item else {
      item = nil
      return
    }
    // An empty object is not seen as plain; anything else is no item.
    guard readVersion(of: payload, at: place, versionKeys) else {
      if payload[place.lowerBound] == UInt8(ascii: "{") { return nil }
      item = nil
      return
    }
  }

  /// Notes the version in an item under the first of these keys that has one, unless the item is
  /// no plain object or a version has escapes.
  private mutating func readVersion(
    of payload: Span<UInt8>, at place: Range<Int>, _ versionKeys: [StaticString]
  ) -> Bool {
    let item = payload.extracting(place)
    var best = versionKeys.count
    var hasEscapes = false
    let isPlain = forEachMember(ofPlainJSON: item) { key, value in
      guard value.count > 2, item[value.lowerBound] == UInt8(ascii: "\""),
        let rank = versionKeys.firstIndex(where: { item.extracting(key).isEqual(to: $0) }),
        rank < best
      else { return }
      best = rank
      let text = value.lowerBound + 1..<value.upperBound - 1
      if endOfPlainJSON(in: item.extracting(text), from: 0) < text.count { hasEscapes = true }
      version = place.lowerBound + text.lowerBound..<place.lowerBound + text.upperBound
    }
    return isPlain && !hasEscapes
  }
}

extension [UInt8] {
  /// Appends a text, if there is one, and returns where it is.
  fileprivate mutating func append(part: [UInt8]?) -> Range<Int>? {
    guard let part else { return nil }
    append(part.span)
    return count - part.count..<count
  }
}

extension JSONPayload {
  /// The kind of operation that a key names, in the codes of the SDK for iOS.
  package func kind(_ key: String) -> OperationKind? { IOSNames.kind(integer(key)) }
}

extension JSONPayload {
  /// Decodes a payload that may carry the tag of an attribute with external storage.
  ///
  /// JSON never begins with the byte 1, so the tag cannot be mistaken.
  init(untagged raw: RawValue?) {
    switch raw {
    case .binary(let bytes): self.init(untagged: bytes.span)
    case .integer, .real, .text, nil: self.init(raw)
    }
  }

  /// Decodes the bytes of such a payload, a blob.
  init(untagged bytes: Span<UInt8>) {
    let isTagged = !bytes.isEmpty && bytes[0] == 1
    self.init(isTagged ? bytes.extracting(1..<bytes.count) : bytes)
  }
}
