/// A source as something else shows it: it says what is different, and the rest is the source's.
package protocol ReaderView: StoreReader {
  /// The source itself.
  var base: any StoreReader { get }
}

extension ReaderView {
  package var source: SourceDescription {
    get { base.source }
    set { base.source = newValue }
  }
  package var catalogue: Catalogue { base.catalogue }
  package var findings: Findings { base.findings }
  package var inputFiles: [String] { base.inputFiles }
  package var model: ModelSummary? { base.model }
  package var kept: (any KeptRecords)? { base.kept }

  package func catalogueByValues() throws(StoreError) -> Catalogue { try base.catalogueByValues() }

  package func isSourceUnchanged() throws(StoreError) -> Bool { try base.isSourceUnchanged() }

  package func keepSpelling(ofColumn column: Int, inTable table: Int) {
    base.keepSpelling(ofColumn: column, inTable: table)
  }

  package func examineRows() throws(StoreError) -> [Finding] { try base.examineRows() }

  package func countRows(inTable table: Int) throws(StoreError) -> Int {
    try base.countRows(inTable: table)
  }

  package func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    try base.rows(ofTable: table, wanting: cells)
  }

  package func forEachLostRow(
    besideTable table: Int, _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.forEachLostRow(besideTable: table, body)
  }

  package func forEachMergedBatch(
    besideTable table: Int, _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.forEachMergedBatch(besideTable: table, body)
  }

  package func readQueue() throws(StoreError) -> Queue { try base.readQueue() }
}
