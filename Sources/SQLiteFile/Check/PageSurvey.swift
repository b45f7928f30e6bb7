import Bytes
import Synchronization

/// What one reading of a whole file tells about each of its pages by itself.
struct PageSurvey: Sendable {
  struct Stretch: Sendable {
    var facts: [PageFacts] = []
    /// The first four bytes of each page: the next page of a chain, if it is on one.
    var next: [UInt32] = []
    var overflows: [OverflowStart] = []
  }

  private let stretches: [Stretch]
  let pageCount: Int

  private static let stretchSize = 2048
  /// How many bytes are read at once.
  private static let readSize = 256 << 10

  /// Reads every page of the file once, on several threads.
  ///
  /// - Throws: `PageError` when it shall stop.
  init(
    of file: PageFile, threads: Int, shouldStop: @escaping @Sendable () -> Bool
  ) throws(PageError) {
    pageCount = min(file.pageCount, file.storedPageCount)
    let count = (pageCount + Self.stretchSize - 1) / Self.stretchSize
    let results = Mutex([Stretch](repeating: Stretch(), count: count))
    let total = pageCount
    inParallel(count, threads: threads) { index in
      guard !shouldStop() else { return }
      let start = index * Self.stretchSize
      let pages = start + 1...min(total, start + Self.stretchSize)
      let stretch = Self.stretch(pages, of: file)
      results.withLock { $0[index] = stretch }
    }
    guard !shouldStop() else {
      throw PageError(.interrupted, path: file.path, "stopped by a signal")
    }
    stretches = results.withLock { $0 }
  }

  func facts(_ page: UInt32) -> PageFacts {
    let (stretch, place) = place(page)
    return stretches[stretch].facts[place]
  }

  /// The first four bytes of a page of the file.
  func next(_ page: UInt32) -> UInt32 {
    let (stretch, place) = place(page)
    return stretches[stretch].next[place]
  }

  /// The payloads of a page of the file that go on elsewhere.
  func overflows(_ page: UInt32) -> ArraySlice<OverflowStart> {
    let all = stretches[place(page).stretch].overflows
    let start = all.partition(where: { $0.page >= page })
    let end = all[start...].firstIndex { $0.page != page } ?? all.endIndex
    return all[start..<end]
  }

  private func place(_ page: UInt32) -> (stretch: Int, place: Int) {
    ((Int(page) - 1) / Self.stretchSize, (Int(page) - 1) % Self.stretchSize)
  }

  private static func stretch(_ pages: ClosedRange<Int>, of file: PageFile) -> Stretch {
    var stretch = Stretch()
    stretch.facts.reserveCapacity(pages.count)
    stretch.next.reserveCapacity(pages.count)
    var inspection = PageInspection(usableSize: file.header.usableSize)
    var bytes: [UInt8] = []
    let step = max(1, readSize / file.pageSize)
    for first in stride(from: pages.lowerBound, through: pages.upperBound, by: step) {
      let count = min(step, pages.upperBound - first + 1)
      bytes.removeAll(keepingCapacity: true)
      let isUnreadable = file.readWhatIsReadable(page: first, count: count, into: &bytes)
      for index in 0..<count {
        let page = UInt32(truncatingIfNeeded: first + index)
        let start = index * file.pageSize
        stretch.next.append(word(bytes.span, at: start))
        var facts =
          isUnreadable.contains(index)
          ? PageFacts(fault: .unreadable) : inspection.inspect(bytes.span, start: start, page: page)
        if facts.fault == nil, file.storedBytes(of: page) < file.pageSize {
          facts.fault = .cutShort
        }
        stretch.facts.append(facts)
      }
    }
    stretch.overflows = inspection.overflows
    return stretch
  }
}

extension PageFile {
  /// Reads pages even where some cannot be read; these become zeros, and their places are told.
  fileprivate func readWhatIsReadable(page: Int, count: Int, into bytes: inout [UInt8]) -> Set<Int>
  {
    do {
      try read(page: UInt32(truncatingIfNeeded: page), count: count, appendingTo: &bytes)
      return []
    } catch {
      // A bad place of the disk spoils the whole call; page by page tells which it is.
      bytes.removeAll(keepingCapacity: true)
    }
    var unreadable: Set<Int> = []
    for index in 0..<count {
      do {
        try read(page: UInt32(truncatingIfNeeded: page + index), appendingTo: &bytes)
      } catch {
        unreadable.insert(index)
        bytes.removeLast(bytes.count - index * pageSize)
        bytes += [UInt8](repeating: 0, count: pageSize)
      }
    }
    return unreadable
  }
}

extension [OverflowStart] {
  /// The first index from which on all elements fulfil a condition that none before fulfils.
  fileprivate func partition(where isBehind: (OverflowStart) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Which pages of a file something leads to; each may be used by one thing only.
struct PageClaims {
  private var isUsed: [Bool]
  private let lockPage: UInt32
  private let map: PointerMap.Layout?

  init(of file: PageFile, pageCount: Int, map: PointerMap.Layout?) {
    isUsed = [Bool](repeating: false, count: pageCount + 1)
    lockPage = file.lockPage
    self.map = map
  }

  /// Marks a page as used; false, with a report, when it is not there or used already.
  mutating func claim(_ page: UInt32, _ report: inout StructureReport) -> Bool {
    guard page > 0, Int(page) < isUsed.count else {
      report.add(page, "there is no such page, but something leads to it")
      return false
    }
    guard !isUsed[Int(page)], !isReserved(page) else {
      report.add(page, "two things use it")
      return false
    }
    isUsed[Int(page)] = true
    return true
  }

  func reportUnused(_ report: inout StructureReport) {
    for page in isUsed.indices.dropFirst() where !isUsed[page] {
      let page = UInt32(truncatingIfNeeded: page)
      if !isReserved(page) { report.add(page, "nothing uses it") }
    }
  }

  /// Whether a page is used by the file itself.
  private func isReserved(_ page: UInt32) -> Bool {
    page == lockPage || map?.contains(page) == true
  }
}

/// Which bytes of a page are in use, a bit for each.
struct ByteMap {
  private var words: [UInt64]

  /// A map of so many bytes, none of them in use.
  init(size: Int) {
    words = [UInt64](repeating: 0, count: (size + 63) / 64)
  }

  mutating func removeAll() {
    for place in words.indices { words[place] = 0 }
  }

  /// Marks bytes as used; false, and not all are marked, when one of them was so already.
  mutating func mark(_ bytes: Range<Int>) -> Bool {
    var start = bytes.lowerBound
    while start < bytes.upperBound {
      let word = start >> 6
      let end = min(bytes.upperBound, (word + 1) << 6)
      let mask = (UInt64.max &>> UInt64(64 - (end - start))) &<< UInt64(start & 63)
      guard words[word] & mask == 0 else { return false }
      words[word] |= mask
      start = end
    }
    return true
  }
}
