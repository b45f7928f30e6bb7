import Bytes
import Formats
package import Records

/// Where the tables of a JSON file lie, and what lies between its documents.
package struct JSONForm: Sendable {
  /// The ways to the rows of each table.
  let ways: [[[UInt8]]]
  /// The names of the tables; empty for one that is called after its file.
  let names: [[UInt8]]
  let framing: JSONReader.Framing
  var isTold = false
  /// What OData calls the first row, where that is a document of its own.
  var context: [UInt8]?

  /// One row behind the other.
  static let lines = JSONForm(ways: [[]], names: [[]], framing: .lines)

  /// All rows, one document behind the other, or in arrays.
  static let documents = JSONForm(ways: [[]], names: [[]], framing: .documents)

  var walk: JSONRowWalk {
    JSONRowWalk(JSONWays(ways), mostArrays: framing == .lines ? 0 : 2)
  }

  /// The same, where it need not be told what is missing.
  var untold: JSONForm { JSONForm(ways: ways, names: names, framing: framing) }

  /// Whether the file calls its tables by names of their own.
  var namesTables: Bool { names.contains { !$0.isEmpty } }
}

extension JSONForm {
  /// The ways that a person has told, as `--rows` spells them.
  ///
  /// - Throws: `StoreError` when one is no way, or leads through the rows of another.
  package init(told paths: [String]) throws(StoreError) {
    var ways: [[[UInt8]]] = []
    for path in paths {
      guard let way = JSONPath.names(of: path) else {
        throw StoreError(
          .usage, "--rows \(path) is no path", hint: "a path is $, or names behind it: $.data.items"
        )
      }
      if let other = ways.first(where: { $0.starts(with: way) || way.starts(with: $0) }) {
        throw StoreError(
          .usage, "--rows \(path) and --rows \(JSONPath.text(other)) lead through the same rows",
          hint: "give each table a path of its own")
      }
      ways.append(way)
    }
    self.init(ways: ways, names: Self.names(of: ways), framing: .documents, isTold: true)
  }

  /// What the tables at several ways are called: by their last names, or by those before them where
  /// these are the same, as the `items` or `node` of many an answer.
  private static func names(of ways: [[[UInt8]]]) -> [[UInt8]] {
    if ways.count == 1 { return [[]] }
    let whole = ways.map { Array($0.joined(separator: ".".utf8)) }
    var names = ways.map { $0.last ?? [] }
    for places in Dictionary(grouping: names.indices, by: { key(names[$0]) }).values
    where places.count > 1 {
      let longest = places.map { ways[$0].count }.max() ?? 0
      let earlier = (0..<longest).lazy
        .map { depth in places.map { ways[$0].dropLast(depth).last ?? [] } }
        .first { areDistinct($0) && !$0.contains([]) }
      for (place, name) in zip(places, earlier ?? places.map { whole[$0] }) { names[place] = name }
    }
    return areDistinct(names) ? names : whole
  }

  private static func areDistinct(_ names: [[UInt8]]) -> Bool {
    Set(names.map(key)).count == names.count
  }

  private static func key(_ name: [UInt8]) -> ExactText {
    ExactText(sqlName: String(decoding: name, as: UTF8.self))
  }

  /// Finds out how a file is built, from its first rows, or from all pages where it has such; one that
  /// `isOfLines`, as it is called, may have a single row.
  ///
  /// What is damaged is left to whoever reads the rows.
  ///
  /// - Throws: `StoreError` when the file holds no rows, or does not say which they are.
  init(ofFileAt path: String, isOfLines: Bool = false) throws(StoreError) {
    let stream = try ExportFile.open(path)
    let tokens = JSONTokens(path: path, stream: stream, framing: .documents)
    var survey = JSONFormSurvey(isOfLines: isOfLines)
    do throws(StoreError) {
      try tokens.withReader { (reader) throws(FormatError) in try survey.read(&reader) }
    } catch {
      if survey.refusal == nil {
        self = survey.isInLines ? .lines : .documents
        return
      }
    }
    if let refusal = survey.refusal { throw refusal.error(path) }
    self = survey.form
  }
}

extension JSONForm {
  /// Throws where nothing stands at a place that a person has told.
  func checkReached(_ survey: PlainJSONSurvey, _ path: String) throws(StoreError) {
    guard let table = survey.unreached.first else { return }
    var error = StoreError(
      .usage, path: path, "nothing stands at \(JSONPath.text(ways[table]))")
    // What the file itself shows is a help, and nothing more.
    if ways[table].contains(where: { $0.elementsEqual("*".utf8) }) {
      error.hint =
        "a path is names alone, of which * is one, and arrays are gone through: $.data.items"
      throw error
    }
    do throws(StoreError) {
      let own = try JSONForm(ofFileAt: path)
      error.hint =
        "the rows seem to be at "
        + own.ways.map(JSONPath.text).joined(separator: " and ")
    } catch let own {
      error.hint = own.hint
    }
    throw error
  }

  /// What a look at a JSON file shows of its form.
  fileprivate struct JSONFormSurvey {
    /// Why no rows can be read.
    enum Refusal {
      case failure(offset: Int, page: Int)
      case nothing(deeper: [[[UInt8]]])
      case unclear([[[UInt8]]])
      case lists
      case export
    }

    private let isOfLines: Bool
    private(set) var refusal: Refusal?
    private(set) var form = JSONForm.lines
    /// Whether the first document takes one line, so that each other may.
    private(set) var isInLines = true

    init(isOfLines: Bool) { self.isOfLines = isOfLines }

    mutating func read(_ reader: inout JSONReader) throws(FormatError) {
      guard let first = try reader.next() else { return }
      isInLines = first == .beginObject && !reader.hasMark
      form = isInLines ? .lines : .documents
      switch first {
      case .beginObject: try readDocuments(&reader)
      case .beginArray: try readElements(&reader)
      default: refusal = .nothing(deeper: [])
      }
    }

    private mutating func readDocuments(_ reader: inout JSONReader) throws(FormatError) {
      let start = reader.line
      let offset = reader.tokenOffset
      let members = try JSONMembers(&reader)
      if reader.line != start {
        isInLines = false
        form = .documents
      }
      let following = try reader.next()
      let verdict = members.verdict(
        isAlone: following == nil, isLine: isOfLines && isInLines)
      if verdict == .row { form.context = members.contextOfEntity }
      guard let following else {
        return settle(verdict, members, JSONWrapping(verdict), offset: offset, page: 1)
      }
      guard following == .beginObject, verdict != .row else { return }
      guard var wrapping = JSONWrapping(verdict) else {
        return settle(verdict, members, nil, offset: offset, page: 1, isSequence: true)
      }
      wrapping.signs.add(members)
      try readPages(&reader, after: 1, while: .beginObject, &wrapping)
    }

    private mutating func readElements(_ reader: inout JSONReader) throws(FormatError) {
      guard try reader.next() == .beginObject else { return }
      let offset = reader.tokenOffset
      let members = try JSONMembers(&reader)
      if members.isListedFailure {
        // More than one are the rows of a table of such.
        if try reader.next() == .endArray { refusal = .failure(offset: offset, page: 1) }
        return
      }
      let verdict = members.verdict(isAlone: false)
      guard case .wrapper = verdict, var wrapping = JSONWrapping(verdict) else { return }
      wrapping.signs.add(members)
      guard try reader.next() == .beginObject else {
        if !wrapping.signs.areRows { form = wrapping.form }
        return
      }
      try readPages(&reader, after: 1, while: .beginObject, &wrapping)
    }

    /// Reads pages, of which one was just opened; they are rows unless each wraps rows.
    private mutating func readPages(
      _ reader: inout JSONReader, after count: Int, while token: JSONReader.Token,
      _ wrapping: inout JSONWrapping
    ) throws(FormatError) {
      var page = count
      while true {
        page += 1
        let offset = reader.tokenOffset
        let members = try JSONMembers(&reader)
        let verdict = members.verdict(isAlone: false)
        if verdict == .failure {
          refusal = .failure(offset: offset, page: page)
          return
        }
        wrapping.signs.add(members)
        guard wrapping.take(verdict), !wrapping.signs.areOfSeveral else { return }
        guard try reader.next() == token else { break }
      }
      if !wrapping.signs.areRows { form = wrapping.form }
    }

    private mutating func settle(
      _ verdict: JSONMembers.Verdict, _ members: JSONMembers, _ wrapping: JSONWrapping?,
      offset: Int, page: Int, isSequence: Bool = false
    ) {
      switch verdict {
      case .row: break
      case .wrapper, .tables: form = wrapping?.form ?? form
      // Lines of a log may tell of nothing but failures.
      case .failure where isSequence: break
      case .failure: refusal = .failure(offset: offset, page: page)
      case .nothing: refusal = .nothing(deeper: members.deeper)
      case .unclear(let names): refusal = .unclear(names.map { [$0] } + members.deeper)
      case .lists: refusal = .lists
      case .export: refusal = .export
      }
    }
  }
}

extension JSONForm.JSONFormSurvey {
  /// How all pages of a file wrap their rows.
  fileprivate struct JSONWrapping {
    private var way: [[UInt8]]?
    private var tables: [[UInt8]] = []
    /// What they say beside the rows.
    var signs = JSONPageSigns()

    /// As the first page does; nil where it is none.
    init?(_ verdict: JSONMembers.Verdict) {
      guard take(verdict) else { return nil }
    }

    /// Takes a page; false where it is none, or another than those before.
    mutating func take(_ verdict: JSONMembers.Verdict) -> Bool {
      switch verdict {
      case .wrapper(let way) where tables.isEmpty && (self.way == nil || self.way == way):
        self.way = way
      case .tables(let names) where way == nil:
        let known = Set(tables)
        tables += names.filter { !known.contains($0) }
      default: return false
      }
      return true
    }

    var form: JSONForm {
      if let way { return JSONForm(ways: [way], names: [[]], framing: .documents) }
      return JSONForm(ways: tables.map { [$0] }, names: tables, framing: .documents)
    }
  }
}

extension JSONForm.JSONFormSurvey.Refusal {
  /// What a person may say to take one of the places.
  private static func options(for places: [[[UInt8]]]) -> String {
    places.map { "--rows " + quotedForShell(JSONPath.text($0)) }.joined(separator: " or ")
  }

  func error(_ path: String) -> StoreError {
    let asRow = "take the document as a row with --rows '$'"
    switch self {
    case .failure(let offset, let page):
      let place = page > 1 ? "page \(page), at byte \(offset)," : "the document"
      return StoreError(
        .notAStore, path: path, "\(place) is the answer of a service that tells of an error",
        hint: "ask the service again; or \(asRow)")
    case .nothing(let deeper) where deeper.isEmpty:
      return StoreError(
        .notAStore, path: path, "the document holds no rows",
        hint:
          "say where they are with --rows PATH, as in --rows '$.data.items', and make an array of "
          + "rows that stand under keys; or \(asRow)")
    case .nothing(let deeper):
      let paths = Self.options(for: deeper)
      return StoreError(
        .notAStore, path: path, "the document holds no rows where services put them",
        hint: "say where they are: \(paths); or \(asRow)")
    case .unclear(let ways):
      let paths = Self.options(for: ways)
      return StoreError(
        .notAStore, path: path,
        "the document may be one row, or hold rows in "
          + ways.map { String(decoding: $0.last ?? [], as: UTF8.self) }.joined(separator: ", "),
        hint: "say which with \(paths); or \(asRow)")
    case .lists:
      return StoreError(
        .notAStore, path: path, "the document lists its rows as arrays, and rows must be objects",
        hint: "write each row as an object, as pandas does with orient=\"records\", or as CSV; or "
          + asRow)
    case .export:
      return StoreError(
        .notAStore, path: path,
        "the document is an export of this tool whose members another program has put in another order",
        hint: "give the export as it was written, or export once more")
    }
  }
}
