import Bytes
package import Records

/// Writes audits as one page of HTML that needs nothing from outside, in pieces.
///
/// The page of one store stands there whole, but for the changes beyond the first few hundred. That
/// of a fleet begins with an overview, and unpacks what it says about a store when that is opened.
package struct AuditPage: ~Copyable {
  private let write: ([UInt8]) throws(StoreError) -> Void
  private let check: () throws(StoreError) -> Void
  private let origin: PageOrigin?
  private var html = HTMLText()
  private var packs = PagePacks()
  private var fleet: FleetOverview?
  private var written = 0

  /// How large the page may become, apart from what is always there.
  private let limit: Int
  /// How many changes a thread writes at a time.
  private static let sliceSize = 64
  /// How many changes are written until it is asked what there is room for.
  private static let roundSize = 64 * sliceSize
  /// How many changes of one store are there without a script.
  private static let plainLimit = 300
  private static let fleetLimits = (whole: 300, named: 3000)

  /// A page about so many stores, whose pieces go to `write`; `check` throws where nobody wants it any
  /// more, and is called while nothing is written.
  package init(
    storeCount: Int = 1, origin: PageOrigin? = nil, limit: Int = 9_300_000,
    check: @escaping () throws(StoreError) -> Void = {},
    write: @escaping ([UInt8]) throws(StoreError) -> Void
  ) {
    self.write = write
    self.check = check
    self.limit = limit
    self.origin = origin
    fleet = storeCount == 1 ? nil : FleetOverview()
  }

  /// Writes the audit of one store, under a name that tells it from others.
  ///
  /// - Throws: whatever `write` throws, or `StoreError` when a part cannot be set aside.
  package mutating func add(
    _ audit: StoreAudit, name: String? = nil
  ) throws(StoreError) {
    var part = StorePart(audit, name: name ?? audit.source.name, isOfFleet: fleet != nil)
    guard fleet != nil else { return try addOnly(&part) }
    let summary = StoreSummary(audit, name: part.name, fates: part.changes.counts)
    fleet?.add(summary, audit.findings)
    try addToFleet(part, summary)
  }

  /// Tells of a store that could not be read.
  ///
  /// - Throws: `StoreError` when it cannot be set aside.
  package mutating func add(_ store: UnreadableStore) throws(StoreError) {
    guard fleet != nil else { return }
    fleet?.add(StoreSummary(store), nil)
    var text = HTMLText()
    text.openStore(store.name, packs.count + 1)
    text.add("<p class=lead><b class=error>could not be read</b> ", store.message, "</p>\n")
    if let hint = store.hint { text.add("<p>Try: ", hint, "</p>\n") }
    let bytes = text.take()
    try packs.add(whole: bytes, short: bytes, weight: 0)
  }

  /// Counts a store that is left out because nothing is wrong with it.
  package mutating func leaveOut(_ summary: StoreSummary) { fleet?.leaveOut(summary) }

  /// Ends the page.
  package mutating func finish() throws(StoreError) {
    if let fleet {
      html.openPage(title: fleet.title, isOfFleet: true)
      try html.addFleet(fleet, origin)
      try flush()
    }
    html.markup("<section id=found hidden><h2>Found besides</h2></section>\n")
    // What is left out can be told only when it is known, and the rest is data.
    try flush()
    let room = try packs.write(within: limit - written) { (bytes) throws(StoreError) in
      try write(bytes)
    }
    html.addRoom(room, isOfFleet: fleet != nil)
    html.closePage()
    try flush()
  }

  private mutating func flush() throws(StoreError) {
    written += html.bytes.count
    try write(html.take())
  }
}

extension AuditPage {
  private mutating func addOnly(_ part: inout StorePart) throws(StoreError) {
    html.openPage(title: part.name, isOfFleet: false)
    html.markup("<header><p class=kicker>Audit of a device’s store</p>\n<h1>")
    html.add("", part.name, "</h1>\n<p class=dim>")
    html.add("", part.layout, "</p>\n<p class=lead>")
    html.add("", part.lead, "</p></header>\n")
    part.addLinks()
    part.html.markup("<main id=main tabindex=-1>\n<div id=search></div>\n")
    part.addGlance()
    try take(&part)
    for fate in ChangeFate.allCases { try addChanges(fate, &part) }
    part.addOldFailures()
    part.addFindings()
    part.addSource(origin)
    try take(&part)
  }

  private mutating func take(_ part: inout StorePart) throws(StoreError) {
    html.append(part.html)
    _ = part.html.take()
    try flush()
  }

  /// Writes the changes with one fate: the first ones plain, the others packed.
  private mutating func addChanges(
    _ fate: ChangeFate, _ part: inout StorePart
  ) throws(StoreError) {
    let range = part.changes.range(of: fate)
    guard !range.isEmpty else { return }
    part.openChanges(fate)
    part.html.markup("<div class=items>\n")
    let plainEnd = min(range.upperBound, max(range.lowerBound + 20, Self.plainLimit))
    for place in range.lowerBound..<plainEnd {
      let change = part.changes[place]
      part.addCard(change, part.codes(of: change))
      if part.html.bytes.count > 64 << 10 { try take(&part) }
    }
    part.html.markup("</div>\n")
    try take(&part)
    let first = packs.count
    let left = try pack(plainEnd..<range.upperBound, of: part)
    if packs.count > first + left { part.html.addMore(first..<packs.count - left) }
    if left > 0 {
      part.html.add("<p class=dim>", left.grouped, " more are not in this page.</p>\n")
    }
    part.html.markup("</section>\n")
  }

  /// Changes that one thread writes, and whether they are written whole, too.
  private struct Slice: Sendable {
    let places: Range<Int>
    let isWhole: Bool
  }

  /// Packs the changes at some places, whose cards are written on all processors as long as there may
  /// be room for them.
  ///
  /// - Returns: how many of them, the last ones, are left out.
  private mutating func pack(_ places: Range<Int>, of part: StorePart) throws(StoreError) -> Int {
    let room = limit - written
    var work = OrderedWork<Slice, [PagePacks.Forms]>(threads: threadCount()) {
      var own = part
      return { slice, emit in
        _ = emit(
          slice.places.map { place in
            let change = own.changes[place]
            let codes = own.codes(of: change)
            return PagePacks.Forms(
              whole: slice.isWhole ? own.card(change, codes) : nil,
              short: own.card(change, codes, isShort: true))
          })
      }
    }
    var start = places.lowerBound
    // What there is room for is asked at the same places, however many threads there are.
    while start < places.upperBound, packs.mayBeShown(within: room) {
      let isWhole = packs.mayBeWhole(within: room)
      let round = start..<min(start + Self.roundSize, places.upperBound)
      for first in stride(from: round.lowerBound, to: round.upperBound, by: Self.sliceSize) {
        let places = first..<min(first + Self.sliceSize, round.upperBound)
        try check()
        try work.put(Slice(places: places, isWhole: isWhole)) { (cards) throws(StoreError) in
          try packs.add(cards)
        }
      }
      try work.finish { (cards) throws(StoreError) in try packs.add(cards) }
      start = round.upperBound
    }
    try check()
    try packs.leaveOut(places.upperBound - start)
    return places.upperBound - start
  }

  private mutating func addToFleet(
    _ part: consuming StorePart, _ summary: StoreSummary
  ) throws(StoreError) {
    let number = packs.count + 1
    var heading = HTMLText()
    heading.openStore(part.name, number)
    heading.add("<p class=lead>", part.lead, "</p>\n")
    var short = heading.take()
    part.html.add("<p class=dim>", part.layout, "</p>\n")
    part.addGlance()
    var whole = short + part.html.take()
    for fate in ChangeFate.allCases where !part.changes.range(of: fate).isEmpty {
      part.openChanges(fate)
      whole += part.html.take()
      part.openChanges(fate, isShort: true)
      short += part.html.take()
      part.html.markup("<div class=items>\n")
      addCards(part.changes.range(of: fate), of: &part, whole: &whole, short: &short)
    }
    part.addFindings(withPlaces: false)
    short += part.html.take()
    part.addFindings()
    part.addOldFailures()
    part.addSource(nil)
    try packs.add(
      whole: whole + part.html.take(), short: short,
      weight: summary.isProblem ? 2 : summary.waiting > 0 ? 1 : 0)
  }
}

extension AuditPage {
  /// Appends the changes of a store to both of its forms, behind what was written before.
  private mutating func addCards(
    _ range: Range<Int>, of part: inout StorePart, whole: inout [UInt8], short: inout [UInt8]
  ) {
    var opening = part.html.take()
    whole += opening
    short += opening
    for place in range.prefix(max(0, Self.fleetLimits.named - range.lowerBound)) {
      let change = part.changes[place]
      let codes = part.codes(of: change)
      let card = part.card(change, codes, isShort: true)
      short += card
      whole += place < Self.fleetLimits.whole ? part.card(change, codes) : card
    }
    part.html.markup("</div>\n")
    let left = range.upperBound - max(range.lowerBound, Self.fleetLimits.named)
    if left > 0 {
      part.html.add("<p class=dim>and ", left.grouped, " more, on a page of its own</p>\n")
    }
    part.html.markup("</section>\n")
    opening = part.html.take()
    whole += opening
    short += opening
  }
}

extension StorePart {
  /// A change as a card, while nothing else is being written.
  fileprivate mutating func card(
    _ change: Change, _ codes: [String], isShort: Bool = false
  ) -> [UInt8] {
    addCard(change, codes, isShort: isShort)
    return html.take()
  }
}
