import Glibc
import TestSupport
import Testing

@testable import Bytes

/// Each test has a process of its own, because `removeAll` removes what other tests registered.
struct TemporaryPathsTests {
  @Test func signalRemovesWhatIsStaged() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      TemporaryPaths.prepare()
      let file = try StagedFile(for: folder.path("file"), replacing: false)
      var directory = try StagedDirectory(for: folder.path("folder"), replacing: false)
      for name in ["a", "b"] {
        try OutputFile(creating: directory.path(forFile: name)).close()
      }
      try folder.write("mine", to: "mine")
      signal(SIGTERM) { _ in TemporaryPaths.removeAll() }
      // Test threads block signals.
      var signals = sigset_t()
      unsafe sigaddset(&signals, SIGTERM)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(SIGTERM)
      let left = folder.names
      try #require(left == ["mine"])
      let path = file.temporaryPath
      try #require(!Paths.exists(path))
    }
  }

  @Test func folderWhoseFilesASignalRemovedIsNotPublished() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let error = #expect(throws: FileError.self) {
        var directory = try StagedDirectory(for: folder.path("folder"), replacing: false)
        try OutputFile(creating: directory.path(forFile: "a")).close()
        // One that the table does not know, so that the folder itself survives.
        try OutputFile(creating: Paths.join(directory.temporaryPath, "b")).close()
        TemporaryPaths.removeAll()
        try directory.publish()
      }
      try #require(error?.errno == EINTR)
      try #require(folder.names.isEmpty)
    }
  }

  @Test func nestedFoldersGoFromTheInsideOut() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      var path = folder.path("0")
      for level in 1...5 {
        unsafe mkdir(path, 0o700)
        _ = TemporaryPaths.register(path)
        path += "/\(level)"
      }
      TemporaryPaths.removeAll()
      try #require(folder.names.isEmpty)
    }
  }

  @Test func unregisteredPathsStay() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let kept = TemporaryPaths.register(try folder.write("", to: "kept"))
      let removed = TemporaryPaths.register(try folder.write("", to: "removed"))
      try #require(TemporaryPaths.unregister(kept))
      TemporaryPaths.removeAll()
      try #require(!TemporaryPaths.unregister(removed))
      try #require(folder.names == ["kept"])
    }
  }

  @Test func fullTableLeavesPathsOutWithoutHarm() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let tokens = (0..<5000).map { TemporaryPaths.register("/nowhere/\($0)") }
      let extra = TemporaryPaths.register(try folder.write("", to: "extra"))
      TemporaryPaths.removeAll()
      try #require(folder.names == ["extra"])
      try #require(TemporaryPaths.unregister(extra))
      let found = tokens.filter { TemporaryPaths.unregister($0) }
      try #require(found.count == 5000 - 4096)
    }
  }
}
