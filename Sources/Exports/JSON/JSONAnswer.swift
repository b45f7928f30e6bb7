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
  /// Whether the answer says how many rows it has, whatever that is.
  private var hasCounts = false
  /// How many rows the answer says it has, and how many the page has that says so.
  private var claims: [Claim] = []
  /// Members that were left aside, though they do not merely tell of the answer.
  private var aside = ToldNames()
  /// How many values stand where a page should.
  private var strays = 0
  /// How many elements hold no row where others hold one each.
  private var emptyHolders = 0
  /// What the first page says in members that others may have otherwise, by their words.
  private var told: [String: (name: String, value: [UInt8])] = [:]
  /// Members that tell of a failure, though there are rows.
  private var failures: [String] = []
  private var rows: [Int: Int] = [:]
  private var rowsBefore = 0
  /// Whether rows without an answer around them came, too, which may be those that it goes on with.
  private var hasLastPage = false
  /// What OData calls the rows.
  private(set) var context: [UInt8]?

  /// The name of the rows' table that OData's context tells; nil where there is none.
  var tableName: String? { context.flatMap(Self.tableName(ofContext:)) }

  /// The name of the table to which a context of OData leads.
  static func tableName(ofContext context: [UInt8]) -> String? {
    let text = String(decoding: context, as: UTF8.self)
    guard let mark = text.lastIndex(of: "#") else { return nil }
    let path = text[text.index(after: mark)...].prefix { !"&?".contains($0) }
    let parts = parts(ofPath: path)
    // A collection of values has its type behind it. Of rows of a type that others go back to, the
    // type stands behind their name.
    let names = parts.map(\.name).filter { !$0.contains(".") }
    let isCollection = parts.first?.isCollection == true
    let name = isCollection ? parts.first?.inside : names.last ?? parts.last?.name
    // A namespace stands before the name, with a point between.
    return name?.split(separator: ".").last.map(String.init)
  }

  /// The parts of a path of OData that are names, with what stands in brackets behind them.
  private static func parts(
    ofPath path: Substring
  ) -> [(name: Substring, inside: Substring, isCollection: Bool)] {
    var parts: [(name: Substring, inside: Substring, isCollection: Bool)] = []
    var depth = 0
    for part in path.split(whereSeparator: { character in
      // What is chosen of rows may be a path, too.
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "/" && depth == 0
    }) {
      let name = part.prefix { $0 != "(" }
      guard let first = name.first, !"$@".contains(first) else { continue }
      let inside = part.dropFirst(name.count + 1).prefix { $0 != ")" }
      parts.append((name, inside, name == "Collection" && !inside.isEmpty))
    }
    return parts
  }

  /// Whether OData calls the rows what has changed since another answer.
  var tellsOfChanges: Bool { context?.contains("$delta".utf8) ?? false }

  private struct Claim {
    let name: String
    let count: Int
    /// How many rows the page has; nil as long as it goes on.
    var pageRows: Int?
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
    var hasPlace = false
    var pageCount = 0
    /// Members with a value that rows of an app have as well.
    var unsure: [String] = []
    /// Members with a place that may be that of the next page.
    var cursors: [String] = []

    /// Whether there are more rows elsewhere.
    var goesOn: Bool {
      hasNext || !hasNoNext && (isNotLast && isSure || isUndone && isOfQuery)
    }
  }

  private static let mostListed = 16
  /// The code of the finding that tells of a failure.
  private static let failureCode = "failure-beside-rows"
  /// The code of the finding that tells of values where pages should be.
  private static let strayCode = "values-among-pages"

  private var allRows: Int { rows.values.reduce(0, +) }

  mutating func beginPage() {
    endPage()
    pages += 1
  }

  private mutating func endPage() {
    let all = allRows
    for place in claims.indices where claims[place].pageRows == nil {
      claims[place].pageRows = all - rowsBefore
    }
    // A count that is right says no more than that this is an answer.
    let isCounted = claims.contains { $0.count == $0.pageRows }
    claims.removeAll { $0.count == $0.pageRows }
    if !page.isSure, !isCounted {
      for name in page.unsure { aside.insert(name) }
    }
    if !page.hasNext, !page.hasNoNext, !isCounted {
      for name in page.cursors { aside.insert(name) }
    }
    hasCounts = hasCounts || !claims.isEmpty
    rowsBefore = all
    if page.goesOn { pagesWithNext += 1 }
    if page.hasPlace { pageCount = max(pageCount, page.pageCount) }
    page = PageSigns()
  }

  @inline(__always)
  mutating func addRow(ofTable table: Int) {
    if pages > 0 { rows[table, default: 0] += 1 }
  }

  /// Takes a member whose value begins with `token`.
  package mutating func add(
    _ name: [UInt8], _ word: String, _ token: JSONReader.Token, _ text: [UInt8]
  ) {
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
      if token == .number || token == .string {
        addCount(name, text)
      } else if token == .boolean(true) {
        addAside(name)
      }
    } else if Self.isContext(name, word, token, text) {
      context = context ?? text
    } else if !JSONWords.isAbout(word) && !JSONWords.isAnnotation(name)
      || !JSONWords.suits(token, text, name, word)
    {
      addAside(name)
    } else if token == .string || token == .number {
      let member = String(decoding: name, as: UTF8.self)
      if JSONWords.missed.contains(word) { compare(member, word, text) }
      if JSONWords.cursors.contains(word), !text.isEmpty { page.cursors.append(member) }
      if !JSONWords.isAnnotation(name), JSONWords.mayBeOfRow(word, text) {
        page.unsure.append(member)
      }
    }
  }

  /// Whether a member is the context that OData gives to an answer; JSON-LD calls its own so, too.
  private static func isContext(
    _ name: [UInt8], _ word: String, _ token: JSONReader.Token, _ text: [UInt8]
  ) -> Bool {
    guard token == .string, word == "context" || word == "metadata" else { return false }
    return JSONWords.isODataAnnotation(name) || text.contains("$metadata".utf8)
  }

  /// Notes that there are more rows elsewhere.
  mutating func addNext() { page.hasNext = true }

  /// Notes what a member says of further pages without being a link to one.
  private mutating func addSigns(
    _ name: [UInt8], _ word: String, _ token: JSONReader.Token, _ text: [UInt8]
  ) {
    if JSONWords.isSurelyOfAnswer(word) || JSONWords.isODataAnnotation(name) { page.isSure = true }
    if JSONWords.signsOfQuery.contains(word) { page.isOfQuery = true }
    switch token {
    case .boolean(false) where JSONWords.ends.contains(word): page.isNotLast = true
    case .boolean(false) where word == "done": page.isUndone = true
    case .string where word == "offset" && JSONWords.isAirtableMark(text): addNext()
    case .number where JSONWords.placesOfPage.contains(word): page.hasPlace = true
    case .number where JSONWords.pageCounts.contains(word):
      page.pageCount = parseDecimal(text.span).map { Int($0) } ?? 0
    default: break
    }
  }

  /// Takes a member that was left aside, though it may be about something else than the answer.
  mutating func addAside(_ name: [UInt8]) { aside.insert(String(decoding: name, as: UTF8.self)) }

  /// Takes a value that stands where a page should, unless it says nothing.
  mutating func addStray(_ token: JSONReader.Token, _ text: [UInt8]) {
    if token == .number || Self.isTrue(token, text) { addStrays(1) }
  }

  mutating func addStrays(_ count: Int) { strays += count }

  mutating func addEmptyHolders(_ count: Int) { emptyHolders += count }

  /// Tells of a member that was left aside where a page has it otherwise than those before.
  private mutating func compare(_ name: String, _ word: String, _ value: [UInt8]) {
    if let known = told[word] {
      if known.value != value { aside.insert(name) }
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
        ? parseDecimal(text.span).map { 400..<600 ~= $0 } ?? JSONWords.tellsOfFailure(text)
        : JSONWords.successes.contains(word) && JSONWords.deniesSuccess(text)
    default: false
    }
  }

  /// Takes a member that tells of a failure.
  mutating func addFailure(_ name: [UInt8]) {
    let text = String(decoding: name, as: UTF8.self)
    if failures.count < Self.mostListed, !failures.contains(text) { failures.append(text) }
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

  /// Takes what may be a number of rows; an amount of money is none.
  private mutating func addCount(_ name: [UInt8], _ text: [UInt8]) {
    if let count = parseDecimal(text.span) {
      addClaim(name, Int(count))
    } else {
      addAside(name)
    }
  }

  /// Takes a number of rows that the answer says it has; below nothing it says that nobody counted.
  mutating func addClaim(_ name: [UInt8], _ count: Int) {
    guard count >= 0 else { return }
    if !JSONWords.countsOfPage.contains(JSONWords.word(name)) { hasCounts = true }
    guard claims.count < Self.mostListed else { return }
    claims.append(Claim(name: String(decoding: name, as: UTF8.self), count: count, pageRows: nil))
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
    claims += later.claims
    for (table, count) in later.rows { rows[table, default: 0] += count }
    rowsBefore = allRows
    aside.formUnion(later.aside)
    strays += later.strays
    emptyHolders += later.emptyHolders
    for (word, member) in later.told.sorted(by: { $0.key < $1.key }) {
      compare(member.name, word, member.value)
    }
    for name in later.failures where !failures.contains(name) { failures.append(name) }
    context = context ?? later.context
  }

  /// Takes that there are pages without an answer around them, and how many rows there are in each
  /// table of all pages.
  package mutating func addLastPage(rows all: [Int]) {
    hasLastPage = true
    rows = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($0.offset, $0.element) })
    rowsBefore = allRows
  }

  /// What a person should know of the answer; `table` is the name of the only one, if there is one,
  /// so many of the rows came before just as they are, and without these each table has `kept`.
  package func findings(table: String?, repeated: Int = 0, kept: [Int] = []) -> [Finding] {
    var ended = self
    ended.endPage()
    return ended.endedFindings(table: table, ended.allRows - repeated, kept: kept)
  }

  private func endedFindings(table: String?, _ allRows: Int, kept: [Int]) -> [Finding] {
    var findings: [Finding] = []
    let rows = allRows.counting("row", "rows")
    // Where one page is the last, all may be there; what counts them says whether they are.
    let lacksPages =
      !hasLastPage && pages > 0 && (pagesWithNext == pages || !hasCounts && pages < pageCount)
    if lacksPages {
      findings.append(
        Finding(
          "more-pages", .warning, table: table,
          message: "the answer goes on with another page; \(pages) with \(rows) "
            + (pages == 1 ? "is here" : "are here")))
    }
    let counts = kept.isEmpty ? Set(self.rows.values) : Set(kept)
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
          message: "the answer tells of a failure in \(failures.joined(separator: ", ")) beside "
            + "its rows, of which some may be missing"))
    }
    if strays > 0 {
      findings.append(
        Finding(
          Self.strayCode, .warning, table: table,
          message: "values where pages of rows should stand were left aside: \(strays)"))
    }
    if emptyHolders > 0 {
      findings.append(
        Finding(
          Self.strayCode, .warning, table: table,
          message: "elements without a row, where others hold one each, were left aside: "
            + "\(emptyHolders)"))
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
