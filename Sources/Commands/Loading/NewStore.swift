import Bytes
import Exports
import Records

/// What shall come of a load: where the store goes, and what it has.
struct NewStore {
  /// Where it goes.
  let path: String
  /// How many rejects it may have.
  var rejectLimit = RejectLimit.none
  /// Which tables are loaded; nil for all.
  var selection: TableSelection?
  /// Whether a file that stands under its name is replaced.
  let isReplacing: Bool

  /// Throws where the name says that rows are in the file in another format, for which programs would
  /// then take it.
  func checkName() throws(StoreError) {
    guard let kind = NamedKind(of: path), !kind.isStore else { return }
    let export = kind.format.map { "'rehome export --to \($0.rawValue)' writes that; or " } ?? ""
    throw StoreError(
      .usage, "a store is written, and \(path) is called as \(kind.title) is",
      hint: export + "-o \(quotedForShell(path.dropLast(kind.ending.utf8.count) + ".rehome"))")
  }
}

extension StoreError {
  /// The same, where it is about a private store told of the folder for such: the name of the store
  /// means nothing to a person.
  func told(of file: TemporaryFile) -> StoreError {
    guard let path, path.hasPrefix(file.path) else { return self }
    return StoreError(
      kind, path: Paths.folder(of: file.path), "a private store in it: \(message)",
      hint: kind == .noSpace ? FileError.hintOnTemporaryFolder : hint)
  }
}
