import Bytes
import Canonical
import Foundation
import Opening
import Records
import SQLite
import SyncSDKs
import Testing

struct OperationMarkTests {
  private static let interruption = Interruption { false }

  @Test func lastMarkDecides() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("rehome-marks-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/items.rehome"
    try write(to: path)
    try CanonicalMarks.add(
      OperationMark(.drop, at: .now, who: "me", why: "a reason"), to: [1, 2], inStoreAt: path)
    try CanonicalMarks.add(OperationMark(.keep, at: .now), to: [2], inStoreAt: path)
    #expect(try states(path) == [.dropped, .pending, .failed])
    #expect(try marks(path, of: 2).map(\.kind) == [.drop, .keep])
    #expect(try marks(path, of: 1).map(\.why) == ["a reason"])
    #expect(try marks(path, of: 1).map(\.who) == ["me"])
    #expect(try marks(path, of: 3) == [])
    try CanonicalMarks.add(OperationMark(.keep, at: .now), to: [1], inStoreAt: path)
    try CanonicalMarks.add(OperationMark(.drop, at: .now), to: [3], inStoreAt: path)
    #expect(try states(path) == [.pending, .pending, .dropped])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["items.rehome"])
  }

  private func marks(_ path: String, of sequence: Int64) throws -> [OperationMark] {
    let opening = StoreOpening(
      temporaryFolder: NSTemporaryDirectory(), interruption: Self.interruption)
    return try opening.reader(forStoreAt: path).readQueue().marks[sequence]
  }

  private func write(to path: String) throws {
    var writer = try CanonicalWriter(destination: path, replacing: false)
    try writer.begin(
      SourceDescription(name: "a", layout: .azureMobileIOS),
      catalogue: Catalogue(tables: [], nameOrigin: .schema), at: .now, toolVersion: "test")
    var queue = Queue()
    for sequence in 1...3 {
      var operation = PendingOperation()
      operation.sequence = Int64(sequence)
      operation.state = sequence == 3 ? .failed : .pending
      queue.operations.append(operation)
    }
    try writer.write(queue)
    try writer.publish()
  }

  private func states(_ path: String) throws -> [OperationState] {
    let opening = StoreOpening(
      temporaryFolder: NSTemporaryDirectory(), interruption: Self.interruption)
    let reader = try opening.reader(forStoreAt: path)
    #expect(reader.source.origin == "azure-mobile-ios")
    return try reader.readQueue().operations.map(\.state)
  }
}
