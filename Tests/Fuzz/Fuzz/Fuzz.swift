import Foundation

#if FUZZING
  import CFuzzer

  /// One input of the fuzzer, whose own main refers to this name and is never run.
  @c(LLVMFuzzerTestOneInput)
  func readFuzzerInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // The fuzzer lends `count` bytes for the length of the call.
    Fuzz.reader.read(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
  }
#endif

/// Feeds bytes to one reader of untrusted bytes: those of libFuzzer, or those of files.
///
/// `REHOME_FUZZ` names the reader. `Tests/fuzz` builds this with the fuzzer and runs it; an
/// ordinary build replays the files it is given, to see a find again in a debugger.
@main
enum Fuzz {
  static let reader: FuzzedReader = {
    let name = ProcessInfo.processInfo.environment["REHOME_FUZZ"] ?? ""
    guard let reader = FuzzedReader(rawValue: name) else {
      let names = FuzzedReader.allCases.map(\.rawValue).joined(separator: ", ")
      FileHandle.standardError.write(Data("REHOME_FUZZ must be one of \(names)\n".utf8))
      exit(64)
    }
    return reader
  }()

  static func main() throws {
    #if FUZZING
      var count = CommandLine.argc
      // The arguments are those of this process, which outlive the run.
      var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
        unsafe CommandLine.unsafeArgv
      let code = unsafe LLVMFuzzerRunDriver(&count, &arguments, readFuzzerInput)
      exit(code)
    #else
      for path in CommandLine.arguments.dropFirst() {
        reader.read(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
      }
    #endif
  }
}
