import Formats
import Foundation
import Testing

/// One file of a corpus folder; adding a file adds a test.
struct Fixture: CustomTestStringConvertible, Sendable {
  let path: String

  var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }
  var testDescription: String { name }

  func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// The JSON that is expected, from the file of the same name.
  func expectedJSON() throws -> JSONValue {
    let file = URL(filePath: path).deletingPathExtension().appendingPathExtension("json")
    return try parse([UInt8](Data(contentsOf: file)))
  }

  /// What the prefix of a rejected file's name says about the error.
  var expectedCode: FormatError.Code {
    for (prefix, code) in prefixes where name.hasPrefix(prefix) { return code }
    return .invalid
  }

  /// The files of a folder in `Fixtures`, sorted; a missing folder gives none, which a test sees.
  static func all(in folder: String, extension suffix: String) -> [Fixture] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let path = root.appending(path: "Fixtures/" + folder).path
    // No folder means no fixtures; `CorpusTests` fails then.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix("." + suffix) }.sorted().map {
      Fixture(path: path + "/" + $0)
    }
  }
}

private let prefixes: [(String, FormatError.Code)] = [
  ("truncated-", .truncated), ("limit-", .limit), ("unsupported-", .unsupported),
]
