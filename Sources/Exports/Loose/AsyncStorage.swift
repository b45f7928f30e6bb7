import Bytes
import Records

/// The store of React Native for short texts, which SDKs use where they have no database.
enum AsyncStorage {
  /// What keys of SDKs begin with.
  private static let marks = ["@AmplifyDatastore", "Parse_LDS_", "parsePin_"].map { Array($0.utf8) }

  /// What to say of a JSON file that is such a manifest; nil for others.
  ///
  /// It is one flat object, which would pass as a row.
  static func refusal(ofManifestAt path: String) -> StoreError? {
    // What cannot be read is told by whoever looks next.
    guard Paths.isPlainFile(path), let start = try? readPrefix(of: path, count: 1 << 16),
      start.first == UInt8(ascii: "{"), hasMark(start)
    else { return nil }
    return StoreError(
      .notAStore, path: path,
      "this is the manifest of React Native's AsyncStorage, and not a database",
      hint: "longer values are in files beside it; let the app export its data, or look for the "
        + "SQLite file of the SDK's adapter")
  }

  /// Whether a key begins with a mark: a quote that no escape stands before.
  private static func hasMark(_ text: [UInt8]) -> Bool {
    text.indices.dropFirst().contains { place in
      let before = text[place - 1]
      guard text[place] == UInt8(ascii: "\""),
        before == UInt8(ascii: "{") || before == UInt8(ascii: ",")
      else { return false }
      return marks.contains { text[(place + 1)...].starts(with: $0) }
    }
  }
}
