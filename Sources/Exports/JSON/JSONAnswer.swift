import Bytes
package import Formats
package import Records

/// What an answer of a service says beside its rows, page by page.
package struct JSONAnswer: Sendable {
  private(set) var pages = 0
  /// How many of them say that there are more rows elsewhere.
  private var pagesWithNext = 0
  /// What the page that goes on says of others.
  private var page = PageSigns()
  /// How many pages there are, as one of them says that has a number among them.
  private var pageCount = 0
  /// How many rows the page that goes on has so far.
  private var rowsOfPage = 0
  /// Whether the answer says how many rows it has, whatever that is.
  private var hasCounts = false
  /// How many rows the answer says it has, where that is not what the page has that says so.
  private var claims: [Claim] = []
  /// Members that were left aside, though they do not merely tell of the answer.
  private var aside = ToldNames()
  /// What the first page says in members that others may have otherwise, by their words.
  private var told: [String: (name: [UInt8], value: [UInt8])] = [:]
  /// Members that tell of a failure, though there are rows.
  private var failures = ToldNames()
  private var rows: [Int: Int] = [:]
  /// What OData calls the rows.
  private(set) var context: [UInt8]?

  private struct Claim {
    let name: String
    let count: Int
  }

  /// What a page says of the others.
  private struct PageSigns {
    var hasNext = false
    /// Whether it says that nothing comes next.
    var hasNoNext = false
    /// Whether it says that it is not the last, as rows of an app may say of themselves, too.
    var isNotLast = false
    /// Whether it says that it is not done, as what people do says, too.
    var isUndone = false
    /// Whether it says what nothing but an answer does.
    var isSure = false
    /// Whether it says what nothing but the answer to a query of Salesforce does.
    var isOfQuery = false
    var claims: [Claim] = []
    /// Members with a value that rows of an app have as well.
    var unsure: [String] = []

    /// Whether there are more rows elsewhere.
    var goesOn: Bool {
      hasNext || !hasNoNext && (isNotLast && isSure || isUndone && isOfQuery)
    }
  }

  /// As many different numbers cannot all be that of the rows.
  private static let mostClaims = 16
  /// The code of the finding that tells of a failure.
  private static let failureCode = "failure-beside-rows"
  /// The codes of findings that no further page makes good.
  static let lastingCodes: Set = [failureCode, "members-left-aside"]

  private var allRows: Int { rows.values.reduce(0, +) }

  mutating func beginPage() {
    endPage()
    pages += 1
  }

  private mutating func endPage() {
    // A count that is right says no more than that this is an answer.
    let isCounted = page.claims.contains { $0.count == rowsOfPage }
    if !page.isSure, !isCounted {
      for name in page.unsure { aside.insert(name) }
    }
    let rest = page.claims.filter { $0.count != rowsOfPage }
    hasCounts = hasCounts || !rest.isEmpty
    addClaims(rest)
    if page.goesOn { pagesWithNext += 1 }
    page = PageSigns()
    rowsOfPage = 0
  }

  /// Keeps one claim of each number.
  private mutating func addClaims(_ more: [Claim]) {
    for claim in more
    where claims.count < Self.mostClaims && !claims.contains(where: { $0.count == claim.count }) {
      claims.append(claim)
    }
  }

  @inline(__always)
  mutating func addRow(ofTable table: Int) {
    guard pages > 0 else { return }
    rows[table, default: 0] += 1
    rowsOfPage += 1
  }

  /// Takes a member that is a text, a number or a word.
  package mutating func add(
    _ name: [UInt8], _ word: String, _ token: JSONReader.Token, _ text: [UInt8]
  ) {
    let isKnown = JSONWords.isKnownAnnotation(name, word)
    guard isKnown || JSONWords.mayTell(token, text, in: word) else { return addAside(name) }
    addSigns(name, word, token, text)
    if Self.tellsOfFailure(word, token, text) {
      addFailure(name)
    } else if JSONWords.next.contains(word) {
      if Self.isTrue(token, text), !(token == .string && JSONWords.word(text) == "false") {
        addNext()
      } else {
        page.hasNoNext = true
      }
    } else if JSONWords.counts.contains(word) {
      if let count = parseDecimal(text.span), token == .number || token == .string {
        addClaim(name, word, Int(count))
      }
    } else if Self.isContext(name, word, token, text) {
      context = context ?? text
    } else if !isKnown {
      addOther(name, word, token, text)
    }
  }

  /// Takes a member that says nothing of how many rows there are.
  private mutating func addOther(
    _ name: [UInt8], _ word: String, _ token: JSONReader.Token, _ text: [UInt8]
  ) {
    // What tells of an answer stands inside, or behind a link.
    let isOutside = JSONWords.about.contains(word) && !JSONWords.pageNumbers.contains(word)
    if !JSONWords.isAbout(word) || isOutside && Self.isTrue(token, text) && !JSONWords.isLink(text)
    {
      return addAside(name)
    }
    let isSaid = token == .string || token == .number
    if isSaid, JSONWords.missed.contains(word) { compare(name, word, text) }
    if isSaid ? JSONWords.mayBeOfRow(word, text) : word == "done" {
      page.unsure.append(String(decoding: name, as: UTF8.self))
    }
  }

  /// Takes a member that is an object or array, of which nothing else is looked at.
  mutating func add(_ name: [UInt8], _ word: String, _ inside: JSONInside) {
    guard !JSONWords.isKnownAnnotation(name, word) else { return addSureness(name, word) }
    let isLinks = JSONWords.linkLists.contains(word) && inside.isArray
    if isLinks, inside.hasNextLink { addNext() }
    guard isLinks || JSONWords.isAbout(word), JSONWords.mayTell(inside, in: word) else {
      return addAside(name)
    }
    addSureness(name, word)
    guard inside.saysSomething else { return }
    if JSONWords.next.contains(word) { return addNext() }
    if JSONWords.counts.contains(word) { return addClaim(name, word, inside.count ?? 0) }
    if JSONWords.mayBeOfRow(word) { page.unsure.append(String(decoding: name, as: UTF8.self)) }
  }

  /// Whether a member is the context that OData gives to an answer; JSON-LD calls its own so, too.
  private static func isContext(
    _ name: [UInt8], _ word: String, _ token: JSONReader.Token, _ text: [UInt8]
  ) -> Bool {
    guard token == .string, word == "context" || word == "metadata" else { return false }
    return JSONWords.isODataAnnotation(name) || text.contains("$metadata".utf8)
  }

  /// Notes that there are more rows elsewhere.
  private mutating func addNext() { page.hasNext = true }

  /// Notes what only an answer has.
  mutating func addSureness(_ name: [UInt8], _ word: String) {
    if JSONWords.isSurelyOfAnswer(word) || JSONWords.isODataAnnotation(name) { page.isSure = true }
  }

  /// Notes what a member says of further pages without being a link to one.
  private mutating func addSigns(
    _ name: [UInt8], _ word: String, _ token: JSONReader.Token, _ text: [UInt8]
  ) {
    addSureness(name, word)
    if JSONWords.signsOfQuery.contains(word) { page.isOfQuery = true }
    switch token {
    case .boolean(false) where JSONWords.ends.contains(word): page.isNotLast = true
    case .boolean(false) where word == "done": page.isUndone = true
    case .string where word == "offset" && JSONWords.isAirtableMark(text): addNext()
    case .number where JSONWords.pageCounts.contains(word),
      .string where JSONWords.pageCounts.contains(word):
      pageCount = max(pageCount, parseDecimal(text.span).map { Int($0) } ?? 0)
    default: break
    }
  }

  mutating func addAside(_ name: [UInt8]) { aside.insert(String(decoding: name, as: UTF8.self)) }

  /// Tells of a member that was left aside where a page has it otherwise than those before.
  private mutating func compare(_ name: [UInt8], _ word: String, _ value: [UInt8]) {
    if let known = told[word] {
      if known.value != value { addAside(name) }
    } else {
      told[word] = (name, value)
    }
  }

  private static func tellsOfFailure(
    _ word: String, _ token: JSONReader.Token, _ text: [UInt8]
  ) -> Bool {
    switch token {
    case .boolean(false): JSONWords.successes.contains(word)
    case .boolean(true): JSONWords.shortfalls.contains(word)
    case .number, .string:
      JSONWords.statuses.contains(word)
        ? parseDecimal(text.span).map { 400..<600 ~= $0 } ?? false
        : JSONWords.successes.contains(word) && JSONWords.deniesSuccess(text)
    default: false
    }
  }

  /// Takes a member that tells of a failure.
  mutating func addFailure(_ name: [UInt8]) {
    failures.insert(String(decoding: name, as: UTF8.self))
  }

  /// Takes what an attribute of the root of an XML document says.
  mutating func add(attribute name: [UInt8], _ text: [UInt8]) {
    let word = JSONWords.word(name)
    let token: JSONReader.Token =
      switch JSONWords.word(text) {
      case "true": .boolean(true)
      case "false": .boolean(false)
      default: parseReal(text.span) == nil ? .string : .number
      }
    if JSONWords.failures.contains(word) {
      if Self.isTrue(token, text) { addFailure(name) }
    } else {
      add(name, word, token, text)
    }
  }

  /// Takes a number of rows that the answer says it has; below nothing it says that nobody counted.
  private mutating func addClaim(_ name: [UInt8], _ word: String, _ count: Int) {
    guard count >= 0 else { return }
    if !JSONWords.countsOfPage.contains(word) { hasCounts = true }
    page.claims.append(Claim(name: String(decoding: name, as: UTF8.self), count: count))
  }

  static func isTrue(_ token: JSONReader.Token, _ text: [UInt8]) -> Bool {
    switch token {
    case .null, .boolean(false): false
    case .string: !text.isEmpty
    case .number: !text.elementsEqual("0".utf8)
    default: true
    }
  }

  /// Takes what the pages that follow say.
  package mutating func add(_ later: JSONAnswer) {
    endPage()
    var later = later
    later.endPage()
    pages += later.pages
    pagesWithNext += later.pagesWithNext
    pageCount = max(pageCount, later.pageCount)
    hasCounts = hasCounts || later.hasCounts
    addClaims(later.claims)
    for (table, count) in later.rows { rows[table, default: 0] += count }
    aside.formUnion(later.aside)
    for (word, member) in later.told.sorted(by: { $0.key < $1.key }) {
      compare(member.name, word, member.value)
    }
    failures.formUnion(later.failures)
    context = context ?? later.context
  }

  /// What a person should know of the answer; `table` is the name of the only one, if there is one,
  /// and so many of the rows came before just as they are.
  package func findings(table: String?, repeated: Int = 0) -> [Finding] {
    var ended = self
    ended.endPage()
    return ended.endedFindings(table: table, ended.allRows - repeated)
  }

  private func endedFindings(table: String?, _ allRows: Int) -> [Finding] {
    var findings: [Finding] = []
    let rows = allRows.counting("row", "rows")
    // Where one page is the last, all may be there.
    let lacksPages = pages > 0 && (pagesWithNext == pages || !hasCounts && pages < pageCount)
    if lacksPages {
      findings.append(
        Finding(
          "more-pages", .warning, table: table,
          message: "the answer goes on with another page; \(pages) with \(rows) "
            + (pages == 1 ? "is here" : "are here")))
    }
    let counts = Set(self.rows.values)
    if let claim = claims.first(where: { $0.count != allRows && !counts.contains($0.count) }),
      !(lacksPages && claim.count > allRows)
    {
      findings.append(
        Finding(
          "count-differs", .warning, table: table,
          message:
            "the answer says \(claim.name) \(claim.count), and "
            + allRows.counting("row is", "rows are") + " here"))
    }
    if !failures.isEmpty {
      findings.append(
        Finding(
          Self.failureCode, .warning, table: table,
          message: "the answer tells of a failure in \(failures.text) beside "
            + "its rows, of which some may be missing"))
    }
    if !aside.isEmpty {
      findings.append(
        Finding(
          "members-left-aside", .note, table: table,
          message: "members beside the rows were left aside: \(aside.text)"))
    }
    return findings
  }
}
