import Bytes
import Glibc
import Testing

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
    (ENOSPC, "cannot write /x/y: no space left on device"),
    (EIO, "cannot write /x/y: input/output error"),
    (EBADF, "cannot write /x/y: it is closed"),
    (Int32(99_999), "cannot write /x/y: error 99999"),
  ])
  func descriptionSaysWhatWhereAndWhy(_ number: Int32, _ text: String) {
    #expect(FileError(operation: "write", path: "/x/y", errno: number).description == text)
  }
}
