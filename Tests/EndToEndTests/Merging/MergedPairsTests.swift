import TestSupport
import Testing

/// Pairs of a relationship, of which rows of several devices become one item.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct MergedPairsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func device(_ name: String, _ rows: String, pairs: String = "") throws -> String {
    try Devices.make(
      name, in: folder,
      """
      device.make('Item', [('id', 'text', 'id', None), ('updatedAt', 'timestamp', 'updatedAt', None),
          ('text', 'text', 'value', None)])
      device.make('Tag', [('label', 'text', 'value', None)])
      device.make('Item_tags', [('owner', 'reference', 'reference', 'Item'),
          ('target', 'reference', 'reference', 'Tag')])
      device.add('Tag', 1, ['t'])
      for key, row in enumerate([\(rows)], 1):
          device.add('Item', key, list(row))
      for key, row in enumerate([\(pairs)], 1):
          device.add('Item_tags', key, list(row))
      """)
  }

  /// Two rows of one device have one id, and the pairs of both become one.
  @Test(arguments: ["2019", "2015"]) func pairsOfTwinsBecomeOne(_ year: String) async throws {
    let twins = try device(
      "a.rehome",
      "('x', '2017-01-01T00:00:00.000Z', 'a1'), ('x', '2018-01-01T00:00:00.000Z', 'a2'), "
        + "('y', None, 'y'),",
      pairs: "(1, 1), (2, 1), (3, 1)")
    let other = try device("b.rehome", "('x', '\(year)-01-01T00:00:00.000Z', 'b'),")
    let merged = folder.path("out.rehome")
    #expect(await rehome("convert", "-q", twins, other, "-o", merged).code == 0)
    let pairs = try Devices.query(
      merged,
      "SELECT text FROM Item_tags JOIN Item ON Item._pk = Item_tags.owner ORDER BY Item_tags._pk")
    #expect(pairs == (year == "2019" ? "b" : "a2") + "\ny\n")
    #expect(try Devices.expectMerged(merged, of: [twins, other]) == 3)
    // Nothing becomes one where no other device has the item.
    _ = await rehome("convert", "-qf", twins, "-o", merged)
    #expect(try Devices.query(merged, "SELECT count(*) FROM Item_tags") == "3\n")
  }
}
