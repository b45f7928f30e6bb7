import Foundation
import Testing
import XMLFormat

/// One file of a corpus folder; adding a file adds a test.
struct Fixture: CustomTestStringConvertible, Sendable {
  let path: String

  var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }
  var testDescription: String { name }

  func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// What the prefix of a rejected file's name says about the error.
  var expectedCode: XMLError.Code {
    let prefix = name.prefix { $0 != "-" }
    return XMLError.Code(rawValue: String(prefix)) ?? .notWellFormed
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
