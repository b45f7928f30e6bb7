import Bytes
import Records
import SQLiteFile

/// What a store that is being built shall do next, on its way to the thread that builds it.
enum LoadStep: Sendable {
  case begin(SourceDescription, Catalogue, Timestamp, toolVersion: String)
  case beginTable(Table)
  case insert(RecordBatch, encodedAs: RowCells?)
  case endTable(counted: Int, lost: Int, merged: Int)
  case insertOperations(RecordBatch, encodedAs: RowCells)
  case writeRest(of: Queue)
  case writeDeviceItems([DeviceItem])
  case writeJournal([JournalLine])
  case writeReject(RejectedValue)
  case writeMerged([MergedRow])
  case writeFindings([Finding], [SourceFile])
  case tellBalances
  case publish
}
