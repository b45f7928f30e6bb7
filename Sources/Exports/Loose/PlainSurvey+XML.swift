import Records
import XMLFormat

/// What the elements of an XML file show.
extension PlainSurvey {
  /// Looks at the row to which the walk has come.
  mutating func addRow(
    _ walk: inout PlainXMLWalk, _ reader: inout XMLReader
  ) throws(XMLError) {
    beginRow()
    var hasKeyCell = false
    var following = 0
    try walk.readCells(&reader) { (cell) throws(XMLError) in
      guard let place = place(of: cell.name, following) else {
        throw cell.error("the rows have too many different columns")
      }
      guard meet(place) else {
        throw cell.error("a column comes twice in a row")
      }
      following = place + 1
      guard !cell.isNull else {
        addNull(at: place)
        return
      }
      if place == 0 {
        addKey(cell.text.span)
        hasKeyCell = true
      }
      add(cell.text.span, at: place, isText: false)
    }
    if !hasKeyCell { addNoKey() }
  }
}
