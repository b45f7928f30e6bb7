import Bytes

/// Checks that the trees and lists of a file contradict neither themselves nor each other.
///
/// It finds what the engine's `quick_check` finds about pages, and malformed records and emptied pages
/// of indexes as well. What it does not look at: promises of the schema, such as NOT NULL, and the order
/// of an index. Of a table that is one, as it has no row ids, it finds pages that are there twice.
struct StructureCheck {
  let file: PageFile
  let survey: PageSurvey
  private(set) var report = StructureReport()
  private var claims: PageClaims
  private var pointerMap: PointerMap?
  private var rowCount = 0
  private var overflowCount = 0
  /// The first and the last rows of each page of a table without row ids, no two of which can be alike;
  /// by their hashes, of which two are the same by chance in one of many millions of files.
  private var rowsAtEnds: Set<Int>?
  private var bytes: [UInt8] = []

  /// No tree of the engine is deeper.
  private static let deepest = 20

  init(file: PageFile, survey: PageSurvey) {
    self.file = file
    self.survey = survey
    if file.header.largestRoot > 0 {
      pointerMap = PointerMap(of: file, pageCount: survey.pageCount)
    }
    claims = PageClaims(of: file, pageCount: survey.pageCount, map: pointerMap?.layout)
  }

  /// Walks everything that the file's header and its schema lead to.
  mutating func run() throws(PageError) {
    if file.isCutOff {
      report.add(
        nil, "the file is cut off: \(file.storedPageCount) of \(file.pageCount) pages are here")
    }
    let header = file.header
    if header.isIncremental, header.largestRoot == 0 {
      report.add(1, "free pages cannot be given back without a pointer map")
    }
    checkFreelist()
    checkTree(root: 1, isTable: true)
    guard report.isSound else { return }
    try checkTrees(SchemaRoots(of: file).roots)
    claims.reportUnused(&report)
    // What is expected of the map is known only where nothing else is wrong.
    if report.isSound { try pointerMap?.check(in: file, &report) }
  }

  private mutating func checkTrees(_ roots: [SchemaRoots.Root]) {
    var largest: UInt32 = 1
    for root in roots {
      largest = max(largest, root.page)
      rowsAtEnds = root.isSortedTable ? [] : nil
      checkTree(root: root.page, isTable: root.isTable)
      pointerMap?.expect(.root, of: root.page, from: 0)
    }
    if pointerMap != nil, largest != file.header.largestRoot {
      report.add(1, "the largest root is \(largest), not \(file.header.largestRoot)")
    }
  }

  private mutating func checkTree(root: UInt32, isTable: Bool) {
    rowCount = 0
    overflowCount = 0
    let count = report.damageCount
    let walk = Subtree(page: root, isTable: isTable, lower: nil, upper: nil, level: 1)
    _ = visit(walk)
    guard report.damageCount == count else { return }
    report.rowCounts[root] = rowCount
    if overflowCount > 0 { report.overflowCounts[root] = overflowCount }
  }

  /// A page to visit, with what its keys must be: above `lower`, and not above `upper`.
  private struct Subtree {
    let page: UInt32
    let isTable: Bool
    let lower: Int64?
    let upper: Int64?
    let level: Int

    /// Whether the page may list nothing: below a root the engine takes that for damage as soon as it
    /// comes there, and of roots above other pages only the first page of the file is taken.
    func mayBeEmpty(_ kind: PageKind) -> Bool { level == 1 && (kind.isLeaf || page == 1) }
  }

  /// Visits a page and all below it; how many levels there are, or nil where that is unknown.
  private mutating func visit(_ tree: Subtree) -> Int? {
    let page = tree.page
    guard claims.claim(page, &report) else { return nil }
    let facts = survey.facts(page)
    if let fault = facts.fault {
      report.add(page, fault.message)
      return nil
    }
    guard let kind = facts.kind, kind.isTable == tree.isTable else {
      report.add(page, tree.isTable ? "not a page of a table" : "not a page of an index")
      return nil
    }
    guard facts.cellCount > 0 || tree.mayBeEmpty(kind) else {
      report.add(page, "it has been emptied")
      return nil
    }
    for start in survey.overflows(page) {
      overflowCount += Int(start.count)
      checkChain(start)
    }
    guard !kind.isLeaf else {
      rowCount += Int(facts.cellCount)
      checkKeys(of: facts, tree)
      if rowsAtEnds != nil { checkEnds(of: page, kind) }
      return 1
    }
    if !tree.isTable { rowCount += Int(facts.cellCount) }
    guard tree.level < Self.deepest else {
      report.add(page, "the tree is too deep")
      return nil
    }
    return visitChildren(of: tree, kind)
  }

  private mutating func checkKeys(of facts: PageFacts, _ tree: Subtree) {
    guard tree.isTable, facts.cellCount > 0 else { return }
    let isAbove = tree.lower.map { facts.firstKey > $0 } ?? true
    let isBelow = tree.upper.map { facts.lastKey <= $0 } ?? true
    if !isAbove || !isBelow { report.add(tree.page, "row ids are out of order") }
  }

  /// Looks whether a page begins or ends with a row with which another one does, too.
  private mutating func checkEnds(of page: UInt32, _ kind: PageKind) {
    guard let header = readAgain(page, kind) else { return }
    let sizes = PayloadSizes(usableSize: file.header.usableSize, isTable: false)
    for index in Set([0, header.cellCount - 1]) where index >= 0 {
      let offset = header.cell(index, in: bytes.span, start: 0)
      guard let cell = BTreeCell(bytes.span, at: offset, kind: kind, sizes: sizes) else { continue }
      var hasher = Hasher()
      // What a long row has elsewhere is told by where that is.
      for place in cell.local.lowerBound..<cell.end { hasher.combine(bytes[place]) }
      if rowsAtEnds?.insert(hasher.finalize()).inserted == false {
        return report.add(page, "its rows are on another page, too")
      }
    }
  }

  private mutating func visitChildren(of tree: Subtree, _ kind: PageKind) -> Int? {
    var depth: Int?
    var lower = tree.lower
    for link in links(of: tree.page, kind) {
      if let key = link.key {
        let isInside = (lower.map { key > $0 } ?? true) && (tree.upper.map { key <= $0 } ?? true)
        if !isInside { report.add(tree.page, "row ids are out of order") }
      }
      pointerMap?.expect(.child, of: link.child, from: tree.page)
      let below = visit(
        Subtree(
          page: link.child, isTable: tree.isTable, lower: lower, upper: link.key ?? tree.upper,
          level: tree.level + 1))
      if let below {
        if let depth, depth != below {
          report.add(tree.page, "the pages below are not of one depth")
        }
        depth = below
      }
      lower = link.key ?? lower
    }
    return depth.map { $0 + 1 }
  }

  /// The pages below a page that was found sound, each with the largest key it may hold.
  private mutating func links(
    of page: UInt32, _ kind: PageKind
  ) -> [(child: UInt32, key: Int64?)] {
    guard let header = readAgain(page, kind) else { return [] }
    let span = bytes.span
    let sizes = PayloadSizes(usableSize: file.header.usableSize, isTable: kind.isTable)
    var links: [(child: UInt32, key: Int64?)] = []
    links.reserveCapacity(header.cellCount + 1)
    for index in 0..<header.cellCount {
      let offset = header.cell(index, in: span, start: 0)
      guard let cell = BTreeCell(span, at: offset, kind: kind, sizes: sizes) else { continue }
      links.append((cell.child, cell.key))
    }
    links.append((word(span, at: header.offset + 8), nil))
    return links
  }

  /// Takes a page that was found sound into `bytes`.
  private mutating func readAgain(_ page: UInt32, _ kind: PageKind) -> PageHeader? {
    bytes.removeAll(keepingCapacity: true)
    // Another look that fails is reported as what it is: this file cannot be read reliably.
    guard (try? file.read(page: page, appendingTo: &bytes)) != nil,
      let header = PageHeader(
        bytes.span, start: 0, page: page, usableSize: file.header.usableSize),
      header.kind == kind
    else {
      report.add(page, PageFault.unreadable.message)
      return nil
    }
    return header
  }

  /// Follows a chain of overflow pages, each of which must be used by nothing else.
  private mutating func checkChain(_ start: OverflowStart) {
    var next = start.first
    var parent = start.page
    for place in 0..<start.count {
      guard next != 0 else {
        report.add(parent, "a chain of overflow pages is too short")
        return
      }
      pointerMap?.expect(place == 0 ? .firstOverflow : .laterOverflow, of: next, from: parent)
      guard claims.claim(next, &report) else { return }
      parent = next
      next = survey.next(next)
    }
    if next != 0 { report.add(parent, "a chain of overflow pages is too long") }
  }

  private mutating func checkFreelist() {
    var next = file.header.freelistTrunk
    var count: UInt64 = 0
    while next != 0 {
      let trunk = next
      pointerMap?.expect(.free, of: trunk, from: 0)
      guard claims.claim(trunk, &report) else { return }
      count += 1
      next = survey.next(trunk)
      guard let leaves = freeLeaves(of: trunk) else {
        report.add(trunk, "the list of free pages contradicts itself")
        return
      }
      for leaf in leaves {
        pointerMap?.expect(.free, of: leaf, from: 0)
        _ = claims.claim(leaf, &report)
      }
      count += UInt64(leaves.count)
    }
    if count != UInt64(file.header.freelistCount) {
      report.add(
        1, count.counting("page is", "pages are") + " free, not \(file.header.freelistCount)")
    }
  }

  private mutating func freeLeaves(of trunk: UInt32) -> [UInt32]? {
    bytes.removeAll(keepingCapacity: true)
    // A trunk that cannot be read is told as one that contradicts itself.
    guard (try? file.read(page: trunk, appendingTo: &bytes)) != nil else { return nil }
    let count = Int(word(bytes.span, at: 4))
    guard count <= file.header.usableSize / 4 - 2 else { return nil }
    return (0..<count).map { word(bytes.span, at: 8 + 4 * $0) }
  }
}

extension PageFile {
  /// Checks the structure of the whole file, reading it once on several threads.
  ///
  /// - Throws: `PageError` when it shall stop, or a page that was read once cannot be read again.
  package func checkStructure(
    threads: Int = 2, shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws(PageError) -> StructureReport {
    let survey = try PageSurvey(of: self, threads: threads, shouldStop: shouldStop)
    var check = StructureCheck(file: self, survey: survey)
    try check.run()
    return check.report
  }
}
