import Bytes

/// What belongs together among the files of an archive whose paths come several times, as where newer
/// files were appended under the names of older ones.
///
/// Every file is read. A log is laid over the file that it came with, and over no other.
struct MemberLayers {
  /// The files whose paths come for the first time, those whose paths come for the second, and so on.
  private(set) var layers: [[ContainedFile]] = []
  /// How often each path comes.
  private var totals: [ExactText: Int] = [:]
  private var seen: [ExactText: Int] = [:]
  /// The first layer that has no file of a path yet.
  private var free: [ExactText: Int] = [:]

  init(_ files: [ContainedFile]) {
    for file in files { totals[ExactText(file.path), default: 0] += 1 }
    guard totals.count < files.count else {
      layers = [files]
      return
    }
    for file in files {
      let number = layer(of: file.path)
      while layers.count <= number { layers.append([]) }
      layers[number].append(file)
    }
  }

  private mutating func layer(of path: String) -> Int {
    let key = ExactText(path)
    let (number, total) = (seen[key, default: 0], totals[key, default: 0])
    seen[key] = number + 1
    guard let main = SideFiles.mainPath(of: path).map({ ExactText($0) }),
      let mains = totals[main], mains != total
    else { return number }
    // Of several logs of one file the last is the one that unpacking leaves.
    guard mains > 1 else { return total - 1 - number }
    let nearest = max((seen[main] ?? 0) - 1, free[key] ?? 0)
    free[key] = nearest + 1
    return nearest
  }

  /// What to say of the stores and archives that come several times; nil where none does.
  var remark: String? {
    let repeated = layers.dropFirst().joined().filter(\.kind.isInteresting).map(\.path)
    guard let first = repeated.first else { return nil }
    let others = Set(repeated.map { ExactText($0) }).count - 1
    return "\(first) is there \(totals[ExactText(first), default: 0]) times, and each is read, the "
      + "second as '\(first) (2)'"
      + (others > 0 ? "; so are " + others.counting("other", "others") : "")
  }

  /// What to say of the side files in further layers that no store there has; nil where there are none.
  static func remark(ofUnread files: [ContainedFile]) -> String? {
    guard let first = files.first else { return nil }
    let others = Set(files.map { ExactText($0.path) }).count - 1
    let one = SideFiles.mainPath(of: first.path) == nil ? "first" : "last"
    return "\(first.path) is there more than once beside its store, and only the \(one) counts"
      + (others > 0 ? "; so are " + others.counting("other", "others") : "")
  }
}
