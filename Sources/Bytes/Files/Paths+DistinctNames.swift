extension Paths {
  /// The names of files, each with as much of its path as tells it from those before; the first may
  /// have a name of its own.
  ///
  /// Pages of one service are called the same, and so are corrections of a file.
  package static func distinctNames(of paths: [String], first: String? = nil) -> [String] {
    var taken: Set<ExactText> = []
    return paths.enumerated().map { place, path in
      let name = (place == 0 ? first : nil) ?? name(ofFileAt: path, unlike: taken)
      taken.insert(ExactText(name))
      return name
    }
  }

  private static func name(ofFileAt path: String, unlike taken: Set<ExactText>) -> String {
    let given = fileName(of: path)
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
