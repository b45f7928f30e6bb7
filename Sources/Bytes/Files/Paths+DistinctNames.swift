extension Paths {
  /// The names of files, each with as much of its path as tells it from those before; the first may
  /// have a name of its own, after which the files are called that are called after it.
  ///
  /// Pages of one service are called the same, and so are corrections of a file.
  package static func distinctNames(of paths: [String], first: String? = nil) -> [String] {
    var taken: Set<ExactText> = []
    let copied = paths.first.map(fileName) ?? ""
    return paths.map { path in
      var given = fileName(of: path)
      if let first, given.utf8.starts(with: copied.utf8) {
        given = first + String(Substring(given.utf8.dropFirst(copied.utf8.count)))
      }
      let name = name(given, ofFileAt: path, unlike: taken)
      taken.insert(ExactText(name))
      return name
    }
  }

  private static func name(
    _ given: String, ofFileAt path: String, unlike taken: Set<ExactText>
  ) -> String {
    var (name, folder) = (given, folder(of: path))
    while taken.contains(ExactText(name)), folder != self.folder(of: folder) {
      name = join(fileName(of: folder), name)
      folder = self.folder(of: folder)
    }
    var number = 1
    while taken.contains(ExactText(name)) {
      number += 1
      name = "\(given) (\(number))"
    }
    return name
  }
}
