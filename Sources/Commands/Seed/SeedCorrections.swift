import Bytes
import CommandLineKit
import Records

/// What `--corrected` names: a file of corrected rows, or a folder with one for each of some inputs.
struct SeedCorrections {
  private let path: String
  /// The names of the files in the folder; nil for a file.
  private let names: Set<ExactText>?
  /// Which of them an input is called as.
  private var met: Set<ExactText> = []

  /// Reads the option; nil where it was not given.
  init?(_ session: Session, inputs: Int) throws(StoreError) {
    guard let path = session.arguments.value("corrected")?.text else { return nil }
    self.path = path
    if Paths.isDirectory(path) {
      names = try Self.names(inFolder: path)
      return
    }
    _ = try storeErrors { () throws(FileError) in try readPrefix(of: path, count: 1) }
    guard inputs == 1 else {
      throw StoreError(
        .usage, path: path, "with several inputs, --corrected takes a folder",
        hint: "give the folder that --rejects wrote to")
    }
    names = nil
  }

  private static func names(inFolder path: String) throws(StoreError) -> Set<ExactText> {
    let names = try storeErrors { () throws(FileError) in
      try fileNames(inFolder: path, limit: 1_000_000)
    }
    let shown = names.filter { !$0.hasPrefix(".") }
    guard !shown.isEmpty else {
      throw StoreError(
        .usage, path: path, "no file of corrected rows is in it",
        hint: "give the folder that --rejects wrote to")
    }
    return Set(shown.map { ExactText($0) })
  }

  /// The file of corrected rows for an input; nil where there is none.
  mutating func file(forInput input: String, isPlain: Bool) throws(StoreError) -> String? {
    var file = path
    if let names {
      let name = SeedRejects.fileName(forInput: input)
      guard names.contains(ExactText(name)) else { return nil }
      met.insert(ExactText(name))
      file = Paths.join(path, name)
    }
    guard isPlain else {
      throw StoreError(
        .usage, path: file, "it would correct rows of a plain file, and the input is none",
        hint: "leave --corrected away")
    }
    return file
  }

  /// Throws where a file in the folder is for none of the inputs.
  func checkAllMet() throws(StoreError) {
    guard let stranger = names?.subtracting(met).min() else { return }
    throw StoreError(
      .usage, path: Paths.join(path, stranger.wrappedValue), "no input is called as this file",
      hint: "call it as the input whose rows it corrects, or take it out of the folder")
  }
}
