import Bytes
package import Records

/// What lies around a store: on the disk, or in the container that it is in.
package struct Surroundings {
  let path: String
  /// The names of the files in a folder; at least those of commands that wait.
  let fileNames: (_ folder: String) -> [String]
  let isThere: (_ path: String) -> Bool

  /// What the disk has around a file.
  init(ofFileAt path: String) {
    self.path = path
    isThere = Paths.exists
    fileNames = { folder in
      guard Paths.isPlainFolder(folder) else { return [] }
      // A folder that cannot be listed tells of no commands.
      return (try? Bytes.fileNames(inFolder: folder, limit: 100_000)) ?? []
    }
  }

  /// What a person should know of what the disk has around a file with a layout.
  package static func finding(aroundFileAt path: String, of layout: Layout) -> Finding? {
    // Around others nothing matters, so that it need not be looked at.
    guard [.parseLocalDatastore, .couchbaseLite].contains(layout) else { return nil }
    return Surroundings(ofFileAt: path).findings[layout]
  }

  /// What a container has around a file, whose path in it begins with a slash as all others do.
  package init(
    path: String, fileNames: @escaping (_ folder: String) -> [String],
    isThere: @escaping (_ path: String) -> Bool
  ) {
    self.path = path
    self.fileNames = fileNames
    self.isThere = isThere
  }

  /// What a person should know of them, by the layout that the store must turn out to have.
  package var findings: [Layout: Finding] {
    var findings: [Layout: Finding] = [:]
    findings[.parseLocalDatastore] = ParseLocalDatastore.finding(on: self)
    findings[.couchbaseLite] = CouchbaseLite.finding(on: self)
    return findings
  }
}
