import Bytes
import Records

/// What the page of a fleet says about all stores together.
struct FleetOverview {
  /// A kind of finding, over all stores.
  struct KindCount {
    let code: String
    var severity: Severity
    var stores = 0
    var places = 0
  }

  private(set) var summaries: [StoreSummary] = []
  private(set) var kinds: [String: KindCount] = [:]
  private(set) var fates = FateCounts()
  /// How far all stores tell what waits, those that are left out among them.
  private var coverage = QueueCoverage()
  private var leftOut = LeftOutStores()

  /// Takes a store; `findings` are nil where it could not be read.
  mutating func add(_ summary: StoreSummary, _ findings: FindingList?) {
    summaries.append(summary)
    fates.add(summary.fates)
    coverage.add(summary.coverage)
    guard let findings else { return }
    for code in summary.codes {
      kinds[code, default: KindCount(code: code, severity: .note)].stores += 1
    }
    var start = 0
    while start < findings.count {
      let end = findings.end(ofKindAt: start)
      let code = findings.code(at: start)
      kinds[code]?.places += findings.places(in: start..<end)
      let severity = findings.severity(at: start)
      if let known = kinds[code]?.severity, known < severity { kinds[code]?.severity = severity }
      start = end
    }
  }

  /// Counts a store that is left out.
  mutating func leaveOut(_ summary: StoreSummary) {
    leftOut.add(summary)
    coverage.add(summary.coverage)
  }

  /// How many stores could not be read.
  var unreadable: Int { summaries.count { $0.trouble != nil } }

  /// How many stores there are, those that are left out among them.
  var storeCount: Int { summaries.count + leftOut.count }

  var title: String { storeCount.counted("store", "stores") }

  /// The kinds of findings, most serious first, then those that most stores have.
  var sortedKinds: [KindCount] {
    kinds.values.sorted {
      ($1.severity, $1.stores, $0.code) < ($0.severity, $0.stores, $1.code)
    }
  }

  /// The groups of stores that are alike, the largest first.
  var groups: [(layout: String, stores: [StoreSummary])] {
    Dictionary(grouping: summaries, by: \.layout)
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .map { ($0.key, $0.value) }
  }

  /// A few sentences that say how the stores stand.
  var lead: String {
    wordsOfChanges
      + (unreadable > 0 ? " \(unreadable.counted("store", "stores")) could not be read." : "")
      + (leftOut.words.map { " \($0)." } ?? "") + wordsOfTwins
  }

  private var wordsOfTwins: String {
    let twins = summaries.count(where: \.isTwin)
    guard twins > 0 else { return "" }
    return " \(twins.counted("store has", "stores have")) the bytes of another one, and "
      + (twins == 1 ? "is counted beside it." : "are counted beside them.")
  }

  /// What waits in the stores that are listed; that nothing does only where it is so in all.
  private var wordsOfChanges: String {
    let lacking = coverage.lacking.counted("store", "stores")
    if fates.waiting == 0, leftOut.waiting == 0 { return coverage.nothingWaits(lacking) }
    let caveat = coverage.caveat(lacking).map { " But \($0): see the findings." } ?? ""
    guard fates.waiting > 0 else { return "In the stores listed nothing waits." + caveat }
    let parts = [
      (fates[.decide], "needs a decision", "need a decision"),
      (fates[.lost], "cannot be sent", "cannot be sent"),
      (fates[.ready], "can still be sent as it is", "can still be sent as they are"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.0 == 1 ? $0.1 : $0.2)" }
    let affected = summaries.count { $0.fates.waiting > 0 }
    return
      "\(fates.waiting.counted("change", "changes")) in \(affected.counted("store", "stores")) "
      + "\(fates.waiting == 1 ? "has" : "have") not reached the server: "
      + parts.joined(separator: ", ") + "." + caveat
  }
}

extension HTMLText {
  /// How many stores the list shows before a script takes over.
  private static let plainRows = 100

  mutating func addFleet(_ fleet: FleetOverview, _ origin: PageOrigin?) throws(StoreError) {
    markup("<header><p class=kicker>Audit of a fleet</p>\n<h1>")
    add("", fleet.title, "</h1>\n<p class=lead>")
    add("", fleet.lead, "</p></header>\n")
    markup("<nav aria-label=\"Parts of the audit\"><ul>\n")
    markup("<li><a href=\"#stores\">Stores</a></li>\n<li><a href=\"#kinds\">Findings</a></li>\n")
    markup("<li><a href=\"#groups\">Layouts</a></li>\n")
    markup("<li><a href=\"#meaning\">What the findings mean</a></li>\n")
    markup("<li><a href=\"#source\">What was read</a></li>\n</ul></nav>\n")
    markup("<main id=main tabindex=-1>\n<section id=store hidden></section>\n<div id=overview>\n")
    addNumbers(fleet)
    addKinds(fleet)
    addGroups(fleet)
    try addStores(fleet)
    addMeanings(fleet)
    if let origin {
      openSection("source", "What was read", count: nil, level: 2)
      markup("<table class=facts><caption class=hidden>the sources</caption><tbody>\n")
      row("Stores", fleet.storeCount.grouped)
      rows(of: origin)
      markup("</tbody></table></section>\n")
    }
    markup("</div>\n")
  }

  private mutating func addNumbers(_ fleet: FleetOverview) {
    let numbers: [(Int, StaticString, StaticString, StaticString)] = [
      (
        fleet.fates[.decide], "decide", "change waits for a decision",
        "changes wait for a decision"
      ), (fleet.fates[.lost], "lost", "cannot be sent any more", "cannot be sent any more"),
      (fleet.fates[.ready], "ready", "can be sent as it is", "can be sent as they are"),
      (fleet.unreadable, "unread", "store could not be read", "stores could not be read"),
    ]
    markup("<div class=numbers>\n")
    for (number, style, one, many) in numbers {
      markup("<p class=\"number ")
      markup(style)
      add("\"><b>", number.grouped, "</b> ")
      markup(number == 1 ? one : many)
      markup("</p>\n")
    }
    markup("</div>\n")
  }

  /// How many stores have each kind of finding, as bars on the scale of all stores.
  private mutating func addKinds(_ fleet: FleetOverview) {
    openSection("kinds", "Findings, by the stores that have them", count: nil, level: 2)
    defer { markup("</section>\n") }
    guard !fleet.kinds.isEmpty else { return markup("<p>Nothing odd was found.</p>\n") }
    add("<p class=hint>A bar over the whole width would be all ", fleet.title, ".</p>\n")
    markup("<table class=bars><caption class=hidden>findings</caption><thead><tr>")
    markup("<th scope=col>Finding</th><th scope=col class=n>Stores</th>")
    markup("<th scope=col class=n>Places</th><th scope=col>Share</th></tr></thead><tbody>\n")
    for kind in fleet.sortedKinds {
      markup("<tr><th scope=row>")
      severity(kind.severity)
      markup(" ")
      add(
        "<a href=\"#stores\" data-finding=\"", kind.code, "\">")
      add("", FindingCatalogue.kind(kind.code)?.title ?? kind.code, "</a> ")
      add("<code>", kind.code, "</code></th><td class=n>")
      add("", kind.stores.grouped, "</td><td class=n>")
      add("", kind.places.grouped, "</td><td><svg class=bar width=\"100%\" height=14")
      add(" role=img><title>", kind.stores.counted("store", "stores"), "</title>")
      markup("<rect class=whole height=12 y=1 x=0 width=\"100%\" /><rect class=")
      markup(kind.severity == .note ? "update" : "insert")
      markup(" height=12 y=1 x=0")
      share("width", of: kind.stores, max(1, fleet.storeCount))
      markup(" /></svg></td></tr>\n")
    }
    markup("</tbody></table>\n")
  }

  private mutating func addGroups(_ fleet: FleetOverview) {
    openSection("groups", "Layouts and versions", count: nil, level: 2)
    markup("<table class=bars><caption class=hidden>groups of stores</caption><thead><tr>")
    markup("<th scope=col>Layout, generation, model</th><th scope=col class=n>Stores</th>")
    markup("<th scope=col class=n>Waiting</th><th scope=col class=n>Decide</th>")
    markup("<th scope=col class=n>Lost</th></tr></thead><tbody>\n")
    for group in fleet.groups.prefix(200) {
      add("<tr><th scope=row><a href=\"#stores\" data-layout=\"", group.layout, "\">")
      add("", group.layout, "</a></th>")
      let waiting = group.stores.reduce(0) { $0 + $1.waiting }
      let decide = group.stores.reduce(0) { $0 + $1.fates[.decide] }
      let lost = group.stores.reduce(0) { $0 + $1.fates[.lost] }
      add("<td class=n>", group.stores.count.grouped, "</td>")
      let isTold = group.stores.contains(where: \.tellsWhatWaits)
      for number in [waiting, decide, lost] {
        add("<td class=n>", isTold ? number.grouped : "", "</td>")
      }
      markup("</tr>\n")
    }
    markup("</tbody></table></section>\n")
  }

  /// The list of stores, the worst first; the script shows the others from packed data.
  private mutating func addStores(_ fleet: FleetOverview) throws(StoreError) {
    openSection("stores", "Stores, worst first", count: fleet.summaries.count, level: 2)
    markup("<div id=search></div>\n<table class=stores><caption class=hidden>stores</caption>")
    markup("<thead><tr><th scope=col>Store</th><th scope=col>Worst finding</th>")
    markup("<th scope=col class=n>Decide</th><th scope=col class=n>Lost</th>")
    markup("<th scope=col class=n>Can be sent</th><th scope=col>Server last heard of</th>")
    markup("</tr></thead><tbody id=rows>\n")
    let order = StoreSummary.worstFirst(fleet.summaries)
    for place in order.prefix(Self.plainRows) { addRow(fleet.summaries[place], place + 1) }
    markup("</tbody></table>\n<p id=more class=dim>")
    if order.count > Self.plainRows {
      add("", (order.count - Self.plainRows).grouped, "")
      markup(" more are in this page; a script is needed to show them.")
    }
    markup("</p></section>\n")
    var rows = HTMLText()
    for (rank, place) in order.enumerated() {
      if rank > 0 { rows.separate(0x1E) }
      rows.addRecord(fleet.summaries[place], place + 1)
    }
    let packed = try PagePacks.packed(rows.bytes)
    markup("<script type=\"text/plain\" data-rows>")
    text(packed.span)
    markup("</script>\n")
  }

  /// What the script chooses by, then the row itself.
  private mutating func addRecord(_ summary: StoreSummary, _ number: Int) {
    let needs = [
      (summary.fates[.decide] > 0, "decide"), (summary.fates[.lost] > 0, "lost"),
      (summary.failed > 0, "failed"), (summary.trouble != nil, "unread"),
      (!summary.isProblem, "fine"),
    ]
    let fields = [
      String(number), summary.codes.joined(separator: " "), summary.layout,
      needs.filter(\.0).map(\.1).joined(separator: " "), String(summary.lastPull?.prefix(4) ?? ""),
    ]
    for field in fields {
      text(field)
      separate(0x1F)
    }
    addRow(summary, number)
  }

  private mutating func addRow(_ summary: StoreSummary, _ number: Int) {
    markup("<tr><th scope=row><a href=\"#store-")
    self.number(number)
    add("\">", summary.name, "</a>")
    if let device = summary.device { add(" <span class=dim>", device, "</span>") }
    add(" <small>", summary.layout, "</small></th><td>")
    if let trouble = summary.trouble {
      markup("<b class=error>could not be read</b> ")
      shortened(trouble)
      if let hint = summary.hint { add(" <small>try: ", hint, "</small>") }
    } else if let worst = summary.worst {
      severity(worst.severity)
      add(" ", FindingCatalogue.kind(worst.code)?.title ?? worst.code, "")
    } else {
      markup("nothing odd")
    }
    markup("</td>")
    for (fate, word) in [(ChangeFate.decide, "decide"), (.lost, "lost"), (.ready, "ready")] {
      add("<td class=n data-word=", word, ">")
      add("", summary.tellsWhatWaits ? summary.fates[fate].grouped : "", "</td>")
    }
    add("<td class=time>", String(summary.lastPull?.prefix(10) ?? ""), "</td></tr>\n")
  }

  private mutating func addMeanings(_ fleet: FleetOverview) {
    openSection("meaning", "What the findings mean", count: nil, level: 2)
    for count in fleet.sortedKinds where count.code.isFindingCode {
      guard let kind = FindingCatalogue.kind(count.code) else { continue }
      add("<details class=finding id=about-", kind.code, "><summary>")
      severity(count.severity)
      add(" ", kind.title, "")
      add(" <code>", count.code, "</code></summary>\n")
      explanation(of: kind)
      markup("</details>\n")
    }
    markup("</section>\n")
  }
}
