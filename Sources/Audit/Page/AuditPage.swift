import Bytes
package import Records

/// Writes audits as one page of HTML that needs nothing from outside, in pieces.
///
/// A policy in the page lets browsers run only the page's own style and script, known by hash.
package struct AuditPage: ~Copyable {
  var html = HTMLText()
  private let write: ([UInt8]) throws(StoreError) -> Void
  /// The parts of the stores, which have to wait until all of them can be compared.
  private var waiting: WaitingParts?
  private var summaries: [StoreSummary] = []
  /// What begins the page, until it is written.
  private var head: [UInt8] = []

  /// A page about so many stores, whose pieces go to `write`.
  package init(storeCount: Int = 1, write: @escaping ([UInt8]) throws(StoreError) -> Void) {
    self.write = write
    waiting = storeCount > 1 ? WaitingParts() : nil
    html.markup("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n")
    html.markup("<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; ")
    html.markup("base-uri 'none'; form-action 'none'; style-src 'sha256-")
    html.hash(PageStyle.css)
    html.markup("'; script-src 'sha256-")
    html.hash(PageScript.source)
    html.markup("'\">\n<meta name=viewport content=\"width=device-width,initial-scale=1\">\n")
    html.markup("<meta name=referrer content=no-referrer><title>rehome audit</title>\n<style>")
    html.markup(PageStyle.css)
    html.markup("</style></head><body>\n<h1>What never reached the server, and why</h1>\n")
    // The head comes first in any case; what follows may wait.
    head = html.take()
  }

  /// Writes the audit of one store, under a name that tells it from others.
  ///
  /// - Throws: whatever `write` throws.
  package mutating func add(_ audit: StoreAudit, name: String? = nil) throws(StoreError) {
    let name = name ?? audit.source.name
    summaries.append(StoreSummary(audit, name: name))
    html.markup("<section id=store-")
    html.number(summaries.count)
    html.markup(">\n")
    addSummary(audit, name: name)
    addGlance(audit)
    html.markup("<div class=cards>\n")
    addKindChart(audit)
    addFailureChart(audit)
    addTimeline(audit)
    html.markup("</div>\n")
    try addFindings(audit)
    try addErrors(audit)
    addReplays(audit)
    try addOperations(audit)
    try addEffects(audit)
    try addTokens(audit)
    html.markup("</section>\n")
  }

  /// Ends the page.
  ///
  /// - Throws: whatever `write` throws.
  package mutating func finish() throws(StoreError) {
    if var parts = waiting.take() {
      try parts.add(html.take())
      try addOverview(summaries)
      try flush()
      try write(takeHead() + html.take())
      try parts.forEach(write)
    }
    html.markup("<script>")
    html.markup(PageScript.source)
    html.markup("</script>\n</body></html>\n")
    try write(takeHead() + html.take())
  }

  private mutating func takeHead() -> [UInt8] {
    defer { head.removeAll() }
    return head
  }

  /// Hands over what has gathered, once that is worth a call.
  mutating func flush() throws(StoreError) {
    guard html.bytes.count > 64 << 10 else { return }
    if waiting != nil {
      try waiting?.add(html.take())
    } else {
      try write(takeHead() + html.take())
    }
  }

  private mutating func addSummary(_ audit: StoreAudit, name: String) {
    html.markup("<h2>")
    html.text(name)
    html.markup(" <small>")
    html.text(
      [audit.source.layout.rawValue, audit.source.generation].compactMap(\.self)
        .joined(separator: ", "))
    html.markup("</small></h2>\n<p class=lead>")
    let waiting = audit.pendingCounts.reduce(0) { $0 + $1.total }
    let failed = Set(audit.queue.errors.compactMap(\.operation)).count
    if waiting == 0 {
      html.text(audit.findings.nothingWaits)
    } else {
      html.number(waiting)
      html.text(waiting == 1 ? " operation waits to be sent; " : " operations wait to be sent; ")
      html.number(failed)
      html.text(" of them failed when the app tried.")
    }
    html.markup("</p>\n")
  }
}

extension HTMLText {
  /// Appends the hash by which a policy knows a style or script.
  fileprivate mutating func hash(_ source: StaticString) {
    var text: [UInt8] = []
    text.append(source)
    var hash = SHA256()
    hash.update(text.span)
    let digest = hash.finish().bytes
    var encoded: [UInt8] = []
    encoded.appendBase64(digest.span)
    self.text(encoded.span)
  }
}
