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

  init(_ files: [ContainedFile]) {
    for file in files { totals[ExactText(file.path), default: 0] += 1 }
    guard totals.count < files.count else {
      layers = [files]
      return
    }
    for (file, number) in zip(files, Self.numbers(of: files)) {
      while layers.count <= number { layers.append([]) }
      layers[number].append(file)
    }
  }

  /// The layer of each file; 0 for those at places that do not count.
  static func numbers(of files: [ContainedFile], without left: Set<Int> = []) -> [Int] {
    var places: [ExactText: [Int]] = [:]
    for (place, file) in files.enumerated() where !left.contains(place) {
      places[ExactText(file.path), default: []].append(place)
    }
    var numbers = [Int](repeating: 0, count: files.count)
    for (path, own) in places {
      let main = SideFiles.mainPath(of: path.wrappedValue).flatMap { places[ExactText($0)] }
      let layers = main.map { self.layers(ofLogs: own, $0) } ?? Array(own.indices)
      for (place, layer) in zip(own, layers) { numbers[place] = layer }
    }
    return numbers
  }

  /// The layers of the logs at some places, by the places of their main files.
  private static func layers(ofLogs logs: [Int], _ mains: [Int]) -> [Int] {
    var seen: [Int] = []
    var count = 0
    for log in logs {
      while count < mains.count, mains[count] < log { count += 1 }
      seen.append(count)
    }
    let areInFront = seen[0] == 0
    let isEachOfAnother =
      logs.count == mains.count
      && seen.enumerated().allSatisfy { areInFront ? $1 <= $0 : $1 > $0 }
    if isEachOfAnother { return Array(logs.indices) }
    var layers = seen.map { areInFront ? min($0, mains.count - 1) : $0 - 1 }
    // Of several logs of one file the last is the one that unpacking leaves.
    var free = mains.count
    for place in layers.indices.dropLast() where layers[place] == layers[place + 1] {
      layers[place] = free
      free += 1
    }
    return layers
  }

  /// What to say of the stores and archives that come several times; nil where none does.
  var remark: String? {
    let repeated = layers.dropFirst().joined().filter(\.kind.isInteresting).map(\.path)
    guard let first = repeated.first else { return nil }
    let others = Set(repeated.map { ExactText($0) }).count - 1
    return "\(first) is there \(totals[ExactText(first), default: 0]) times, and each counts, the "
      + "second as '\(first) (2)'"
      + (others > 0 ? "; so are " + others.counting("other", "others") : "")
  }

  /// What to say of side files that come several times and of which stores read some; nil without such.
  ///
  /// `left` are those of all layers that no store reads.
  func remark(ofSideFilesLeft left: [ContainedFile]) -> String? {
    guard layers.count > 1, !left.isEmpty else { return nil }
    var unread: [ExactText: Int] = [:]
    for file in left { unread[ExactText(file.path), default: 0] += 1 }
    var all: [ExactText: Int] = [:]
    for file in layers.joined() where !file.kind.isInteresting {
      if unread[ExactText(file.path)] != nil { all[ExactText(file.path), default: 0] += 1 }
    }
    let partly = unread.filter { all[$0.key, default: 0] > $0.value }
    guard let first = partly.min(by: { $0.key < $1.key }) else { return nil }
    let others = partly.count - 1
    return "\(first.key.wrappedValue) is there \(all[first.key, default: 0]) times, and "
      + "\(first.value) of them \(first.value == 1 ? "is" : "are") not read"
      + (others > 0 ? "; so it is with " + others.counting("other", "others") : "")
  }
}
