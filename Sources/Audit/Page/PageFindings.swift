import Bytes
import Records

extension StorePart {
  /// How many places of one kind of finding are listed.
  private var placeLimit: Int { isOfFleet ? 50 : 1000 }

  /// The serious kinds of findings in one line each, with the way to more about them.
  mutating func addFindingsAtAGlance() {
    var kinds: [(finding: Finding, count: Int)] = []
    var start = 0
    while start < audit.findings.count, audit.findings[start].severity > .note {
      let end = audit.findings.end(ofKindAt: start)
      kinds.append((audit.findings[start], audit.findings.places(in: start..<end)))
      start = end
    }
    guard !kinds.isEmpty else { return }
    html.markup("<ul class=glance>\n")
    for (finding, count) in kinds.prefix(8) {
      html.markup("<li>")
      html.severity(finding.severity)
      html.add(" ", count.grouped, " \u{D7} ")
      html.findingTitle(finding.code)
      html.markup("</li>\n")
    }
    if kinds.count > 8 {
      html.add("<li>and ", (kinds.count - 8).counted("more kind", "more kinds"), " below</li>\n")
    }
    html.markup("</ul>\n")
  }

  /// The findings, most serious first: each kind explained once, with its places.
  mutating func addFindings(withPlaces: Bool = true) {
    let count = audit.findings.places(in: audit.findings.indices)
    html.openSection("findings", "Findings, most serious first", count: count, level: level)
    defer { html.markup("</section>\n") }
    guard !audit.findings.isEmpty else { return html.markup("<p>Nothing odd was found.</p>\n") }
    var known: Set<String> = []
    var start = 0
    while start < audit.findings.count {
      let end = audit.findings.end(ofKindAt: start)
      let isNew = known.insert(audit.findings.code(at: start)).inserted
      add(start..<end, isFirstOfItsCode: isNew, withPlaces: withPlaces)
      start = end
    }
  }

  private mutating func add(
    _ places: Range<Int>, isFirstOfItsCode: Bool, withPlaces: Bool
  ) {
    let first = audit.findings[places.lowerBound]
    html.markup("<article class=\"finding ")
    html.text(first.severity.rawValue)
    html.markup("\"")
    if isFirstOfItsCode, first.code.isFindingCode { html.add(" id=f-", first.code, "") }
    html.markup(">\n")
    html.openHeading(level + 1)
    html.severity(first.severity)
    html.markup(" ")
    html.text(FindingCatalogue.kind(first.code)?.title ?? first.code)
    html.add(" <code>", first.code, "</code> <small>")
    html.add("", audit.findings.places(in: places).grouped, "</small>")
    html.closeHeading(level + 1)
    if isOfFleet {
      if first.code.isFindingCode {
        html.add("<p class=about><a href=\"#about-", first.code, "\">what it means</a></p>\n")
      }
    } else if isFirstOfItsCode, let kind = FindingCatalogue.kind(first.code) {
      html.explanation(of: kind)
    }
    if withPlaces { addPlaces(places) }
    html.markup("</article>\n")
  }

  private mutating func addPlaces(_ places: Range<Int>) {
    html.markup(places.count > 5 ? "<details><summary>all places</summary>" : "")
    html.markup("<ul>\n")
    for finding in audit.findings[places].prefix(placeLimit) {
      html.markup("<li>")
      if let operation = finding.operation {
        html.operationLink(operation)
        html.markup(", ")
      }
      let names = [finding.table, finding.itemID].compactMap(\.self)
      if !names.isEmpty {
        html.shortened(names.joined(separator: ", "))
        html.markup(": ")
      }
      html.shortened(finding.message)
      html.markup("</li>\n")
    }
    if places.count > placeLimit {
      let rest = audit.findings.places(in: places.dropFirst(placeLimit))
      html.add("<li>and ", rest.grouped, " more, which --json lists</li>\n")
    }
    html.markup(places.count > 5 ? "</ul></details>\n" : "</ul>\n")
  }

  /// Failures of operations that are no longer in the queue, and deleted items, which are none.
  mutating func addOldFailures() {
    guard !audit.queue.errors.isEmpty else { return }
    let named = Set(audit.queue.errors.lazy.compactMap(\.operation))
    let known = Set(audit.queue.operations.lazy.map(\.sequence).filter(named.contains))
    var (old, deleted): ([Int], [Int]) = ([], [])
    for (place, error) in audit.queue.errors.enumerated()
    where error.operation.map({ !known.contains($0) }) ?? true {
      if error.isDeletedItem { deleted.append(place) } else { old.append(place) }
    }
    addErrors(old, "failures", "Failures of changes that no longer wait") { $0.add(failure: $1) }
    addErrors(deleted, "deleted", "Deleted items that no delete in the queue took") { part, place in
      let error = part.audit.queue.errors[place]
      // What is no JSON object is shown as it is stored.
      guard let item = error.item ?? error.raw.map({ Array($0.shown.utf8) }) else { return }
      part.addItem(item, "On the device, before it was deleted", nil)
    }
  }

  /// A section with an article for each of some errors, as far as they are listed.
  private mutating func addErrors(
    _ places: [Int], _ id: StaticString, _ title: StaticString,
    add: (_ part: inout StorePart, _ place: Int) -> Void
  ) {
    guard !places.isEmpty else { return }
    html.openSection(id, title, count: places.count, level: level)
    for place in places.prefix(200) {
      let error = audit.queue.errors[place]
      html.markup("<article class=item>\n")
      html.openHeading(level + 1)
      html.add(
        "", [error.kind?.rawValue, error.table].compactMap(\.self).joined(separator: " "), "")
      html.markup(" <code>")
      html.shortened(error.itemID ?? "(no item)")
      html.markup("</code>")
      html.closeHeading(level + 1)
      add(&self, place)
      html.markup("</article>\n")
    }
    if places.count > 200 {
      html.add(
        "<p class=dim>and ", (places.count - 200).grouped, " more, which --json lists</p>\n")
    }
    html.markup("</section>\n")
  }

  /// Why an operation failed that is no longer in the queue, and both copies.
  private mutating func add(failure place: Int) {
    let error = audit.queue.errors[place]
    html.markup("<dl><div><dt>Reason</dt><dd>")
    html.shortened(audit.reason(ofError: place))
    html.markup("</dd></div></dl>\n")
    switch (error.item, error.serverItem) {
    case (let device?, let server?): addComparison(device, server, of: error, nil)
    case (let device?, nil): addItem(device, "On the device, when it failed", nil)
    case (nil, let server?): addItem(server, "On the server", nil)
    case (nil, nil): break
    }
  }
}

extension HTMLText {
  mutating func severity(_ severity: Severity) {
    switch severity {
    case .error: markup("<b class=error>error</b>")
    case .warning: markup("<b class=warning>warning</b>")
    case .note: markup("<b class=note>note</b>")
    }
  }

  /// Appends what a kind of finding is called, as a link to more about it.
  mutating func findingTitle(_ code: String) {
    let title = FindingCatalogue.kind(code)?.title ?? code
    guard code.isFindingCode else { return text(title) }
    add("<a href=\"#f-", code, "\">")
    add("", title, "</a>")
  }

  /// Appends what a kind of finding means, what to do, and what usually causes it.
  mutating func explanation(of kind: FindingKind) {
    add("<p class=meaning>", kind.meaning, "</p>\n")
    add(
      "<p class=remedy><strong>What to do.</strong> ", kind.remedies.joined(separator: " "),
      "</p>\n")
    markup("<details class=causes><summary>usual causes</summary><ul>")
    for cause in kind.causes { add("<li>", cause, "</li>") }
    markup("</ul></details>\n")
  }
}
