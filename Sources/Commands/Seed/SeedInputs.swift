import Bytes
import CommandLineKit
import Records

/// The inputs of a seed, opened; together they may have each table once.
struct SeedInputs {
  let readers: [any StoreReader]

  /// Opens all inputs.
  ///
  /// - Throws: `StoreError` when one cannot be read, or two have the same table or both a queue.
  init(_ settings: RunSettings) throws(StoreError) {
    var readers: [any StoreReader] = []
    var owners: [[UInt8]: String] = [:]
    var queueOwner: String?
    let corrections = try SeedCorrections(settings)
    let paths = settings.arguments.positionals("INPUT").map(\.text)
    for path in paths {
      let reader = try settings.openStore(
        path, corrections: corrections.fitting(path, settings),
        corrected: try Self.corrected(path, among: paths.count, settings))
      for table in reader.catalogue.tables {
        if let other = owners.updateValue(path, forKey: Self.folded(table.name)) {
          throw StoreError(
            .usage, path: path, "the table \(table.name) comes from \(other), too",
            hint: "rename one: --rename \(table.name)=NAME, or give the file another name")
        }
      }
      // A queue that is alone meets no other, and need not be read twice.
      if paths.count > 1, try reader.readQueue().operations.count > 0 {
        if let queueOwner {
          throw StoreError(
            .usage, path: path, "it has pending operations, and so has \(queueOwner)",
            hint: "seed one store from each")
        }
        queueOwner = path
      }
      readers.append(reader)
    }
    self.readers = readers
  }

  /// The file of corrected rows for an input, where there is one.
  private static func corrected(
    _ path: String, among inputs: Int, _ settings: RunSettings
  ) throws(StoreError) -> String? {
    guard let corrected = settings.arguments.value("corrected")?.text else { return nil }
    if Paths.isDirectory(corrected) {
      let file = try Paths.join(
        corrected, SeedRejects.fileName(forInput: settings.file(for: path)))
      return Paths.exists(file) ? file : nil
    }
    guard inputs == 1 else {
      throw StoreError(
        .usage, path: corrected, "with several inputs, --corrected takes a folder",
        hint: "give the folder that --rejects wrote to")
    }
    return corrected
  }

  /// The name as SQLite compares it: ASCII letters in lower case, all others as they are.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }
}
