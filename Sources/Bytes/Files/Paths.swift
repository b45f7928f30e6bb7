import Glibc

/// Takes paths apart and puts them together, byte by byte, and asks what is there.
package enum Paths {
  /// The last part of a path, without slashes at its end; empty for the root.
  package static func fileName(of path: String) -> String {
    let bytes = trimmed(path)
    guard let slash = bytes.lastIndex(of: slash) else { return String(Substring(bytes)) }
    return String(Substring(bytes[bytes.index(after: slash)...]))
  }

  /// The folder that holds what the path names; `.` when the path is a mere name.
  package static func folder(of path: String) -> String {
    let bytes = trimmed(path)
    guard let slash = bytes.lastIndex(of: slash) else {
      return bytes.isEmpty && !path.isEmpty ? "/" : "."
    }
    let folder = trimmed(String(Substring(bytes[..<slash])))
    return folder.isEmpty ? "/" : String(Substring(folder))
  }

  /// The names of a path, without the slashes between them.
  package static func parts(of path: some StringProtocol) -> [Substring] {
    Substring(path).utf8.split(separator: slash).map { Substring($0) }
  }

  /// The path of a name inside a folder.
  ///
  /// The name always ends up inside: it is added even if it starts with a slash.
  package static func join(_ folder: String, _ name: String) -> String {
    if folder.isEmpty || folder.utf8.last == slash { return folder + name }
    return folder + "/" + name
  }

  /// Whether the name is taken, be it only by a symbolic link that leads nowhere.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    // The call fills the structure it is given, or fails.
    return unsafe lstat(path, &status) == 0
  }

  /// Whether the path leads, symbolic links followed, to anything but an empty file.
  package static func leadsToContent(_ path: String) -> Bool {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_size > 0
  }

  /// Whether a plain file stands at the path itself: no link, no device, no pipe.
  package static func isPlainFile(_ path: String) -> Bool { kind(of: path) == .file }

  /// Whether a folder stands at the path itself, and not a link to one.
  package static func isPlainFolder(_ path: String) -> Bool { kind(of: path) == .folder }

  /// Whether a folder stands below another, and no part of the way there is a link.
  package static func isPlainFolder(_ name: String, below folder: String) -> Bool {
    var path = folder
    return parts(of: name).allSatisfy { part in
      path = join(path, String(part))
      return isPlainFolder(path)
    }
  }

  /// What can stand at a path.
  package enum Kind: Sendable {
    case file
    case folder
    case link
    /// A device, a pipe or a socket.
    case special
  }

  /// What stands at the path itself; nil where nothing does.
  package static func kind(of path: String) -> Kind? { (try? entry(at: path)) ?? nil }

  /// The same.
  ///
  /// - Throws: `FileError` where nobody may look.
  package static func entry(at path: String) throws(FileError) -> Kind? {
    try entry(at: systemPath(path), shown: path)
  }

  static func entry(at path: SystemPath, shown: String) throws(FileError) -> Kind? {
    var status = stat()
    // The array ends with a zero, and the call fills the structure it is given, or fails.
    guard unsafe lstat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileError(operation: "look at", path: shown, errno: errno)
    }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .special
    }
  }

  /// Whether the path leads to a folder, symbolic links followed.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    // The call fills the structure it is given, or fails.
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The system's number for why a path does not lead to a folder; 0 where it does.
  static func obstacle(ofFolder path: String) -> Int32 {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe stat(path, &status) == 0 else { return errno }
    return status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
  }

  /// Whether others than the owner may read the file that the path leads to.
  package static func isReadableByOthers(_ path: String) -> Bool {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && status.st_mode & (S_IRGRP | S_IROTH) != 0
  }

  /// Whether the name is that of a symbolic link.
  package static func isSymbolicLink(_ path: String) -> Bool {
    var status = stat()
    // The call fills the structure it is given, or fails.
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether the path leads to a device, a pipe or a socket, symbolic links followed.
  package static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe stat(path, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    return kind != S_IFREG && kind != S_IFDIR
  }

  /// Whether the path leads by its links through the names that the system gives to open files, as
  /// `/dev/stdout` does.
  package static func isOpenFile(_ path: String) -> Bool {
    var path = path
    // The system follows no more links than that either.
    for _ in 0..<40 {
      let folder = resolved(folder(of: path)) ?? ""
      if folder == "/proc" || folder.hasPrefix("/proc/") { return true }
      guard let target = target(ofLink: path) else { return false }
      path = target.utf8.first == slash ? target : join(self.folder(of: path), target)
    }
    return false
  }

  /// The path without links and dots; nil where nothing stands there.
  package static func resolved(_ path: String) -> String? {
    // The system's memory is ours to free, and ends with a zero.
    guard let text = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }

  /// What a symbolic link says; nil where none stands at the path.
  private static func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    // The call writes no more bytes than the array has, and says how many.
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static let slash = UInt8(ascii: "/")

  /// The path without the slashes at its end.
  private static func trimmed(_ path: String) -> Substring.UTF8View {
    var bytes = path[...].utf8
    while bytes.last == slash { bytes.removeLast() }
    return bytes
  }
}
