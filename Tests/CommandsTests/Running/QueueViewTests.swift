import Audit
import Bytes
import Foundation
import Opening
import Records
import SQLite
import Testing

@testable import Commands

/// What is asked about operations has the same answer without a look at everything else.
struct QueueViewTests {
  static let stores = [
    "ios-2014/qstodoitem.sqlite", "ios-2015/qstodoitem.sqlite", "ios-2016/qstodoitem.sqlite",
    "dotnet-2014/localstore.db", "dotnet-2019/localstore.db", "android-2016/OfflineStore",
    "cordova-2017/mobileapps.db", "datasync-2023/offline.db", "toolkit-2025/todo.sqlite",
  ]

  private func reader(_ store: String) throws -> any StoreReader {
    let path = ExportFixture.project.appending(path: "samples/\(store)").path
    let temporary = FileManager.default.temporaryDirectory.path
    return try StoreOpening(temporaryFolder: temporary, interruption: Interruption { false })
      .reader(forStoreAt: path)
  }

  private func audit(_ reader: any StoreReader, threads: Int = 1) throws -> StoreAudit {
    try StoreAudit(
      of: reader, now: Timestamp.epoch, threads: threads, check: { (_) throws(StoreError) in })
  }

  @Test(arguments: stores) func findingsAboutOperationsAreThoseOfAWholeAudit(
    _ store: String
  ) throws {
    let reader = try reader(store)
    let view = QueueView(of: reader, queue: try reader.readQueue())
    let whole = try audit(reader)
    for threads in 1...2 {
      let part = try audit(view, threads: threads)
      #expect(
        part.findings.filter { $0.operation != nil }
          == whole.findings.filter { $0.operation != nil })
      #expect(part.assessments.map(\.cause) == whole.assessments.map(\.cause))
      for operation in whole.queue.operations {
        #expect(part.item(of: operation) == whole.item(of: operation))
      }
    }
  }

  @Test func samplesHaveFindingsAboutOperations() throws {
    let findings = try audit(try reader("dotnet-2019/localstore.db")).findings
    #expect(findings.contains { $0.operation != nil })
    #expect(findings.contains { $0.operation == nil })
  }

  @Test(arguments: stores) func decodedQueueLacksOnlyWhatTheSDKStored(
    _ store: String
  ) async throws {
    let fixture = try ExportFixture()
    let canonical = fixture.path("own.rehome")
    let path = ExportFixture.project.appending(path: "samples/\(store)").path
    try #require(await ToolRun("convert", "-q", path, "-o", canonical).code % 2 == 0)
    for name in [path, canonical] {
      let reader = try StoreOpening(
        temporaryFolder: fixture.path("."), interruption: Interruption { false }
      ).reader(forStoreAt: name)
      var queue = try reader.readQueue()
      #expect(queue.operations.contains { $0.raw != nil })
      queue.operations.updateEach { $1.raw = nil }
      #expect(try reader.readQueue(.withoutRaw) == queue)
    }
  }
}
