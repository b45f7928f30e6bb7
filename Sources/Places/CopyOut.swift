import Bytes
import Formats

/// Writes the bytes of a member to a new file, whatever hands them on.
///
/// - Returns: how many bytes there were.
/// - Throws: `PlaceFailure` when they cannot be had or written.
func copyOut(
  to path: String, _ budget: CopyBudget,
  _ read: (inout [UInt8]) throws(FormatError) -> Int
) throws(PlaceFailure) -> Int {
  var size = 0
  do {
    var output = try OutputFile(creating: path)
    var buffer: [UInt8] = []
    while true {
      buffer.removeAll(keepingCapacity: true)
      let count: Int
      do throws(FormatError) { count = try read(&buffer) } catch { throw PlaceFailure(error) }
      guard count > 0 else { break }
      size += count
      try budget.take(count)
      try output.write(buffer.span)
    }
    try output.close()
  } catch let error as PlaceFailure {
    throw error
  } catch let error as FileError {
    throw PlaceFailure(.unreadable, error.description)
  } catch {
    throw PlaceFailure(.unreadable, "\(error)")
  }
  return size
}
