package import Bytes
package import Records
import SQLite

/// A store whose files lie on the disk, for as long as the value is kept.
package struct StoreOnDisk: Sendable {
  /// Where it is.
  package let path: String
  /// Where its bytes are: what comes through a pipe is read but once, into a copy.
  package let readPath: String
  /// The folder of its copy; nil where it is the original.
  private let folder: PrivateFolder?
  /// What its container does not have, or nobody reads.
  package let findings: [Finding]
  /// What the store's file is called, where the one on the disk has another name.
  package let fileName: String?

  init(
    path: String, copy: String? = nil, folder: PrivateFolder? = nil, findings: [Finding] = [],
    fileName: String? = nil
  ) {
    self.path = path
    readPath = copy ?? path
    self.folder = folder
    self.fileName = fileName
    self.findings = findings
  }

  /// The folder of the copy, which means nothing to a person; nil where it is the original.
  package var hiddenFolder: String? { folder?.path }

  /// Lets a copy stay on the disk when the value ends.
  package func keepCopy() { folder?.keep() }

  /// The SHA-256 of the store: of its file where it is but one, else of a list of its files, each
  /// with its hash and what its name has behind that of the store.
  package func hash() throws(FileError) -> String {
    let files = try parts()
    if files.count == 1 { return try sha256(ofFileAt: files[0].path).digest.hexadecimal }
    var list = SHA256()
    for file in files {
      let digest = try sha256(ofFileAt: file.path).digest.hexadecimal
      list.update(Array("\(digest)  \(file.name)\n".utf8).span)
    }
    return list.finish().hexadecimal
  }

  /// The folders in which a store at a path may keep more than its file, whether or not they are
  /// there.
  package static func folders(ofStoreAt path: String) -> [String] {
    let real = SourceFiles.realPath(of: path)
    let name = Paths.fileName(of: real)
    let beside =
      [SideFiles.externalFolder(beside: name), SideFiles.attachmentFolder, SideFiles.localIDFolder]
      + SideFiles.attachmentFolders(beside: name)
    return [real] + beside.map { Paths.join(Paths.folder(of: real), $0) }
  }

  /// The files that make up what the store says, in the order of their names.
  private func parts() throws(FileError) -> [(path: String, name: String)] {
    let real = SourceFiles.realPath(of: readPath)
    if Paths.isDirectory(readPath) { return try partsOfFolder(real) }
    var parts = [(readPath, "")]
    if SideFiles.isCommand(readPath) {
      parts += try localIDs(besideCommandsIn: Paths.folder(of: real))
    }
    // The file of shared memory says nothing, and neither does one without content, or what a link
    // leads to, which is not read.
    for ending in ["-journal", "-wal"] where Paths.isPlainFile(real + ending) {
      let file = try PositionedFile(opening: real + ending, followingLinks: false)
      guard file.size > 0 else { continue }
      parts.append((real + ending, ending))
    }
    let (folder, name) = (Paths.folder(of: real), Paths.fileName(of: real))
    let external = SideFiles.externalFolder(beside: name)
    if Paths.isPlainFolder(external, below: folder) {
      parts += try files(in: Paths.join(folder, external))
    }
    for attachments in SideFiles.attachmentFolders(beside: name) + [SideFiles.attachmentFolder]
    where Paths.isPlainFolder(attachments, below: folder) {
      parts += try files(in: Paths.join(folder, attachments))
        .filter { SideFiles.isAttachment($0.path) }
    }
    return parts
  }

  /// The files of a folder that is a store as a whole; what else lies in it says nothing.
  private func partsOfFolder(
    _ folder: String
  ) throws(FileError) -> [(path: String, name: String)] {
    let files = try files(in: folder)
    let commands = files.filter { SideFiles.isCommand($0.name) }
    guard commands.isEmpty else { return commands + (try localIDs(besideCommandsIn: folder)) }
    let bundle = BundleFiles(manifest: Paths.join(folder, BundleFiles.manifest))
    return files.filter { bundle.mayContain($0.name) }
  }

  /// What the server has called the objects that commands in a folder speak of.
  private func localIDs(
    besideCommandsIn folder: String
  ) throws(FileError) -> [(path: String, name: String)] {
    let around = Paths.folder(of: folder)
    guard Paths.isPlainFolder(SideFiles.localIDFolder, below: around) else { return [] }
    return try files(in: Paths.join(around, SideFiles.localIDFolder)).filter {
      SideFiles.isLocalID($0.path)
    }
    .map { ($0.path, Paths.join(SideFiles.localIDFolder, $0.name)) }
  }

  private func files(in folder: String) throws(FileError) -> [(path: String, name: String)] {
    try fileNames(inFolder: folder, limit: 10_000_000)
      .map { (Paths.join(folder, $0), $0) }.filter { Paths.kind(of: $0.0) == .file }
  }
}
