import Bytes
import Glibc
import Synchronization

/// A folder of our own that only the owner can enter, removed with its files when the value ends.
final class PrivateFolder: Sendable {
  /// Where it is.
  let path: String
  private let contents: Mutex<Contents>

  /// What is in the folder, and what a signal would remove.
  private struct Contents {
    var files: [String] = []
    var folders: [String]
    var tokens: [TemporaryPaths.Token]
  }

  /// Makes a folder below `parent`.
  init(in parent: String) throws(PlaceFailure) {
    do {
      path = try makePrivateFolder(in: parent)
    } catch {
      throw PlaceFailure(
        .unreadable, error.description,
        hint: "set TMPDIR to a folder that can be written and has room")
    }
    contents = Mutex(Contents(folders: [path], tokens: [TemporaryPaths.register(path)]))
  }

  deinit {
    contents.withLock { contents in
      for file in contents.files { unsafe _ = unlink(file) }
      for folder in contents.folders.reversed() { unsafe _ = rmdir(folder) }
      for token in contents.tokens { TemporaryPaths.unregister(token) }
    }
  }

  /// Lets the folder stay with all that is in it when the value ends.
  func keep() {
    contents.withLock { contents in
      for token in contents.tokens { TemporaryPaths.unregister(token) }
      contents = Contents(folders: [], tokens: [])
    }
  }

  /// The path of a new file with a name of ours, in folders of ours.
  func newFile(_ name: String) throws(PlaceFailure) -> String {
    let parts = name.split(separator: "/")
    let file = contents.withLock { contents -> String? in
      var folder = path
      for part in parts.dropLast() {
        folder = Paths.join(folder, String(part))
        guard !contents.folders.contains(folder) else { continue }
        guard unsafe mkdir(folder, 0o700) == 0 else { return nil }
        contents.folders.append(folder)
        contents.tokens.append(TemporaryPaths.register(folder))
      }
      let file = Paths.join(folder, parts.last.map(String.init) ?? "file")
      contents.files.append(file)
      contents.tokens.append(TemporaryPaths.register(file))
      return file
    }
    guard let file else {
      throw PlaceFailure(.unreadable, "no folder for copies can be made in \(path)")
    }
    return file
  }
}

/// How much of the disk the copies of a run may take.
final class CopyBudget {
  private var left: Int

  /// Three quarters of what is free in a folder.
  init(forCopiesIn folder: String) {
    var status = statvfs()
    // The call fills the structure it is given, or fails.
    guard unsafe statvfs(folder, &status) == 0 else {
      left = .max
      return
    }
    let free = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
    left = free.overflow ? .max : Int(clamping: free.partialValue / 4 * 3)
  }

  /// Takes a part of it.
  func take(_ count: Int) throws(PlaceFailure) {
    left -= count
    guard left >= 0 else {
      throw PlaceFailure(
        .limit, "the copies take more than three quarters of the free disk",
        hint: "set TMPDIR to a folder with more room")
    }
  }

  /// Gives back what copies took that are gone.
  func giveBack(_ count: Int) { left += count }
}
