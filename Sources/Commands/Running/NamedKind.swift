import Bytes
import CommandLineKit
import Exports
import Records

/// What an output is by its name, for which other programs would take it.
struct NamedKind {
  /// What is in such a file, as messages call it.
  let title: String
  /// The end of the name that says so.
  let ending: String
  /// The format, where exports come in it.
  let format: ExportFormat?

  /// What no export is.
  private static let others: [(ending: String, title: String)] = [
    (".xlsx", workbook), (".xls", workbook), (".ods", workbook), (".pdf", "a PDF document"),
    (".html", page), (".htm", page), (".zip", "an archive"), (".sqlite", store), (".rehome", store),
  ]
  private static let workbook = "a workbook"
  private static let page = "a page of the web"
  private static let store = "a store"

  /// Nil where the name says nothing.
  init?(of path: String) {
    if let (format, ending) = ExportFormat.named(by: path) {
      (title, self.ending, self.format) = (format.title, ending, format)
      return
    }
    let name = path.lowercased()
    guard let other = Self.others.first(where: { name.hasSuffix($0.ending) }) else { return nil }
    (title, ending, format) = (other.title, other.ending, nil)
  }

  /// A path that this was made of, as one whose name ends otherwise.
  func renamed(_ path: String, endingIn other: String) -> String {
    path.dropLast(ending.utf8.count) + other
  }

  /// Whether it is a store, of whatever layout.
  var isStore: Bool { title == Self.store }

  /// What an option makes that makes one kind of files only, and what their names end in.
  private static let made: [String: (title: String, endings: [String])] = [
    "csv": ("CSV", [".csv"]), "html": (page, [".html", ".htm"]),
    "report": ("JSON", [".json", ".ndjson"]), "plan": ("JSON", [".json"]),
    "journal": (store, [".rehome", ".sqlite"]),
  ]

  /// Throws where the name that an option has says another kind of file than the one it makes.
  static func check(_ path: String, of option: Option) throws(StoreError) {
    guard let made = made[option.name], let kind = NamedKind(of: path),
      !made.endings.contains(kind.ending)
    else { return }
    let own = kind.renamed(path, endingIn: made.endings[0])
    let isPacked = kind.ending.hasSuffix(".gz")
    throw StoreError(
      .usage,
      "--\(option.name) writes \(made.title)\(isPacked ? " that is not packed" : ""), and \(path) is "
        + "called as \(isPacked ? "a packed file" : kind.title) is",
      hint: "--\(option.name) \(quotedForShell(own))")
  }
}
