import Glibc

extension Terminal.Facts {
  /// Asks the system about this process's streams.
  package static func ofThisProcess() -> Terminal.Facts {
    let isOutput = isatty(STDOUT_FILENO) == 1
    let isError = isatty(STDERR_FILENO) == 1
    let columns =
      (isOutput ? columns(of: STDOUT_FILENO) : nil) ?? (isError ? columns(of: STDERR_FILENO) : nil)
    return Terminal.Facts(outputIsTerminal: isOutput, errorIsTerminal: isError, width: columns)
  }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    // The kernel fills exactly the structure this request names, and keeps no pointer to it.
    let status = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}

/// What the system calls the person who runs the tool.
package func userName() -> String {
  for name in ["USER", "LOGNAME"] {
    if let value = environmentValue(name), !value.isEmpty { return value }
  }
  // The entry is copied before anything could ask for another one.
  if let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name {
    return unsafe String(cString: name)
  }
  return "user \(geteuid())"
}

/// The value of an environment variable, nil when it is not set.
package func environmentValue(_ name: String) -> String? {
  // The text is copied before anything could change the environment: nothing in the tool does.
  unsafe getenv(name).map { unsafe String(cString: $0) }
}
