import Bytes
import Formats
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
    if replacing, Paths.isDirectory(path) { try Self.expectOnlyBundle(in: path) }
    folder = try storeErrors { () throws(FileError) in
      try StagedDirectory(for: path, replacing: replacing)
    }
    destination = path
    self.head = head
    self.format = format
    self.style = style
  }

  /// Throws where a folder holds anything but the files of a bundle, which would be lost with it.
  private static func expectOnlyBundle(in folder: String) throws(StoreError) {
    var others: [String] = []
    let names = try storeErrors { () throws(FileError) in
      try fileNames(inFolder: folder, limit: 10_000_000) { _ in
        others.append("a file without a name")
      }
    }
    let files = BundleReader.files(ofManifest: Paths.join(folder, "manifest.json")) ?? []
    others = names.filter { !files.contains($0) } + others
    guard let first = others.first else { return }
    throw StoreError(
      .exists, path: folder, "the folder is not replaced, because \(first) is no part of a bundle",
      hint: "name another folder, or a new one in this one")
  }

  package mutating func add(
    _ table: Table, as part: BookkeepingTable?, from rows: TableRows,
    noting note: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError) -> TableSeal {
    let name = fileName(of: table, as: part) + "." + format.rawValue
    var file = try MemberFile(
      creating: folder.path(forFile: name), name: name, destination: destination)
    var stream = ParallelTableWriter(
      format.spelling(of: table, as: part, csv: style), hash: TableHash(of: table))
    let seal = try stream.write(rows, to: &file, noting: note)
    members.append(
      BundleMember(table: table, part: part, seal: seal, file: try file.close()))
    return seal
  }

  /// The file name of a table, without its ending; a part that most bundles lack yields to a table of
  /// its name.
  private mutating func fileName(of table: Table, as part: BookkeepingTable?) -> String {
    guard let part, BookkeepingTable.always.contains(part) else { return names.claim(table.name) }
    return part.rawValue
  }

  package consuming func finish(_ tail: ExportTail) throws(StoreError) {
    let manifest = BundleManifest(
      head: head, format: format, style: style, members: members, tail: tail)
    let name = "manifest.json"
    var file = try MemberFile(
      creating: folder.path(forFile: name), name: name, destination: destination)
    try manifest.spell { (part) throws(StoreError) in try file.write(part) }
    _ = try file.close()
    do {
      try folder.publish()
    } catch {
      throw StoreError(error)
    }
  }
}

/// A table of a bundle, with its file and what the file holds.
struct BundleMember: Sendable {
  var table: Table
  var part: BookkeepingTable?
  var seal: TableSeal
  var file: SourceFile
}

extension BundleWriter {
  /// Spells `manifest.json`, which `rehome-export(5)` describes.
  struct BundleManifest {
    let head: ExportHead
    let format: ExportFormat
    let style: CSVStyle
    let members: [BundleMember]
    let tail: ExportTail

    /// Spells the JSON text, one table or finding a line, and hands it over part by part.
    func spell(to take: PartTaker) throws(StoreError) {
      var output = Array("{".utf8)
      output.appendJSON(
        "rehome",
        .members(["format": .count(1), "kind": .string("bundle"), "tool": .string(head.tool)]))
      output.append(",\n")
      output.appendJSON("dataFormat", .string(format.rawValue))
      output.append(",\n")
      output.appendJSON("csvSafe", .boolean(style.isSafe))
      output.append(",\n")
      if style == .spreadsheet {
        output.appendJSON("csvFor", .string("excel"))
        output.append(",\n")
      }
      output.appendJSON("nameOrigin", .string(head.nameOrigin.rawValue))
      output.append(",\n")
      output.appendJSONLines("sources", [.source(head.source, files: tail.files)])
      output.append(",\n")
      output.appendJSONLines("tables", members.filter { $0.part == nil }.map(\.json))
      for member in members {
        guard let part = member.part else { continue }
        output.append(",\n")
        output.appendJSON(part.rawValue, member.json)
      }
      output.append(",\n")
      try output.appendJSONLines(tail.findings, to: take)
      output.append(",\n")
      output.appendJSON("hash", .string(tail.hash.hexadecimal))
      output.append("}\n")
      try output.lendAll(to: take)
    }
  }
}

extension BundleMember {
  fileprivate var json: JSONValue {
    var value = JSONObject()
    value["name"] = .string(table.name)
    if part == nil {
      value["sourceName"] = .string(table.sourceName)
      value["sourceTable"] = .string(table.sourceTable)
    }
    value["file"] = .string(file.name)
    value["bytes"] = .count(file.bytes)
    value["sha256"] = .string(file.sha256)
    value["count"] = .count(seal.rows)
    value["hash"] = .optional(seal.hash?.hexadecimal)
    value["columns"] = .array(table.columns.map(JSONValue.column))
    return .object(value)
  }
}

extension BundleWriter {
  /// A file of a bundle that is being written, counted and hashed.
  struct MemberFile: ~Copyable, ByteSink {
    private var file: OutputFile
    private var hash = SHA256()
    private var size = 0
    private let name: String
    /// What errors call the file.
    private let shownPath: String

    /// Creates the file at `path`; `name` is what the manifest of `destination` calls it.
    init(creating path: String, name: String, destination: String) throws(StoreError) {
      shownPath = Paths.join(destination, name)
      file = try storeErrors(path: shownPath) { () throws(FileError) in
        try OutputFile(creating: path, isDurable: true)
      }
      self.name = name
    }

    mutating func write(_ bytes: [UInt8]) throws(StoreError) {
      hash.update(bytes.span)
      size += bytes.count
      do {
        try file.write(bytes.span)
      } catch {
        throw StoreError(error, path: shownPath)
      }
    }

    /// Closes the file.
    ///
    /// - Returns: its name, size and hash.
    consuming func close() throws(StoreError) -> SourceFile {
      do {
        try file.close()
      } catch {
        throw StoreError(error, path: shownPath)
      }
      return SourceFile(name: name, bytes: size, sha256: hash.finish().hexadecimal)
    }
  }
}

/// Gives each table of a bundle a file name that every system takes, whatever the table's name.
///
/// A name of ASCII letters, digits, `_` and `-` stays as it is. Any other, one that a system
/// reserves, and one that differs from an earlier one only in case, becomes its harmless letters
/// and 16 digits of its SHA-256 hash. The manifest tells which file belongs to which table.
package struct MemberNames: Sendable {
  private var taken: Set<String> = []

  /// How long a name may be before it is shortened.
  private static let longest = 64

  /// No name is taken but those that every bundle uses itself.
  package init() {
    taken = ["manifest", "operations", "errors", "tokens", "rejects"]
  }

  /// The file name for a table, or for a part that most bundles lack, without its ending.
  package mutating func claim(_ table: String) -> String {
    if Self.isHarmless(table), taken.insert(table.lowercased()).inserted { return table }
    let stem = Self.harmlessPart(of: table) + "-" + Self.hash(of: table)
    var name = stem
    var number = 2
    // Only a table that is named like another one's hash can come here twice.
    while !taken.insert(name.lowercased()).inserted {
      name = "\(stem)-\(number)"
      number += 1
    }
    return name
  }

  private static func isHarmless(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "-"), name.utf8.count <= longest
    else { return false }
    return name.utf8.allSatisfy(isHarmless) && !isReserved(name)
  }

  private static func isHarmless(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      return true
    default:
      return false
    }
  }

  /// Whether Windows takes the name for a device, whatever its ending.
  private static func isReserved(_ name: String) -> Bool {
    let name = name.uppercased()
    if ["CON", "PRN", "AUX", "NUL"].contains(name) { return true }
    return (name.hasPrefix("COM") || name.hasPrefix("LPT")) && name.utf8.count == 4
      && name.utf8.last.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } == true
  }

  private static func harmlessPart(of name: String) -> String {
    let bytes = name.utf8.prefix(longest / 2).filter(isHarmless).drop { $0 == UInt8(ascii: "-") }
    return bytes.isEmpty ? "table" : String(decoding: bytes, as: UTF8.self)
  }

  private static func hash(of name: String) -> String {
    let bytes = Array(name.utf8)
    var hash = SHA256()
    hash.update(bytes.span)
    return String(hash.finish().hexadecimal.prefix(16))
  }
}
