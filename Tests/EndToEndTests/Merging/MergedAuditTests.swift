import Foundation
import TestSupport
import Testing

/// The operations, rows and tokens of several devices in one store are judged as each alone is.
struct MergedAuditTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What an audit finds in a store that was made of some, but for what tells of the merge itself.
  private func findings(in stores: [String]) async throws -> [String] {
    let merged = folder.path("out.rehome")
    _ = await rehome(["convert", "-qf"] + stores + ["-o", merged])
    let audit = try await rehome("audit", "--json", "--fail-on", "never", merged).json()
    let store = try #require((audit["stores"] as? [[String: Any]])?.first)
    let found = try #require(store["findings"] as? [[String: Any]])
    let merging = ["column-types-differ", "same-item-on-several-devices"]
    return found.compactMap { finding in
      guard let code = finding["code"] as? String, !merging.contains(code) else { return nil }
      return [code, finding["severity"] as? String ?? "", finding["itemId"] as? String ?? ""]
        .joined(separator: " ")
    }.sorted()
  }

  @Test(arguments: Sample.all, [true, false])
  func storesOfDifferentSDKsAreJudgedAsEachAlone(sample: Sample, isFirst: Bool) async throws {
    let other = Sample(name: sample.name == "cordova-2017" ? "ios-2016" : "cordova-2017")
    let stores = (isFirst ? [sample, other] : [other, sample]).map { $0.store() }
    var alone: [String] = []
    for store in stores { alone += try await findings(in: [store]) }
    #expect(try await findings(in: stores) == alone.sorted())
  }

  /// A queue of the Community Toolkit, whose first operation holds another item.
  @Test(arguments: ["cordova-2017", "toolkit-2025"])
  func payloadOfAnotherItemIsToldAndHeldBack(first: String) async throws {
    let toolkit = Sample(name: "toolkit-2025")
    let store = toolkit.store(in: try folder.copy(of: toolkit))
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute("UPDATE DatasyncOperationsQueue SET Item = '{\\"id\\":\\"zz\\"}' "
                     "WHERE Kind != 1 AND State != 2")
      """, store)
    let merged = folder.path("out.rehome")
    let messages = { (stores: [String]) in
      _ = await rehome(["convert", "-qf"] + stores + ["-o", merged])
      let audit = await rehome("audit", "--json", "--fail-on", "never", merged)
      return audit.text.components(separatedBy: "the payload is that of another item").count - 1
    }
    let alone = await messages([store])
    #expect(alone > 0)
    #expect(await messages([Sample(name: first).store(), store]) == alone)
    let plan = try await rehome(
      "replay", merged, "--to", "https://example.net", "--dialect", "toolkit", "--dry-run",
      "--json"
    ).json()
    let held = try #require(plan["held"] as? [[String: Any]])
    #expect(held.filter { $0["reason"] as? String == "unreadable" }.count == alone)
  }

  /// The local id of an object is made by each device, and nobody else ever hears of it.
  @Test func whatNoDeviceSendsMakesNoOtherItem() async throws {
    let other = try TemporaryFolder()
    let stores = try [folder, other].map {
      try Devices.makeParse("same", in: $0, "game=u1u1u1u1u1")
    }
    let merged = folder.path("out.rehome")
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let audit = await rehome("audit", "--fail-on", "never", merged)
    #expect(audit.text.contains("both have the same item"), "\(audit.text)")
  }

  /// What devices send is compared among all of them, also where a person sees only a part of the queue.
  @Test(
    arguments: [
      (["a", "a"], "; both have the same item"), (["a", "a", "a"], "; all have the same item"),
      (["a", "a", "b"], "; the items differ in text"),
    ], [0, 600])
  func itemsOfAllDevicesAreCompared(
    expected: (texts: [String], words: String), others: Int
  ) async throws {
    let stores = try expected.texts.enumerated().map { number, text in
      try Devices.make(
        "\(number).rehome", in: folder,
        """
        device.make('Item', [('id', 'text', 'id', None), ('text', 'text', 'value', None)])
        sql("UPDATE rehome_source SET layout = 'azure-mobile-ios', generation = '2016'")
        for key in range(1, \(others) + 2):
            name = 'shared' if key == 1 else f'\(number)-{key}'
            device.add('Item', key, [name, '\(text)'])
            sql("INSERT INTO rehome_operation (sequence, source, \\"table\\", itemId, kind, state, rowKey)"
                " VALUES (?, 1, 'Item', ?, 'update', 'pending', ?)", (key, name, key))
        """)
    }
    let merged = folder.path("out.rehome")
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    for options in [[], ["--json"]] {
      let audit = await rehome(["audit", "--fail-on", "never", merged] + options)
      let told = audit.text.components(separatedBy: expected.words).count - 1
      #expect(told == stores.count, "\(options): \(audit.text.suffix(2000))")
    }
  }

  /// A field that is one device's own, but one of the SDK's to another, tells neither that items differ
  /// nor that they are the same.
  @Test(arguments: [("azure-mobile-dotnet", "a1", false), ("azure-mobile-ios", "2016", true)])
  func fieldThatOnlyOneDeviceKeepsTellsNothing(
    layout: String, generation: String, isSame: Bool
  ) async throws {
    let origins = [(layout, generation), ("azure-mobile-ios", "2016")]
    let stores = try origins.enumerated().map { number, origin in
      try Devices.make(
        "\(number).rehome", in: folder,
        """
        device.make('Item', [('id', 'text', 'id', None), ('__note', 'text', 'value', None)])
        sql("UPDATE rehome_source SET layout = '\(origin.0)', generation = '\(origin.1)'")
        device.add('Item', 1, ['shared', '\(isSame ? 0 : number)'])
        sql("INSERT INTO rehome_operation (sequence, source, \\"table\\", itemId, kind, state, rowKey)"
            " VALUES (1, 1, 'Item', 'shared', 'update', 'pending', 1)")
        """)
    }
    let merged = folder.path("out.rehome")
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let audit = await rehome("audit", "--fail-on", "never", merged)
    #expect(audit.text.contains("2 devices change the item"), "\(audit.text)")
    #expect(audit.text.contains("both have the same item") == isSame, "\(audit.text)")
    #expect(!audit.text.contains("differ in"), "\(audit.text)")
  }

  /// Of a device that was left out nobody knows what waits.
  @Test func deviceThatWasLeftOutIsToldWhereNothingElseWaits() async throws {
    let store = try Devices.makeItems("a.rehome", in: folder, "('1', None, None, 'a')")
    let broken = folder.path("broken.rehome")
    try Data(contentsOf: URL(filePath: store)).prefix(5000).write(to: URL(filePath: broken))
    let merged = folder.path("out.rehome")
    _ = await rehome("convert", "-q", "--skip-unreadable", store, broken, "-o", merged)
    for command in [["audit"], ["inspect"], ["ops", "list"], ["audit", "--html", "-"]] {
      let outcome = await rehome(command + [merged])
      #expect((outcome.text + outcome.error).contains("changes may be missing"), "\(command)")
    }
    for command in [["hash", merged], ["verify", merged, store]] {
      #expect(await rehome(command).code == 2, "\(command)")
    }
  }
}
