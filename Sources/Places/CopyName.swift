/// What a copy of a store is called: as the store, as far as that is harmless.
enum CopyName {
  private static let longest = 100

  /// A name for the copy of what lies at a path in a container.
  ///
  /// It has nothing in it that means something to the file system or a terminal, and none of the
  /// endings by which SQLite knows side files.
  static func make(of path: String) -> String {
    var name = ""
    for scalar in SideFiles.name(of: path).unicodeScalars {
      guard name.utf8.count < longest else { break }
      name.unicodeScalars.append(isHarmless(scalar) ? scalar : "_")
    }
    if name.isEmpty || name.hasPrefix(".") { name = "store" + name }
    if SideFiles.endings.contains(where: name.hasSuffix) { name += ".store" }
    return name
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      false
    default: scalar != "/" && scalar != "\\"
    }
  }
}
