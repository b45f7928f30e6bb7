import Bytes
package import Records
import SQLite

extension SourceDatabase {
  /// The facts that describe the files to a person.
  package var fileFacts: [SourceDescription.Fact] {
    [encodingFact, logFact].compactMap(\.self)
  }

  /// How the bytes of a text that is not valid are to be understood; nil where that is UTF-8.
  private var encodingFact: SourceDescription.Fact? {
    let encoding = connection.encoding
    return encoding == .utf8 ? nil : .init("textEncoding", encoding.pragma)
  }

  /// What the log holds, of which a checkpoint may have put some into the file.
  private var logFact: SourceDescription.Fact? {
    guard let wal, wal.transactions > 0 else { return nil }
    return .init(
      "writeAheadLog",
      wal.transactions.counting("change", "changes") + " to "
        + wal.committedPages.counting("page", "pages"))
  }
}
