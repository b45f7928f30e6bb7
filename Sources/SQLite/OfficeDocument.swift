/// The files by which a ZIP archive is known for a workbook, text or presentation of an office program.
package enum OfficeDocument {
  private static let sure: Set = [
    "xl/workbook.xml", "xl/workbook.bin", "word/document.xml", "ppt/presentation.xml",
  ]
  private static let together: Set = ["mimetype", "content.xml", "META-INF/manifest.xml"]

  /// Whether a file in an archive tells anything of that.
  package static func isMark(_ path: String) -> Bool {
    sure.contains(path) || together.contains(path)
  }

  /// Whether an archive is one, which has files by these names.
  package static func isKnown(by has: (_ path: String) -> Bool) -> Bool {
    sure.contains(where: has) || together.allSatisfy(has)
  }

  /// What to do with one.
  package static let hint = "save each of its tables as CSV there, and name that"
}
