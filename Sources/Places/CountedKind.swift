import Bytes

/// What is only counted in a place, as a person calls it.
package struct CountedKind: Hashable, Sendable {
  private let one: String
  private let many: String

  init(_ one: String, _ many: String) { (self.one, self.many) = (one, many) }

  /// What so many of them are called.
  package func name(for count: Int) -> String { count == 1 ? one : many }

  static let emptyFile = CountedKind("empty file", "empty files")
  static let image = CountedKind("image", "images")
  static let propertyList = CountedKind("property list", "property lists")
  static let jsonFile = CountedKind("file of JSON", "files of JSON")
  static let xmlFile = CountedKind("file of XML", "files of XML")
  static let csvFile = CountedKind("file of CSV", "files of CSV")
  static let macOSFile = CountedKind("file of macOS", "files of macOS")
  static let otherFile = CountedKind("other file", "other files")
  static let sideFile = CountedKind("side file of a database", "side files of databases")
  static let backupRecords = CountedKind("list of a backup's files", "lists of backups' files")
  static let attachment = CountedKind(
    "attachment of Couchbase Lite", "attachments of Couchbase Lite")
  static let appPackage = CountedKind("Android app", "Android apps")
  static let officeDocument = CountedKind(
    "document of an office program", "documents of office programs")
  static let link = CountedKind("link", "links")
  static let specialFile = CountedKind("special file", "special files")
  static let keyValueRecord = CountedKind(
    "file of key-value records", "files of key-value records")
  static let unknownMember = CountedKind("member of an unknown type", "members of unknown types")
  static let replacedFile = CountedKind(
    "file that a later one replaces", "files that later ones replace")
  static let numberlessFile = CountedKind(
    "file without a proper number", "files without a proper number")
  static let missingFile = CountedKind(
    "file that is listed but missing", "files that are listed but missing")
  static let unlistedFile = CountedKind(
    "file that its backup's list does not name", "files that their backups' lists do not name")
  static let unnamedFile = CountedKind(
    "file whose name is no UTF-8", "files whose names are no UTF-8")

  /// The databases of an engine.
  static func database(of engine: String) -> CountedKind {
    CountedKind("database of \(engine)", "databases of \(engine)")
  }
}

extension [CountedKind: Int] {
  /// How many there are of each kind, in words.
  package var words: String {
    map { (name: $0.name(for: $1), count: $1) }.sorted { $0.name < $1.name }
      .map { "\($0.count.grouped) \($0.name)" }.joined(separator: ", ")
  }
}
