/// The pages that say of each page what points to it, where free pages are given back at once.
struct PointerMap {
  /// What can point to a page.
  enum Kind: UInt8 {
    case root = 1
    case free = 2
    case firstOverflow = 3
    case laterOverflow = 4
    case child = 5
  }

  /// Where the pages of a map are.
  struct Layout {
    /// How many pages one page of the map speaks of, itself included.
    private let groupSize: UInt32
    private let lockPage: UInt32

    fileprivate init(of file: PageFile) {
      groupSize = UInt32(file.header.usableSize / 5) + 1
      lockPage = file.lockPage
    }

    func contains(_ page: UInt32) -> Bool { page >= 2 && mapPage(of: page) == page }

    /// The page of the map that speaks of a page, which is not the first.
    func mapPage(of page: UInt32) -> UInt32 {
      let map = (page - 2) / groupSize * groupSize + 2
      return map == lockPage ? map + 1 : map
    }
  }

  let layout: Layout
  /// What the map must say: the kind of each page, zero where it says nothing.
  private var kinds: [UInt8]
  private var parents: [UInt32]

  init(of file: PageFile, pageCount: Int) {
    layout = Layout(of: file)
    kinds = [UInt8](repeating: 0, count: pageCount + 1)
    parents = [UInt32](repeating: 0, count: pageCount + 1)
  }

  /// Keeps in mind what points to a page.
  mutating func expect(_ kind: Kind, of page: UInt32, from parent: UInt32) {
    guard Int(page) < kinds.count else { return }
    kinds[Int(page)] = kind.rawValue
    parents[Int(page)] = parent
  }

  /// Compares the map with what is expected of it.
  func check(in file: PageFile, _ report: inout StructureReport) throws(PageError) {
    var bytes: [UInt8] = []
    var map: UInt32 = 0
    for page in kinds.indices.dropFirst(2) where kinds[page] != 0 {
      let page = UInt32(truncatingIfNeeded: page)
      if layout.mapPage(of: page) != map {
        map = layout.mapPage(of: page)
        bytes.removeAll(keepingCapacity: true)
        try file.read(page: map, appendingTo: &bytes)
      }
      let entry = 5 * Int(page &- map &- 1)
      guard page > map, entry + 5 <= file.header.usableSize,
        bytes[entry] == kinds[Int(page)], word(bytes.span, at: entry + 1) == parents[Int(page)]
      else {
        report.add(map, "what it says about page \(page) is wrong")
        continue
      }
    }
  }
}
