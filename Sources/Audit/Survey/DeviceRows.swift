import Bytes
import Records
import SyncSDKs

/// The rows that the devices of a store of several sources would send, each its own.
struct DeviceRows {
  /// The rows, under the operations that send them.
  private(set) var rows = AttachedRows()
  private(set) var versions = RowVersions()

  /// How many bytes of rows are set aside at once.
  private static let pieceSize = 256 << 10

  /// Looks at what a store with a queue knows of them; only those of `shown` operations are set aside,
  /// unless it is nil.
  init(of reader: any StoreReader, shown: KeySet?) throws(StoreError) {
    var texts = RowTexts()
    try reader.kept?.forEachDeviceItem { (item) throws(StoreError) in
      guard let row = item.item else { return }
      versions.note(item.operation, hasVersion: item.version != nil)
      guard shown?.contains(item.operation) ?? true else { return }
      texts.add(row, key: item.operation)
      guard texts.bytes.count >= Self.pieceSize else { return }
      try keep(texts)
      texts = RowTexts()
    }
    try keep(texts)
  }

  private mutating func keep(_ texts: RowTexts) throws(StoreError) {
    try storeErrors("rows cannot be set aside") { () throws(FileError) in
      try rows.add(texts, table: AttachedRows.devices)
    }
  }

  /// Lets operations have no item where it only stands for such a row, and is no payload.
  func takePlace(in queue: inout Queue, of source: SourceDescription) {
    guard !versions.isEmpty else { return }
    let (versions, payloadSources) = (versions, source.payloadSources)
    queue.operations.updateEach { _, operation in
      guard versions[operation.sequence] != nil, !payloadSources.contains(operation.source) else {
        return
      }
      operation.item = nil
    }
  }
}

/// Whether rows have versions, by the operations that send them: a few bits each.
struct RowVersions: Sendable {
  private var known: KeySet = []
  private var versioned: KeySet = []
  private(set) var isEmpty = true

  /// Notes of the row of an operation whether it has a version.
  mutating func note(_ operation: Int64, hasVersion: Bool) {
    isEmpty = false
    known.insert(operation)
    if hasVersion { versioned.insert(operation) }
  }

  /// Whether the row of an operation has a version; nil where it has no row.
  subscript(operation: Int64) -> Bool? {
    known.contains(operation) ? versioned.contains(operation) : nil
  }
}
