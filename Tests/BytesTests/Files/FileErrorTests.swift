import Glibc
import Testing

@testable import Bytes

struct FileErrorTests {
  @Test(arguments: [
    (ENOENT, FileError.Code.missing), (ENOTDIR, .missing), (EACCES, .notPermitted),
    (EPERM, .notPermitted), (EEXIST, .exists), (ENOTEMPTY, .exists), (ENOSPC, .noSpace),
    (EDQUOT, .noSpace), (EISDIR, .isDirectory), (EROFS, .readOnly), (EPIPE, .brokenPipe),
    (EIO, .other),
  ])
  func systemNumbersHaveTheirKind(_ number: Int32, _ code: FileError.Code) {
    #expect(FileError(operation: "read", path: "x", errno: number).code == code)
  }

  @Test(arguments: [(ENOENT, "make the folder first"), (ENOTDIR, "a file stands where the path")])
  func hintForAnOutputFitsWhatIsInTheWay(_ number: Int32, _ words: String) {
    let error = FileError(operation: "create", path: "x/y", errno: number)
    #expect(error.hint?.contains(words) == true)
  }

  @Test(arguments: [
    ("x", "is a directory"), ("x/", "its name ends in a slash, as only those of folders do"),
  ])
  func folderInPlaceOfAnOutputIsTold(_ path: String, _ words: String) {
    let error = FileError(operation: "create", path: path, errno: EISDIR)
    #expect(error.reason == words && error.hint == "give the name of a file")
    #expect(FileError(operation: "read", path: path, errno: EISDIR).hint == nil)
  }

  @Test(arguments: [
    (ENOSPC, "cannot write /x/y: no space left on device"),
    (EIO, "cannot write /x/y: input/output error"),
    (EBADF, "cannot write /x/y: it is closed"),
    (Int32(99_999), "cannot write /x/y: error 99999"),
  ])
  func descriptionSaysWhatWhereAndWhy(_ number: Int32, _ text: String) {
    #expect(FileError(operation: "write", path: "/x/y", errno: number).description == text)
  }

  @Test(
    arguments: [
      ("/x/rehome-a1B2c3/store", "/x"), ("/x/rehome-a1B2c3/a/b", "/x"), ("/x/rehome-a1B2c3", "/x"),
    ],
    [
      (ENOSPC, "no space left on device"), (EDQUOT, "disk quota exceeded"),
      (EFBIG, "file too large"), (EIO, "input/output error"),
    ])
  func privateFileIsToldByItsFolder(
    _ place: (path: String, folder: String), _ trouble: (number: Int32, words: String)
  ) {
    let error = FileError(operation: "write", path: place.path, errno: trouble.number).ofPrivateFile
    #expect(
      error.description == "cannot write a private file in \(place.folder): \(trouble.words)")
    #expect(error.kind == .noSpace)
    #expect(error.hint?.contains("TMPDIR") == true)
    #expect(error.ofPrivateFile == error)
  }

  /// What the names of an input cause is no want of room, and what is read is not ours.
  @Test func privateFileThatNoFolderTakesSparesTheRun() {
    let path = "/x/rehome-a1B2c3/store"
    let error = FileError(operation: "create", path: path, errno: ENAMETOOLONG).ofPrivateFile
    #expect(error.path == "/x" && error.kind == .inputOutput && error.hint == nil)
    let reading = FileError(operation: "read", path: path, errno: EIO)
    #expect(reading.ofPrivateFile == reading)
  }

  @Test(arguments: ["/x/rehome-backups/store", "/x/rehome-a/store", "/x/y", "y", "/"])
  func anotherFileIsToldByItsName(path: String) {
    let error = FileError(operation: "write", path: path, errno: ENOSPC)
    #expect(error.ofPrivateFile == error)
  }
}
