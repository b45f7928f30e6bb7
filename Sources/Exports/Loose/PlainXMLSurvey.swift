import Bytes
import Records
import XMLFormat

/// What one pass over plain XML has shown: a table for each name of a row, in their order.
struct PlainXMLSurvey {
  private(set) var tables: [(element: [UInt8], survey: PlainSurvey)] = []
  /// Whether rows of one table stand behind those of another that follows it.
  private(set) var isInterleaved = false
  /// What the root says beside the rows.
  private(set) var answer = JSONAnswer()
  private var places: [[UInt8]: Int] = [:]

  /// Names of rows that say nothing; the file's name says more.
  private static let generic: Set<String> = ["row", "record"]

  private let inference: InferenceRule

  /// Looks at all rows of a document.
  init(_ tokens: XMLTokens, _ inference: InferenceRule) throws(StoreError) {
    self.inference = inference
    try tokens.withReader { (reader) throws(XMLError) in try read(&reader) }
  }

  private mutating func read(_ reader: inout XMLReader) throws(XMLError) {
    var walk = PlainXMLWalk()
    var rows = 0
    var last = 0
    answer.beginPage()
    while let element = try walk.nextRow(&reader) {
      let place = places[element] ?? tables.count
      if place == tables.count {
        places[element] = place
        tables.append((element, PlainSurvey(inference)))
        tables[place].survey.rowsBefore = rows
      } else if place != last {
        isInterleaved = true
      }
      last = place
      try tables[place].survey.addRow(&walk, &reader)
      answer.addRow(ofTable: place)
      rows += 1
    }
    for (name, text) in walk.rootAttributes { answer.add(attribute: name, text) }
  }

  static func tableName(of element: [UInt8], inFile name: String) -> String {
    let own = String(decoding: element, as: UTF8.self)
    return generic.contains(asciiLowercased(own)) ? name : own
  }
}
