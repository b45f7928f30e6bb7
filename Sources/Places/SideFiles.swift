import Bytes

/// Which files of a container belong to a store, by their names.
struct SideFiles {
  /// What stands behind the name of a database in those of its side files.
  static let endings = ["-wal", "-journal", "-shm"]

  private var byPath: [String: ContainedFile] = [:]
  private var external: [String: [ContainedFile]] = [:]
  private var byFolder: [String: [ContainedFile]] = [:]

  /// Looks through the files of a container.
  init(_ files: [ContainedFile]) {
    let bundles = Set(files.lazy.filter(\.isBundleManifest).map { Self.folder(of: $0.path) })
    for file in files {
      let folder = Self.folder(of: file.path)
      if bundles.contains(folder) { byFolder[folder, default: []].append(file) }
      guard case .counted = file.kind else { continue }
      byPath[file.path] = file
      if folder.hasSuffix("_SUPPORT/_EXTERNAL_DATA") { external[folder, default: []].append(file) }
    }
  }

  /// The files that belong to a store, with the names that they get beside a copy called `store`.
  func belonging(to file: ContainedFile) -> [(file: ContainedFile, name: String)] {
    var found: [(ContainedFile, String)] = []
    for ending in Self.endings {
      if let side = byPath[file.path + ending] { found.append((side, "store" + ending)) }
    }
    let name = Self.name(of: file.path)
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
    let folder = Self.join(Self.folder(of: file.path), ".\(stem)_SUPPORT/_EXTERNAL_DATA")
    for data in external[folder] ?? [] {
      found.append((data, ".store_SUPPORT/_EXTERNAL_DATA/\(Self.name(of: data.path))"))
    }
    return found
  }

  /// The files of a bundle whose description a file is.
  func bundle(of file: ContainedFile) -> [ContainedFile] {
    byFolder[Self.folder(of: file.path)] ?? []
  }

  /// Whether a file is one of those that are found through a store.
  static func mayBelongToStore(_ path: String) -> Bool {
    endings.contains(where: path.hasSuffix) || folder(of: path).hasSuffix("_SUPPORT/_EXTERNAL_DATA")
  }

  /// The last part of a path inside a container.
  static func name(of path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] }
      ?? path[...]
  }

  /// What stands before the last part, without the slash.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder + "/" + name
  }
}

extension ContainedFile {
  /// Whether it describes a bundle of ours, whose other files lie beside it.
  var isBundleManifest: Bool {
    kind == .document && SideFiles.name(of: path) == "manifest.json"
  }
}
