extension Paths {
  /// The names of files, each with as much of its path as tells it from the others; the first may have a
  /// name of its own, after which the files are called that are called after it.
  ///
  /// Pages of one service are called the same, and so are corrections of a file.
  package static func distinctNames(of paths: [String], first: String? = nil) -> [String] {
    let copied = paths.first.map(fileName) ?? ""
    let given = paths.map { path in
      let name = fileName(of: path)
      guard let first, name.utf8.starts(with: copied.utf8) else { return name }
      return first + String(Substring(name.utf8.dropFirst(copied.utf8.count)))
    }
    var names = given
    var folders = paths.map(folder)
    var shared = sharedPlaces(names, of: paths)
    while !shared.isEmpty {
      // A name that was given stays as it is.
      let longer = shared.filter {
        !($0 == 0 && first != nil) && folders[$0] != folder(of: folders[$0])
      }
      if longer.isEmpty { break }
      for place in longer {
        names[place] = join(fileName(of: folders[place]), names[place])
        folders[place] = folder(of: folders[place])
      }
      shared = sharedPlaces(names, of: paths)
    }
    var taken: Set<ExactText> = []
    for place in names.indices {
      var number = 1
      while !taken.insert(ExactText(names[place])).inserted {
        number += 1
        names[place] = "\(given[place]) (\(number))"
      }
    }
    return names
  }

  /// Where names stand that several files have; one that is given twice is one.
  private static func sharedPlaces(_ names: [String], of paths: [String]) -> [Int] {
    var counts: [ExactText: Int] = [:]
    var seen: Set<ExactText> = []
    for (name, path) in zip(names, paths) where seen.insert(ExactText(path)).inserted {
      counts[ExactText(name), default: 0] += 1
    }
    return names.indices.filter { counts[ExactText(names[$0]), default: 0] > 1 }
  }
}
