import Glibc

/// When output is coloured.
package enum ColorChoice: String, Sendable, CaseIterable {
  /// On a capable terminal, unless the environment says no.
  case auto
  /// Everywhere, whatever the environment says.
  case always
  case never
}

/// What is known about where the tool's output goes.
package struct Terminal: Sendable, Equatable {
  package let outputIsTerminal: Bool
  let errorIsTerminal: Bool
  /// The number of columns, nil when unknown.
  package let width: Int?
  /// How text on standard output is marked.
  package let outputStyle: TextStyle
  /// How text on standard error is marked.
  package let errorStyle: TextStyle
  /// Whether standard error can show a line that is drawn again and again.
  package let canRedraw: Bool

  /// Which streams are terminals, and how wide they are.
  package struct Facts: Sendable, Equatable {
    var outputIsTerminal: Bool
    var errorIsTerminal: Bool
    /// The number of columns, nil when unknown.
    var width: Int?

    /// States the facts; by default nothing is a terminal.
    package init(outputIsTerminal: Bool = false, errorIsTerminal: Bool = false, width: Int? = nil) {
      self.outputIsTerminal = outputIsTerminal
      self.errorIsTerminal = errorIsTerminal
      self.width = width
    }
  }

  /// Decides from the facts, the user's choice, and the variables `NO_COLOR`, `TERM` and `COLUMNS`.
  package init(facts: Facts, color: ColorChoice, environment: (String) -> String?) {
    let isDumb = environment("TERM").map { $0 == "dumb" || $0.isEmpty } ?? true
    let isUnwanted = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    func style(isTerminal: Bool) -> TextStyle {
      switch color {
      case .always: TextStyle(usesColor: true)
      case .never: .plain
      case .auto: TextStyle(usesColor: isTerminal && !isDumb && !isUnwanted)
      }
    }
    outputIsTerminal = facts.outputIsTerminal
    errorIsTerminal = facts.errorIsTerminal
    // Whoever sets the variable knows better than the system, as with other tools.
    let width = [environment("COLUMNS").flatMap { Int($0) }, facts.width].compactMap(\.self)
      .first { $0 > 0 }
    self.width = width
    outputStyle = TextStyle(
      usesColor: style(isTerminal: facts.outputIsTerminal).usesColor,
      width: facts.outputIsTerminal ? width : nil)
    errorStyle = TextStyle(
      usesColor: style(isTerminal: facts.errorIsTerminal).usesColor,
      width: facts.errorIsTerminal ? width : nil)
    canRedraw = facts.errorIsTerminal && !isDumb
  }

  /// The terminal of this process.
  package static func current(color: ColorChoice) -> Terminal {
    Terminal(facts: .ofThisProcess(), color: color, environment: environmentValue)
  }
}

extension Terminal.Facts {
  /// Asks the system about this process's streams.
  static func ofThisProcess() -> Terminal.Facts {
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
    if let value = environmentText(name) { return value }
  }
  // The entry is copied before anything could ask for another one.
  if let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name {
    return unsafe String(cString: name)
  }
  return "user \(geteuid())"
}

/// The value of an environment variable, nil when it is not set or empty.
package func environmentText(_ name: String) -> String? {
  environmentValue(name).flatMap { $0.isEmpty ? nil : $0 }
}

/// The value of an environment variable, nil when it is not set.
func environmentValue(_ name: String) -> String? {
  // The text is copied before anything could change the environment: nothing in the tool does.
  unsafe getenv(name).map { unsafe String(cString: $0) }
}
