package import Foundation

/// Runs Python, the independent witness; all cases of a test go through one process.
package enum Python {
  /// The output of a script that gets arguments and standard input.
  package static func run(
    _ script: String, arguments: [String] = [], input: Data = Data()
  ) throws -> Data {
    let folder = try TemporaryFolder()
    let program = try folder.write(script, to: "script.py")
    return try run(file: program, arguments: arguments, input: input)
  }

  /// The output of a program file, which needs nothing but Python's own library: `-S` leaves out
  /// what else is installed, since a run of all tests starts Python thousands of times.
  package static func run(
    file: String, arguments: [String] = [], input: Data = Data()
  ) throws -> Data {
    let options = ["-S", "-B"]
    let outcome = try SystemProgram.python.run(options + [file] + arguments, input: input)
    guard outcome.code == 0 else {
      throw SystemProgram.Failure(description: outcome.complaints)
    }
    return outcome.data
  }

  /// Gives `lines` to a script that defines `answer(line)`, and returns its answers.
  package static func answers(to lines: [String], _ script: String) throws -> [String] {
    let loop = "\nimport sys\nfor line in sys.stdin.read().split('\\n'): print(answer(line))\n"
    let output = try run(script + loop, input: Data(lines.joined(separator: "\n").utf8))
    let answers = String(decoding: output, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    guard answers.count == lines.count else {
      throw SystemProgram.Failure(description: "\(answers.count) answers to \(lines.count) lines")
    }
    return answers
  }

  /// Gives byte fields to a script as `inputs`, and returns the fields of each `row(…)` it calls.
  package static func rows(_ script: String, input: [[UInt8]] = []) throws -> [[[UInt8]]] {
    let lines = input.map { Data($0).base64EncodedString() }.joined(separator: "\n")
    let output = try run(prelude + script, input: Data(lines.utf8))
    return try String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
      try line.split(separator: " ", omittingEmptySubsequences: false).map { field in
        guard let data = Data(base64Encoded: String(field.dropFirst())) else {
          throw SystemProgram.Failure(description: "the script printed something else than rows")
        }
        return [UInt8](data)
      }
    }
  }

  private static let prelude = """
    import sys, base64, json, plistlib, random, zlib, gzip, datetime, struct
    sys.set_int_max_str_digits(0)
    inputs = [base64.b64decode(line) for line in sys.stdin]
    def row(*fields):
        fields = [f.encode() if isinstance(f, str) else bytes(f) for f in fields]
        print(' '.join('=' + base64.b64encode(f).decode() for f in fields))

    """
}
