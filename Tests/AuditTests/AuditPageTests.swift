import Bytes
import Foundation
import Opening
import Records
import SQLite
import SyncSDKs
import TestSupport
import Testing

@testable import Audit

/// Pages are read by Python's own parser, as a witness that knows nothing of how they are made.
struct AuditPageTests {
  /// Connections borrow it, so it lives as long as the process.
  private static let interruption = Interruption { false }

  private static let hostile = [
    "</script><img onerror=alert(1) src=x>", "\"'`><svg onload=x>", "</textarea><!--", "]]>",
    "a\u{202E}b\u{2066}c\u{0}\u{1B}[0m\u{85}", "</td></table><iframe src=https://example.com>",
    "pay", "pay\u{200B}", "\u{FEFF}\u{AD}\u{2060}\u{61C}\u{E0041}\u{3164}", "\u{202A}x\u{202C}",
  ]

  /// Prints what is wrong with a page and with what is packed in it, then the texts in both.
  private static let parser = """
    import base64, gzip, re, sys, unicodedata, html.parser
    void = {'meta'}
    allowed = set('''html head meta title style body header h1 h2 h3 h4 small p section nav main div
    svg text tspan rect circle line a table caption thead tbody tr th td details summary pre ul li b i
    em strong span dl dt dd code article script'''.split())
    link = re.compile('#(store|op)-[0-9]+|#(f|about)-[a-z0-9-]+|#[a-z]+')
    class Page(html.parser.HTMLParser):
        def __init__(self):
            super().__init__()
            self.stack, self.names, self.faults, self.texts, self.packed = [], set(), [], [], []
        def handle_starttag(self, tag, attrs):
            self.names.add(tag)
            for name, value in attrs:
                isLink = name == 'href' and link.fullmatch(value)
                if name.startswith('on') or name in ('src', 'href', 'style') and not isLink:
                    self.faults.append(name)
            if tag not in void: self.stack.append(tag)
            self.isPacked = tag == 'script' and ('type', 'text/plain') in attrs
        def handle_startendtag(self, tag, attrs): self.names.add(tag)
        def handle_endtag(self, tag):
            if not self.stack or self.stack.pop() != tag: self.faults.append('/' + tag)
        def handle_comment(self, data): self.faults.append('comment')
        def handle_data(self, data):
            if self.stack and self.stack[-1] in ('style', 'script'):
                if self.isPacked: return self.packed.append(data)
                for bad in ('http:', 'https:', 'url(', 'import ', 'import(', 'fetch', 'eval'):
                    if bad in data: self.faults.append(bad)
            elif self.stack and self.stack[-1] == 'a': self.texts.append('link ' + data)
            elif data.strip(): self.texts.append(data)
    def check(text):
        page = Page(); page.feed(text); page.close()
        if page.stack: page.faults.append('open: ' + ' '.join(page.stack))
        for letter in text:
            code = ord(letter)
            hides = unicodedata.category(letter) in ('Cc', 'Cf', 'Zl', 'Zp') or code == 0x3164
            if hides and code not in (9, 10):
                page.faults.append(hex(code))
        page.faults += sorted(page.names - allowed)
        return page
    page = check(sys.stdin.buffer.read().decode('utf-8'))
    for packed in page.packed:
        for part in gzip.decompress(base64.b64decode(packed)).decode('utf-8').split('\\x1e'):
            inner = check(part.split('\\x1f')[-1])
            page.faults += inner.faults
            page.texts += inner.texts
    print(';'.join(page.faults))
    print('\\n'.join(page.texts))
    """

  @Test func nothingFromTheStoreBecomesMarkup() throws {
    var situation = AuditSituation()
    for text in Self.hostile {
      situation.add(.update, item: text, version: text)
      let last = situation.queue.operations.count - 1
      situation.queue.operations[last].table = text
      situation.addError(412, code: text)
      situation.queue.errors.updateEach { error in
        guard error.code == text else { return }
        error.message = text
        error.serverItem = Array(text.utf8)
      }
      situation.addToken("2016-10-03T06:30:00Z", table: text)
    }
    let input = situation.input
    let audit = StoreAudit(input)
    let lines = try lines(of: audit)
    #expect(lines.first == "")
    // What differs only in what hides looks different.
    for shown in [
      "pay", #"pay\u{200B}"#, #"\u{FEFF}\u{AD}\u{2060}\u{61C}\u{E0041}\u{3164}"#,
      #"\u{202A}x\u{202C}"#, #"a\u{202E}b\u{2066}c\u{00}\u{1B}[0m\u{85}"#,
    ] {
      #expect(lines.contains(shown), "\(shown)")
    }
    #expect(try self.lines(of: audit, audit, names: Self.hostile).first == "")
  }

  /// It is no failure, and nobody knows that anything failed.
  @Test func deletedItemsHaveASectionOfTheirOwn() throws {
    var situation = AuditSituation()
    situation.addError(412, operation: nil)
    var error = OperationError.deletedItem
    error.item = Array(#"{"id":"a","text":"last copy"}"#.utf8)
    situation.queue.errors.append(error)
    let audit = StoreAudit(situation.input)
    let lines = try lines(of: audit)
    #expect(lines.first == "")
    #expect(lines.contains { $0.hasPrefix("Deleted items that no delete in the queue took") })
    #expect(lines.contains("On the device, before it was deleted") && lines.contains("last copy"))
    #expect(lines.count { $0.hasPrefix("earlier, before the operation changed") } == 1)
    #expect(!lines.contains("On the device, when it failed"))
  }

  @Test func linesAndEmojiStayAsTheyAre() {
    var html = HTMLText()
    html.text("a\n\tb ❤\u{FE0F} 漢字 e\u{301} 🇩🇪")
    #expect(html.bytes == Array("a\n\tb ❤\u{FE0F} 漢字 e\u{301} 🇩🇪".utf8))
  }

  /// A store in which nothing waits, or something, of an SDK or of none, with a finding or without.
  private static func audit(
    _ kind: OperationKind?..., layout: Layout = .azureMobileIOS, finding: String? = nil
  ) -> StoreAudit {
    var situation = AuditSituation()
    situation.layout = layout
    for kind in kind { situation.add(kind) }
    return StoreAudit(
      situation.input, known: Findings(finding.map { [Finding($0, .warning, message: "m")] } ?? []))
  }

  /// The beginning of a computer's calendar stands for no time, and would make all others one dot.
  @Test func timesThatWereNeverSetAreNoMoments() {
    var situation = AuditSituation()
    situation.addToken("1970-01-01T00:00:00Z")
    situation.addToken("0001-01-01T00:00:00Z", table: "Other")
    situation.addToken("2016-10-03T06:30:00Z", table: "Third")
    let audit = StoreAudit(situation.input)
    let (moments, count) = audit.latestMoments(10)
    #expect(moments.map(\.title).sorted() == ["newest row of TodoItem", "pull of Third"])
    let last = audit.latestMoments(1)
    #expect(last.moments.map(\.title) == moments.suffix(1).map(\.title))
    #expect(count == 2 && last.count == 2)
  }

  @Test func overviewTellsThatChangesMayBeMissing() throws {
    let lost = Self.audit(finding: "wal-missing")
    let plain = Self.audit(layout: .sqlite)
    for (audits, words) in [
      ([lost, Self.audit(), lost], "but changes may be missing in 2 stores: see the findings."),
      (
        [lost, Self.audit(.insert)],
        "1 can still be sent as it is. But changes may be missing in 1 store: see the findings."
      ),
      ([Self.audit(), plain], "Nothing waits to be sent."),
      (
        [plain, plain],
        "No store that was read has a queue of changes, so none tells what reached a server."
      ),
    ] {
      let lead = try #require(try lines(of: audits).dropFirst().first { $0.contains(".") })
      #expect(lead.contains(words), "\(lead)")
    }
  }

  @Test func storesThatAreLeftOutCountInTheOverview() throws {
    let output = try Python.run(
      Self.parser,
      input: try page(of: 2) { (page) throws(StoreError) in
        try page.add(Self.audit(layout: .sqlite), name: "a")
        page.leaveOut(StoreSummary(Self.audit(finding: "wal-missing"), name: "b"))
      })
    let text = String(decoding: output, as: UTF8.self)
    #expect(text.contains("but changes may be missing in 1 store: see the findings."), "\(text)")
  }

  @Test func storeThatCannotBeReadHasTheWayOut() throws {
    let output = try Python.run(
      Self.parser,
      input: try page(of: 2) { (page) throws(StoreError) in
        try page.add(Self.good, name: "a")
        try page.add(
          UnreadableStore(
            name: "b", device: nil, code: "damaged", message: "it is damaged",
            hint: "use <--salvage>"))
      })
    let lines = String(decoding: output, as: UTF8.self).components(separatedBy: "\n")
    #expect(lines.first == "")
    #expect(lines.contains("try: use <--salvage>") && lines.contains("Try: use <--salvage>"))
  }

  /// A store with an insert that can be sent, and one with an operation that nobody can read.
  private static let good = audit(.insert)
  private static let bad = audit(nil)

  @Test func overviewCountsOneChangeAsOne() throws {
    let text = try lines(of: Self.good, Self.bad, names: ["good", "bad"]).joined(separator: " ")
    #expect(text.contains("1 can still be sent as it is"), "\(text)")
  }

  @Test func countsOfNoTableComeBeforeThoseOfAnEmptyName() {
    var situation = AuditSituation()
    situation.add(.insert, .update, .delete)
    situation.queue.operations[0].table = ""
    situation.queue.operations[1].table = nil
    // Dictionaries order their keys differently in each.
    for _ in 0..<20 {
      let audit = StoreAudit(situation.input)
      #expect(audit.pendingCounts.map(\.table) == [nil, "", "TodoItem"])
    }
  }

  @Test func overviewNamesTheWorstStoreFirst() throws {
    let lines = try lines(of: Self.good, Self.bad, names: ["good", "bad"])
    #expect(lines.first == "")
    let places = ["bad", "good"].map { name in lines.firstIndex(of: "link " + name) ?? -1 }
    #expect(places[0] > 0 && places[0] < places[1])
  }

  @Test func whatIsNotOnThePageAtOnceIsPackedInIt() throws {
    var situation = AuditSituation()
    for number in 0..<2000 { situation.add(.update, item: "item \(number)") }
    let audit = StoreAudit(situation.input)
    let lines = try lines(of: audit)
    #expect(lines.first == "")
    let items = Set(lines.filter { $0.hasPrefix("item ") })
    #expect(items.isSuperset(of: (0..<2000).map { "item \($0)" }))
  }

  /// A store of which the page has room for a few of its changes only, in whatever number of threads.
  @Test func changesWithoutRoomAreCountedWhereTheyWouldBe() throws {
    var situation = AuditSituation()
    var random = SeededGenerator(seed: 4)
    for _ in 0..<10_000 {
      situation.add(.update, item: String(UInt64.random(in: .min ... .max, using: &random)))
    }
    let audit = StoreAudit(situation.input)
    var pages: [[UInt8]] = []
    for threads in [1, 3] {
      var limits = InputLimits.current
      limits.threads = threads
      try InputLimits.$current.withValue(limits) {
        var bytes: [UInt8] = []
        var page = AuditPage(limit: 250_000) { (piece) throws(StoreError) in bytes += piece }
        try page.add(audit, name: "a store")
        try page.finish()
        pages.append(bytes)
      }
    }
    #expect(pages[0] == pages[1])
    let page = String(decoding: pages[0], as: UTF8.self)
    let here = try #require(page.firstMatch(of: /data-from=0 data-to=(\d+)>/)?.1)
    let left = try #require(page.firstMatch(of: />([\d,]+) more are not in this page/)?.1)
    let plain = page.matches(of: /<article class="item/).count
    #expect(plain + (Int(here) ?? 0) + (Int(left.filter { $0 != "," }) ?? 0) == 10_000)
    #expect((4096..<9000).contains(Int(here) ?? 0))
    #expect(pages[0].count < 500_000)
  }

  /// A long queue is packed while nothing is written, so whoever wants to stop it is asked for.
  @Test func packingEndsWhereNobodyWantsThePage() throws {
    var situation = AuditSituation()
    for number in 0..<1000 { situation.add(.update, item: "item \(number)") }
    let audit = StoreAudit(situation.input)
    var writes = 0
    let error = #expect(throws: StoreError.self) {
      var page = AuditPage(
        check: { () throws(StoreError) in
          if writes > 0 { throw StoreError.interrupted }
        }, write: { (_) throws(StoreError) in writes += 1 })
      try page.add(audit)
    }
    #expect(error?.kind == .interrupted)
  }

  /// Parts in both forms, in the short one alone and in none, in any order, under their numbers.
  @Test func packsTellWhatTheyHadNoRoomFor() throws {
    for room in stride(from: 0, to: 4_000_000, by: 250_000) {
      var packs = PagePacks()
      var absent = 0
      for number in 0..<500 {
        let noise = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* (number + 7) >> 3) }
        let short = Array("<p>\(packs.count)</p>".utf8)
        let isWhole = number / 50 % 3 != 1
        try packs.add(
          whole: isWhole ? short + noise.filter { $0 > 0x60 && $0 < 0x7B } : nil,
          short: short, weight: number % 3)
        if number % 99 == 98 {
          try packs.leaveOut(7)
          absent += 7
        }
      }
      var html: [UInt8] = []
      let found = try packs.write(within: room) { (piece) throws(StoreError) in html += piece }
      #expect(html.count <= room)
      #expect(found.whole + found.short + found.none == 500 + absent)
      #expect(found.whole <= 350 && found.none >= absent)
      #expect(packs.count == 500 + absent)
      let told = try Python.run(Self.packReader, input: Data(html))
      #expect(String(decoding: told, as: UTF8.self) == "\(found.whole + found.short) right\n")
    }
  }

  /// Says how many parts are under the numbers that they begin with.
  private static let packReader = """
    import base64, gzip, re, sys
    right = []
    pattern = rb'data-first=(\\d+) data-count=(\\d+)>([^<]*)</script>'
    for first, count, packed in re.findall(pattern, sys.stdin.buffer.read()):
        parts = gzip.decompress(base64.b64decode(packed)).split(b"\\x1e")
        assert len(parts) == int(count), (first, len(parts), count)
        for place, part in enumerate(parts, int(first)):
            assert part.startswith(b"<p>%d</p>" % place), (place, part[:20])
            right.append(place)
    assert len(set(right)) == len(right)
    print(len(right), "right")
    """

  /// What is not made, since there would be no room, would not have been shown either, but for as
  /// much as a pack has.
  ///
  /// A part that is longer than the page takes nothing from others.
  @Test(arguments: [600_000, 2_000_000], [false, true])
  func partsThatAreNotMadeHadNoRoom(room: Int, hasGiant: Bool) throws {
    var random = SeededGenerator(seed: 3)
    var (all, few) = (PagePacks(), PagePacks())
    var skipped = 0
    for number in 0..<8000 {
      let isGiant = hasGiant && number == 500
      let (whole, short) = (random.bytes(600), random.bytes(isGiant ? room : 100))
      try all.add(whole: whole, short: short, weight: 0)
      guard few.mayBeShown(within: room) else {
        skipped += 1
        continue
      }
      try few.add(whole: few.mayBeWhole(within: room) ? whole : nil, short: short, weight: 0)
    }
    try few.leaveOut(skipped)
    let shown = try all.write(within: room) { (_) throws(StoreError) in }
    let made = try few.write(within: room) { (_) throws(StoreError) in }
    #expect(made.whole + made.short + made.none == 8000)
    #expect((skipped > 0) == (room < 1_000_000))
    let (wholeInPack, shortInPack) = ((256 << 10) / 600 + 1, (256 << 10) / 100 + 1)
    #expect(made.whole >= shown.whole - wholeInPack)
    #expect(made.whole + made.short >= shown.whole + shown.short - shortInPack - wholeInPack)
    #expect(made.whole + made.short > 1000)
  }

  @Test(arguments: ["ios-2014", "ios-2015", "ios-2016"])
  func everyOperationOfASampleIsOnItsPage(sample: String) throws {
    let opening = StoreOpening(
      temporaryFolder: NSTemporaryDirectory(), interruption: Self.interruption)
    let path = ProjectFolders.samples.appendingPathComponent("\(sample)/qstodoitem.sqlite").path
    let audit = try StoreAudit(of: opening.reader(forStoreAt: path), now: .now) { _ in }
    let lines = try lines(of: audit)
    #expect(lines.first == "")
    for operation in audit.queue.operations {
      #expect(lines.contains(operation.itemID ?? ""))
      #expect(lines.contains { $0.hasPrefix("operation \(operation.sequence)") })
    }
  }

  /// What the parser says: the faults on one line, then the texts.
  private func lines(of audits: StoreAudit..., names: [String] = []) throws -> [String] {
    try lines(of: audits, names: names)
  }

  private func lines(of audits: [StoreAudit], names: [String] = []) throws -> [String] {
    let bytes = try page(of: audits.count) { (page) throws(StoreError) in
      for (place, audit) in audits.enumerated() {
        try page.add(audit, name: place < names.count ? names[place] : nil)
      }
    }
    let output = try Python.run(Self.parser, input: bytes)
    return String(decoding: output, as: UTF8.self).components(separatedBy: "\n")
  }

  /// A page about so many stores, which `add` adds.
  private func page(
    of count: Int, _ add: (inout AuditPage) throws(StoreError) -> Void
  ) throws -> Data {
    var bytes: [UInt8] = []
    var page = AuditPage(storeCount: count) { (piece) throws(StoreError) in bytes += piece }
    try add(&page)
    try page.finish()
    return Data(bytes)
  }
}
