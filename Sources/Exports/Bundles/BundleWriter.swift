import Bytes
package import Records

/// Writes a store as a folder: a manifest, and a file for each table and part of the bookkeeping.
///
/// The folder appears under its name when it is complete.
package struct BundleWriter: ~Copyable, ExportDestination {
  private var folder: StagedDirectory
  private var names = MemberNames()
  private var members: [BundleMember] = []
  /// The name that was asked for, which errors show instead of the hidden one.
  private let destination: String
  private let head: ExportHead
  private let format: ExportFormat
  private let style: CSVStyle

  /// Begins a bundle; a safe one guards CSV against formulas in spreadsheets.
  ///
  /// - Throws: `StoreError` when the folder exists and may not be replaced, or cannot be made.
  package init(
    for path: String, replacing: Bool, head: ExportHead, format: ExportFormat,
    csv style: CSVStyle
  ) throws(StoreError) {
    folder = try storeErrors { () throws(FileError) in
      try StagedDirectory(for: path, replacing: replacing)
    }
    destination = path
    self.head = head
    self.format = format
    self.style = style
  }

  package mutating func add(
    _ table: Table, as part: BookkeepingTable?, from rows: TableRows,
    noting note: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError) -> TableSeal {
    let name = (part?.rawValue ?? names.claim(table.name)) + "." + format.rawValue
    var file = try MemberFile(
      creating: folder.path(forFile: name), name: name, destination: destination)
    var stream = TableStream(
      format.spelling(of: table, as: part, csv: style), hash: TableHash(of: table))
    let seal = try stream.write(rows, to: &file, noting: note)
    members.append(
      BundleMember(table: table, part: part, seal: seal, file: try file.close()))
    return seal
  }

  package consuming func finish(_ tail: ExportTail) throws(StoreError) {
    let manifest = BundleManifest(
      head: head, format: format, style: style, members: members, tail: tail)
    let name = "manifest.json"
    var file = try MemberFile(
      creating: folder.path(forFile: name), name: name, destination: destination)
    try file.write(manifest.bytes)
    _ = try file.close()
    do {
      try folder.publish()
    } catch {
      throw StoreError(error)
    }
  }
}
