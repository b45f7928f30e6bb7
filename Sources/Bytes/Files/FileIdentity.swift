import Glibc

/// Which file a path leads to, whatever the path is: two names of one file have one identity.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt

  /// Follows the path, symbolic links included; nil when it leads nowhere.
  package init?(of path: String) {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }

  /// The folders around what a path names, from the inside out, as they lie on the disk.
  package static func folders(around path: String) -> [FileIdentity] {
    var folder = Paths.folder(of: path)
    var found: [FileIdentity] = []
    // The root is its own parent.
    while let identity = FileIdentity(of: folder), found.last != identity {
      found.append(identity)
      folder = Paths.join(folder, "..")
    }
    return found
  }
}

/// Which file a path leads to and in what state, to see later whether it is still the same.
package struct FileStamp: Equatable, Sendable {
  private let device: UInt
  private let inode: UInt
  /// How many bytes the file has.
  package let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Looks at the file; nil when there is none.
  package init?(of path: String) {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
