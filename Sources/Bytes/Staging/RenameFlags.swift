import Glibc

/// The kinds of renaming that only Linux's `renameat2(2)` offers.
enum RenameFlags: UInt32 {
  /// Fail with `EEXIST` when the new name is taken.
  case noReplace = 1
  /// Let the two names change places in one step.
  case exchange = 2
}

/// Renames with a flag and returns zero or the system's error number.
///
/// The number is `ENOSYS` or `EINVAL` where the system or the file system cannot do this.
func rename(_ old: String, _ new: String, _ flags: RenameFlags) -> Int32 {
  typealias Call =
    @convention(c) (
      Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
    ) -> Int32
  // The module does not show the function, so it is looked up by name. Its type is the one that
  // the manual gives, and the strings are valid for the length of the call.
  guard let symbol = unsafe dlsym(nil, "renameat2") else { return ENOSYS }
  let call = unsafe unsafeBitCast(symbol, to: Call.self)
  return unsafe call(AT_FDCWD, old, AT_FDCWD, new, flags.rawValue) == 0 ? 0 : errno
}

/// Whether an error number of `rename` says that this kind of renaming is not available.
func isUnsupportedRename(_ errno: Int32) -> Bool {
  errno == ENOSYS || errno == EINVAL || errno == ENOTSUP
}
