import Bytes
import Opening

/// Which files of a folder belong to the bundle in it.
package struct BundleFiles {
  /// The name of the file that describes a bundle.
  package static let manifest = "manifest.json"

  /// The names that its manifest lists; nil where nobody can read it.
  private let names: Set<ExactText>?

  /// The files that the manifest at a path lists; nil where it cannot even be copied.
  init(manifest path: String?) {
    names = path.flatMap(StoreOpening.files(ofManifest:)).map { Set($0.map { ExactText($0) }) }
  }

  /// Whether the files are there that every bundle has beside its description and its tables.
  static func areThere(_ isThere: (String) -> Bool) -> Bool {
    ["csv", "json", "ndjson", "xml"].contains { ending in
      ["operations", "errors", "tokens"].allSatisfy { isThere("\($0).\(ending)") }
    }
  }

  /// Whether a file of a name may be the bundle's; without a manifest any may.
  func mayContain(_ name: String) -> Bool { names?.contains(ExactText(name)) ?? true }

  /// Whether a file is the bundle's; without a manifest, whether it may be no store of its own.
  func contains(_ file: ContainedFile) -> Bool {
    if let names { return names.contains(ExactText(String(SideFiles.name(of: file.path)))) }
    switch file.kind {
    case .document, .counted, .unknown: return true
    default: return false
    }
  }
}

extension ContainedFile {
  /// Whether it describes a bundle of ours, whose other files lie beside it.
  var isBundleManifest: Bool {
    kind == .document && SideFiles.name(of: path) == BundleFiles.manifest
  }
}
