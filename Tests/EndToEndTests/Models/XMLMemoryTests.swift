import Foundation
import TestSupport
import Testing

/// What is kept of the objects of a Core Data XML store and their relationships takes a few bytes each,
/// and is the same whether it lies in memory or in a file.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct XMLMemoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes a store of so many items in no order, each with a title and the links of a form.
  private func store(_ form: String, _ count: Int, titleSize: Int = 8) throws -> String {
    let path = folder.path("\(form).xml")
    _ = try python(Self.maker, path, form, String(count), String(titleSize))
    return path
  }

  /// What an item of each form leads to, by its number, and what items are called.
  private static let links = """
    import random
    def links(form, item, count):
        if form == 'one' or form == 'named':
            return [item * 7919 % count]
        return [] if form == 'none' else [(item * 7919 + step * 31) % count for step in range(3)]
    def id(form, item):
        return f'an-item-of-the-store.{item}' if form == 'named' else f'z{item + 100}'

    """

  private static let maker =
    links + """
      import sys
      path, form, count, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
      items = list(range(count))
      random.Random(1).shuffle(items)
      with open(path, 'w') as file:
          file.write('<database><databaseInfo><version>1</version></databaseInfo>')
          for item in items:
              ids = ' '.join(id(form, target) for target in links(form, item, count))
              bounds = '0/0' if form == 'many' else '0/1'
              file.write(
                  f'<object type="ITEM" id="{id(form, item)}">'
                  f'<attribute name="title" type="string">{str(item).rjust(size, "t")}</attribute>'
                  f'<relationship name="next" type="{bounds}" destination="ITEM" idrefs="{ids}"/>'
                  '</object>\\n')
          file.write('</database>')
      """

  @Test(.long, arguments: ["one", "many", "named"])
  func linkedObjectsTakeLittleMoreThanOthers(_ form: String) throws {
    let least = try RunCosts(of: ["audit", store("none", 60_000)]).memory
    let linked = try RunCosts(of: ["audit", store(form, 60_000)]).memory
    #expect(linked - least < 10, "\(linked) MiB, \(least) without links")
  }

  /// Many relationships with few pairs each take as long as few with many.
  @Test(arguments: ["z{items + 5}", ""])
  func relationshipsOfFewPairsTakeLittleTime(_ second: String) throws {
    let few = try RunCosts(of: ["hash", store(ofRelationships: 1, to: second)]).seconds
    let many = try RunCosts(of: ["hash", store(ofRelationships: 600, to: second)]).seconds
    #expect(many < 2 * few, "\(many) seconds, \(few) with one relationship")
  }

  /// Writes a store of items of which some have a relationship of so many, to one that is there and to
  /// another one, which makes it a table where it is not there.
  private func store(ofRelationships count: Int, to second: String) throws -> String {
    let path = folder.path("\(count)-relationships.xml")
    _ = try python(
      """
      import sys
      count, items = int(sys.argv[2]), 100_000
      with open(sys.argv[1], 'w') as file:
          file.write('<database><databaseInfo><version>1</version></databaseInfo>')
          for item in range(items):
              link = (f'<relationship name="r{item % count}" type="0/0" destination="ITEM" '
                      f'idrefs="z{item + 1} \(second)"/>')
              file.write(f'<object type="ITEM" id="z{item + 1}">{link if item < 600 else ""}</object>')
          file.write('</database>')
      """, path, String(count))
    return path
  }

  /// What no file takes stays in memory, and is not written again with each object.
  @Test func fullFolderForTemporaryFilesTakesNoMoreTime() throws {
    let store = try store("one", 40_000, titleSize: 500)
    let free = try RunCosts(of: ["audit", store]).seconds
    let full = try RunCosts(of: ["audit", store], fileSize: 6 << 20).seconds
    #expect(full < 2 * free, "\(full) seconds, \(free) with room")
  }

  /// What objects have is set aside in a file where it is much.
  @Test(.long, arguments: ["one", "many"])
  func valuesAndLinksOfManyObjectsAreKept(_ form: String) async throws {
    let (count, size) = (80_000, 200)
    let store = try store(form, count, titleSize: size)
    let out = folder.path("out.rehome")
    #expect(await rehome("convert", "-q", store, "-o", out).code == 0)
    let report = try python(
      Self.links + """
        import sqlite3, sys
        form, count, size = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
        database = sqlite3.connect(sys.argv[1])
        wanted = sorted(
            (item + 100, target + 100) for item in range(count)
            for target in sorted(links(form, item, count)))
        titles = [(item + 100, str(item).rjust(size, 't')) for item in range(count)]
        found = database.execute(
            'SELECT _pk, next FROM Item ORDER BY _pk' if form == 'one'
            else 'SELECT owner, target FROM Item_next ORDER BY _pk').fetchall()
        print(found == wanted)
        print(database.execute('SELECT _pk, title FROM Item ORDER BY _pk').fetchall() == titles)
        """, out, form, String(count), String(size))
    #expect(report == "True\nTrue\n")
  }
}
