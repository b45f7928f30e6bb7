import Foundation
import SQLite

/// The stores of all samples as they are on the disk, for inputs that change a few places of one.
struct SampleStores: Sendable {
  /// One store: the bytes of its main file, and those of its log, if it has one.
  struct Store: Sendable {
    let main: [UInt8]
    let log: [UInt8]
    /// Its tables with their columns.
    let tables: [Table]
  }

  /// A table and its columns, those of the schema itself left out.
  struct Table: Sendable {
    let name: String
    let columns: [String]
  }

  let stores: [Store]

  /// Reads the samples below a folder, in the order of their names.
  init(below folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    stores = names.sorted().compactMap { Self.store(in: folder + "/" + $0) }
    precondition(!stores.isEmpty, "REHOME_SAMPLES must name the samples")
  }

  private static func store(in folder: String) -> Store? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let read = { (name: String) in
      [UInt8](FileManager.default.contents(atPath: folder + "/" + name) ?? Data())
    }
    guard
      let name = names.first(where: { read($0).starts(with: Array("SQLite format 3".utf8)) })
    else { return nil }
    let (main, log) = (read(name), read(name + "-wal"))
    // A folder of its own for the look at the tables, which changes the files.
    let path = ScratchFile.shared.write(main, to: "look")
    ScratchFile.shared.write(log, to: "look-wal")
    let tables = try? tables(of: Connection(opening: path, mode: .readWrite))
    return Store(main: main, log: log, tables: tables ?? [])
  }

  private static func tables(of connection: borrowing Connection) throws -> [Table] {
    try connection.tables().map { Table(name: $0.name, columns: $0.columns.map(\.name)) }
  }

  /// The store that a byte stands for.
  func store(_ byte: UInt8) -> Store { stores[Int(byte) % stores.count] }
}

/// Takes an input apart, from its front; behind its end everything is zero.
struct InputBytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func number() -> Int { Int(byte()) << 8 | Int(byte()) }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
