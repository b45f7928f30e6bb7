import Bytes
import Foundation
import Opening
import Records
import SQLite
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
  ]

  /// Prints what is wrong with a page and with what is packed in it, then the texts in both.
  private static let parser = """
    import base64, gzip, re, sys, html.parser
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
            if code < 32 and code not in (9, 10) or code in (0x85, 0x2028, 0x2029, 0x202e, 0x2066):
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
    let audit = StoreAudit(
      input, rows: AttachedRows(), effects: Fold(situation.queue.operations).effects)
    #expect(try lines(of: audit).first == "")
    #expect(try lines(of: audit, audit, names: Self.hostile).first == "")
  }

  @Test func countsOfNoTableComeBeforeThoseOfAnEmptyName() {
    var situation = AuditSituation()
    situation.add(.insert, .update, .delete)
    situation.queue.operations[0].table = ""
    situation.queue.operations[1].table = nil
    // Dictionaries order their keys differently in each.
    for _ in 0..<20 {
      let audit = StoreAudit(
        situation.input, rows: AttachedRows(), effects: Fold(situation.queue.operations).effects)
      #expect(audit.pendingCounts.map(\.table) == [nil, "", "TodoItem"])
    }
  }

  @Test func overviewNamesTheWorstStoreFirst() throws {
    var (good, bad) = (AuditSituation(), AuditSituation())
    good.add(.insert)
    bad.add(nil)
    let audits = [good, bad].map { situation in
      StoreAudit(
        situation.input, rows: AttachedRows(), effects: Fold(situation.queue.operations).effects)
    }
    let lines = try lines(of: audits[0], audits[1], names: ["good", "bad"])
    #expect(lines.first == "")
    let places = ["bad", "good"].map { name in lines.firstIndex(of: "link " + name) ?? -1 }
    #expect(places[0] > 0 && places[0] < places[1])
  }

  @Test func whatIsNotOnThePageAtOnceIsPackedInIt() throws {
    var situation = AuditSituation()
    for number in 0..<2000 { situation.add(.update, item: "item \(number)") }
    let audit = StoreAudit(
      situation.input, rows: AttachedRows(), effects: Fold(situation.queue.operations).effects)
    let lines = try lines(of: audit)
    #expect(lines.first == "")
    let items = Set(lines.filter { $0.hasPrefix("item ") })
    #expect(items.isSuperset(of: (0..<2000).map { "item \($0)" }))
  }

  /// Parts in both forms, in the short one alone and in none, in any order.
  @Test func packsTellWhatTheyHadNoRoomFor() throws {
    for room in stride(from: 0, to: 4_000_000, by: 100_000) {
      var packs = PagePacks()
      var absent = 0
      for number in 0..<500 {
        let noise = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* (number + 7) >> 3) }
        let short = Array("<p>\(number)</p>".utf8)
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
    }
  }

  /// What is not made, since there is no room, would not have been shown either.
  @Test(arguments: [0, 30_000, 400_000, 1_500_000])
  func partsThatAreNotMadeHadNoRoom(room: Int) throws {
    var random = SeededGenerator(seed: 3)
    var (all, few) = (PagePacks(), PagePacks())
    for _ in 0..<4000 {
      let (whole, short) = (random.bytes(900), random.bytes(150))
      try all.add(whole: whole, short: short, weight: 0)
      guard few.mayBeShown(within: room) else {
        try few.leaveOut(1)
        continue
      }
      try few.add(
        whole: few.mayBeWhole(within: room) ? whole : nil, short: short, weight: 0)
    }
    let shown = try all.write(within: room) { (_) throws(StoreError) in }
    let made = try few.write(within: room) { (_) throws(StoreError) in }
    #expect(made.whole + made.short + made.none == 4000)
    // As many parts as a pack has in the short form, or in both.
    #expect(made.whole + made.short >= shown.whole + shown.short - (256 << 10) / 150)
    #expect(made.whole >= shown.whole - (256 << 10) / 900)
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
    var bytes: [UInt8] = []
    var page = AuditPage(storeCount: audits.count) { (piece) throws(StoreError) in bytes += piece }
    for (place, audit) in audits.enumerated() {
      try page.add(audit, name: place < names.count ? names[place] : nil)
    }
    try page.finish()
    let output = try Python.run(Self.parser, input: Data(bytes))
    return String(decoding: output, as: UTF8.self).components(separatedBy: "\n")
  }
}
