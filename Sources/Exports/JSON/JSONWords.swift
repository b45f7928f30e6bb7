import Bytes

/// The names that services give to what they wrap around rows.
///
/// Names are compared in lower case, without signs, and without the mark of OData in front:
/// `@odata.nextLink`, `next_link` and `nextLink` are one.
enum JSONWords {
  /// Members that hold the rows, whatever they are.
  static let rows: Set<String> = [
    "value", "values", "results", "result", "items", "data", "rows", "records", "list", "entries",
    "content", "elements", "objects", "documents", "docs", "hits", "resources", "entities",
    "nodes", "d", "member", "hydramember", "payload", "response",
  ]

  static let envelopes: Set<String> = rows.union([
    "embedded", "body", "search", "query", "feed",
  ])

  /// Members that say how many rows there are.
  static let counts: Set<String> = [
    "count", "total", "totalcount", "totalitems", "totalresults", "totalrecords", "totalrows",
    "totalelements", "totalobjects", "totalsize", "totaldocs", "numfound", "recordcount",
    "recordstotal", "hydratotalitems",
  ]

  /// Those of them that may be about the page alone.
  static let countsOfPage: Set<String> = ["count", "recordcount"]

  /// Members that say where more rows are.
  static let next: Set<String> = [
    "next", "nextlink", "nexthref", "nextpage", "nextpagetoken", "nextpageurl", "nexturl",
    "nextcursor", "nexttoken", "nextrecordsurl", "nextpagestart", "nextoffset",
    "nextcontinuationtoken", "continuationtoken", "istruncated",
    "lastevaluatedkey", "hasmore", "hasnext", "hasnextpage", "hydranext", "morerecords",
    "microsoftdynamicscrmmorerecords", "exceededtransferlimit",
  ]

  /// Members that are false where more rows are elsewhere.
  static let ends: Set<String> = ["islast", "islastpage", "last", "lastpage"]

  /// Members that say how many pages there are.
  static let pageCounts: Set<String> = [
    "totalpages", "pages", "pagecount", "lastpage", "numpages", "numberofpages",
  ]

  /// Members beside which `done` says whether more rows are elsewhere.
  static let signsOfQuery: Set<String> = ["totalsize", "querylocator"]

  /// Members that list links, each of which says itself where it leads.
  static let linkLists: Set<String> = ["link", "links"]

  /// Members of a link that say what it is to the answer.
  static let relations: Set<String> = ["rel", "relation"]

  /// Members of a link with its address.
  static let addresses: Set<String> = ["href", "uri", "url"]

  /// Members that have the ones above inside.
  static let about: Set<String> = [
    "info", "links", "meta", "metadata", "paging", "pagination", "page", "pageinfo",
    "responsemetadata", "hydraview",
  ]

  /// Members that have them inside where they lie in one of those above themselves.
  static let aboutInside: Set<String> = [
    "cursor", "links", "page", "pageinfo", "pagination", "paging",
  ]

  /// Whether a member tells there of further pages, or where more is told.
  static func tellsOfPages(_ word: String) -> Bool {
    counts.contains(word) || next.contains(word) || ends.contains(word)
      || placesOfPage.contains(word) || linkLists.contains(word) || pageCounts.contains(word)
  }

  /// Members that only the page of an answer has.
  private static let paging: Set<String> = [
    "context", "deltalink", "previous", "prev", "previouspage", "previouspageurl", "previouslink",
    "prevcursor", "limit", "offset", "skip", "take", "top", "pagesize", "perpage", "pagenumber",
    "pageindex", "currentpage", "numberofelements", "startindex",
    "itemsperpage", "cursor", "cursors", "apiversion", "jsonrpc", "took", "timedout", "requestid",
    "traceid", "incompleteresults", "firstpageurl", "lastpageurl", "querylocator",
    "startcursor", "endcursor", "haspreviouspage", "error", "errors", "success", "self", "first",
    "last", "islast", "islastpage", "pageable", "scannedcount",
  ]

  /// Those of the members above that rows of an app have as well: an order has a `total`, too.
  private static let unsure: Set<String> = counts.union(about).union([
    "apiversion", "context", "error", "errors", "first", "last", "limit", "offset", "numpages",
    "numberofpages", "pagecount", "pages", "prev", "previous", "self", "skip", "success", "take",
    "took", "top",
  ])

  /// Members that an answer has as well as a row of an app.
  private static let common: Set<String> = [
    "type", "etag", "size", "number", "from", "to", "start", "status", "statuscode", "ok",
    "warnings", "message", "messages", "kind", "object", "url", "uri", "path", "href", "version",
    "time", "timestamp", "generatedat", "done", "sort", "empty",
  ]

  /// Whether a member may tell of an answer as well as of a row, by its name and what it says.
  static func mayBeOfRow(_ word: String, _ text: [UInt8]) -> Bool {
    guard common.contains(word), !kinds.contains(word) else { return false }
    let isSuccess = statuses.contains(word) && parseDecimal(text.span) == 200
    return !text.isEmpty && !isSuccess && !tellsOfSuccess(text)
  }

  /// Members in which nearly every answer says what it is.
  private static let kinds: Set<String> = ["etag", "kind", "object", "type"]

  /// Whether a member is only in an answer.
  static func isOfAnswer(_ word: String) -> Bool {
    counts.contains(word) || next.contains(word) || about.contains(word) || paging.contains(word)
      || pageCounts.contains(word)
  }

  /// Whether an array of that name may tell of an answer.
  static func isListOfAnswer(_ word: String) -> Bool {
    isOfAnswer(word) || ["messages", "warnings"].contains(word)
  }

  /// Whether a member is only in an answer, whatever its value.
  static func isSurelyOfAnswer(_ word: String) -> Bool {
    isOfAnswer(word) && !unsure.contains(word)
  }

  /// Members that say the same on all pages of an answer.
  static let steady: Set<String> = [
    "code", "kind", "limit", "message", "msg", "object", "ok", "pagecount", "pages", "path",
    "status", "statuscode", "success", "take", "top", "type", "version",
  ]

  /// Members that are the number of rows of the page, or say the same on all pages.
  static let sizes: Set<String> = counts.union(["size"])

  /// Members that go from one to the next with the pages.
  static let pageNumbers: Set<String> = ["number", "page"]

  /// Members with the number of the page among all.
  static let placesOfPage: Set<String> = pageNumbers.union([
    "currentpage", "pageindex", "pagenumber",
  ])

  /// Whether a text is the mark with which Airtable goes on behind a page; others have a number there.
  static func isAirtableMark(_ text: [UInt8]) -> Bool { text.starts(with: "itr".utf8) }

  /// Members of answers that are numbers, or times.
  private static let figures: Set<String> = sizes.union(pageNumbers).union([
    "from", "limit", "pagecount", "pages", "skip", "start", "take", "to", "top",
  ])

  /// Members of answers that are links, or numbers of pages.
  private static let links: Set<String> = ["first", "last", "self"]

  /// Whether a text is what answers have in a member: nobody's first name is a link.
  static func mayTell(_ text: [UInt8], in word: String) -> Bool {
    let isFigure = text.first.map { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") } ?? true
    if links.contains(word) { return isFigure || text.contains { "/?=".utf8.contains($0) } }
    return isFigure || !figures.contains(word)
  }

  /// Members that say where a page is, or where the next one is.
  static let cursors: Set<String> = ["cursor"]

  /// Members that a person may miss where they are not the same on all pages.
  static let missed: Set<String> = [
    "kind", "message", "object", "status", "statuscode", "type", "version",
  ]

  /// Whether a member may be there to tell of the answer.
  static func isAbout(_ word: String) -> Bool { isOfAnswer(word) || common.contains(word) }

  /// Members that tell of a failure where they have a value.
  static let failures: Set<String> = ["error", "errors", "fault", "exception"]

  /// Members that an answer which tells of a failure has, and no others.
  static let failureParts: Set<String> = failures.union([
    "message", "msg", "code", "status", "statuscode", "statustext", "title", "type", "detail",
    "details", "description", "errordescription", "erroruri", "errorcode", "errormessage",
    "traceid", "requestid", "instance", "exceptionmessage", "exceptiontype", "stacktrace",
    "innererror", "timestamp", "path", "success", "ok", "reason", "target", "date", "data",
    "errmsg", "codename", "documentationurl", "hint", "correlationid", "activityid", "method",
    "help", "info",
  ])

  /// Of those, the ones of which such an answer has one at least.
  static let failureSigns: Set<String> = failures.union([
    "message", "msg", "errmsg", "code", "errorcode", "errormessage", "errordescription",
    "exceptionmessage", "detail", "statustext",
  ])

  /// Members with a code that is that of success, too.
  static let codes: Set<String> = ["code", "errcode", "errorcode"]

  /// Members that are true where a service has not found all that there is.
  static let shortfalls: Set<String> = ["incompleteresults", "timedout"]

  /// Members that are true where there is no failure.
  static let successes: Set<String> = ["ok", "success"]

  /// Whether a text or number says that there was no success.
  static func deniesSuccess(_ text: [UInt8]) -> Bool {
    text.elementsEqual("0".utf8) || word(text) == "false"
  }

  /// Members with what a service has to say, a word where that is all.
  static let messages: Set<String> = ["message", "msg"]

  /// Whether a text says that there is no failure.
  static func tellsOfSuccess(_ text: [UInt8]) -> Bool {
    ["ok", "success", "successful"].contains(word(text))
  }

  /// Whether a text says that there is one.
  static func tellsOfFailure(_ text: [UInt8]) -> Bool {
    ["error", "fail", "failed", "failure"].contains(word(text))
  }

  /// Members with a number that tells of a failure from 400 on, or a word.
  static let statuses: Set<String> = ["status", "statuscode"]

  /// Members that only a row has.
  static let keys: Set<String> = ["id", "_id", "_pk"]

  static func word(_ name: [UInt8]) -> String {
    var word: [UInt8] = []
    for byte in name.prefix(64) {
      if byte &- 0x41 < 26 { word.append(byte | 0x20) }
      if byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte >= 0x80 { word.append(byte) }
    }
    let text = String(decoding: word, as: UTF8.self)
    return isAnnotation(name) && text.hasPrefix("odata") ? String(text.dropFirst(5)) : text
  }

  /// Whether a name is one that services give to what they say about a value.
  static func isAnnotation(_ name: [UInt8]) -> Bool {
    isODataAnnotation(name) || name.first == UInt8(ascii: "@") && name.count > 1
  }

  /// Whether a name is one that OData gives to what it says about a value: `@odata.etag`,
  /// `photo@odata.mediaReadLink`, or `odata.type` before its fourth version.
  static func isODataAnnotation(_ name: [UInt8]) -> Bool {
    name.starts(with: "odata.".utf8)
      || name.contains(UInt8(ascii: "@"))
        && String(decoding: name, as: UTF8.self).contains("@odata.")
  }
}
