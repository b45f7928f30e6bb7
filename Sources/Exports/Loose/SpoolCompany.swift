import Bytes
import Synchronization

/// All spools that may do without their file and are there at once: each has an open file, of which a
/// process may not have very many, and together they leave most of the room that there is.
final class SpoolCompany: Sendable {
  private struct Taken {
    var files = 0
    var bytes = 0
  }

  /// Those of this process.
  static let all = SpoolCompany()

  private let mostFiles: Int
  /// How many bytes all may take; nil for a part of the room that there is.
  private let mostBytes: Int?
  private let taken = Mutex(Taken())

  /// Has no spools yet.
  init(files: Int = 64, bytes: Int? = nil) {
    mostFiles = files
    mostBytes = bytes
  }

  /// Counts one more; false where it may have no file.
  func join() -> Bool {
    taken.withLock { taken in
      guard taken.files < mostFiles else { return false }
      taken.files += 1
      return true
    }
  }

  /// Counts bytes that one of them is about to set aside; false where there is no room for them.
  func take(_ bytes: Int) -> Bool {
    taken.withLock { taken in
      // What is taken was free before.
      let most = mostBytes ?? SpoolFile.freeBytes / 4 + taken.bytes / 4
      guard taken.bytes + bytes <= most else { return false }
      taken.bytes += bytes
      return true
    }
  }

  /// Gives back what one of them has taken.
  func leave(_ bytes: Int) {
    taken.withLock { taken in
      taken.files -= 1
      taken.bytes -= bytes
    }
  }
}
