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

  /// Reports the pages to which nothing has led.
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
