package import Bytes
package import Records

/// Spells a whole store as one document that is written from front to back.
protocol DocumentSpelling: Sendable {
  /// Appends what stands before the first table.
  mutating func appendStart(_ head: ExportHead, to output: inout [UInt8])

  /// Appends what stands between the table before and this one.
  ///
  /// - Returns: the spelling of the table itself.
  mutating func appendSeparator(
    before table: Table, as part: BookkeepingTable?, to output: inout [UInt8]
  ) -> any TableSpelling

  /// Spells what stands behind the last table, and hands it over part by part.
  mutating func spellEnd(_ tail: ExportTail, to take: PartTaker) throws(StoreError)
}

/// Takes a part of a text that is spelled from front to back.
typealias PartTaker = ([UInt8]) throws(StoreError) -> Void

extension [UInt8] {
  /// Hands over what is here as soon as it is much.
  mutating func lendIfLong(to take: PartTaker) throws(StoreError) {
    if count >= 256 << 10 { try lendAll(to: take) }
  }

  /// Hands over what is here.
  mutating func lendAll(to take: PartTaker) throws(StoreError) {
    try take(self)
    removeAll(keepingCapacity: true)
  }
}

/// What stands at the head of an export.
package struct ExportHead: Sendable {
  var tool: String
  /// The store; its files are not known yet.
  package var source: SourceDescription
  var nameOrigin: NameOrigin

  /// The head of an export of one store.
  package init(tool: String, source: SourceDescription, nameOrigin: NameOrigin) {
    self.tool = tool
    self.source = source
    self.nameOrigin = nameOrigin
  }
}

/// What is known once the whole store has been read.
package struct ExportTail: Sendable {
  /// The files that were read.
  package var files: [SourceFile]
  /// What was found.
  package var findings: Findings
  /// The content hash of all that was written.
  package var hash: SHA256Digest

  /// The tail of an export.
  package init(files: [SourceFile], findings: Findings, hash: SHA256Digest) {
    self.files = files
    self.findings = findings
    self.hash = hash
  }
}

/// Takes a whole store: first its tables, then the parts of its bookkeeping, then the tail.
package protocol ExportDestination: ~Copyable {
  /// Writes one table; `part` says which part of the bookkeeping it is, and is nil for the app's.
  ///
  /// `note` gets the rows in their order, as they are written.
  ///
  /// - Throws: `StoreError` of the rows or of `note`, or when the table cannot be written.
  mutating func add(
    _ table: Table, as part: BookkeepingTable?, from rows: TableRows,
    noting note: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError) -> TableSeal

  /// Writes the tail and publishes.
  ///
  /// - Throws: `StoreError` when that fails; then nothing stands under the final name.
  consuming func finish(_ tail: ExportTail) throws(StoreError)
}
