import Formats
import Foundation
import TestSupport
import Testing

/// Models that real apps shipped, compared with what `plistlib` finds in them.
///
/// The samples are not part of the package; they are looked for beside it or where
/// `REHOME_CORPUS` says, and without them these tests are skipped.
@Suite(.enabled(if: Corpus.has("CoreDataPlus"), "needs the sample stores; set REHOME_CORPUS"))
struct ModelCorpusTests {
  @Test func everyModelNamesItsEntitiesAndClasses() throws {
    let rows = try Python.rows(modelReader, input: [Array(Corpus.folder.path.utf8)])
    #expect(rows.count >= 10)
    for row in rows {
      let bytes = row[0].isEmpty ? row[1] : try unpack(row[0], limit: 1 << 24)
      #expect(bytes == row[1])
      let root = try KeyedArchive(parsing: bytes).root
      let entities = try #require(root["NSEntities"]?.entries)
      #expect(root.className == "NSManagedObjectModel")
      #expect(entities.compactMap(\.key.string).sorted() == lines(row[2]))
      #expect(try entities.flatMap { try properties(of: $0.value) }.sorted() == lines(row[3]))
    }
  }

  /// One line for each property: entity, name, class and attribute type.
  private func properties(of entity: ArchivedObject) throws -> [String] {
    let name = try #require(entity["NSEntityName"]?.string)
    return try #require(entity["NSProperties"]?.entries).map { key, property in
      let type = property["NSAttributeType"]?.integer.map { String($0) } ?? "-"
      let optional = property["NSIsOptional"]?.boolean.map { String($0) } ?? "-"
      return [name, key.string ?? "", property.className ?? "", type, optional]
        .joined(separator: " ")
    }
  }

  private func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
  }
}

/// For each model: the packed and plain archive, its entity names, and its properties.
private let modelReader = """
  import glob, sqlite3
  def archives(root):
      for path in sorted(glob.glob(root + '/CoreDataPlus/**/*.mom', recursive=True)):
          yield b'', open(path, 'rb').read()
      for path in sorted(glob.glob(root + '/CoreDataPlus/**/*.sqlite', recursive=True)):
          store = sqlite3.connect('file:%s?immutable=1' % path, uri=True)
          packed = store.execute('SELECT Z_CONTENT FROM Z_MODELCACHE').fetchone()[0]
          yield packed, zlib.decompress(packed, -15)
  for packed, plain in archives(inputs[0].decode()):
      archive = plistlib.loads(plain)
      table = archive['$objects']
      def at(value): return table[value.data] if isinstance(value, plistlib.UID) else value
      def text(value):
          value = at(value)
          return value if isinstance(value, str) else at(value['NS.string'])
      def entries(dictionary):
          dictionary = at(dictionary)
          if 'searchMapping' in dictionary:
              keys = at(at(dictionary['searchMapping'])['keys'])['NS.objects']
              values = at(dictionary['values'])['NS.objects']
          else:
              keys, values = dictionary['NS.keys'], dictionary['NS.objects']
          return [(text(k), at(v)) for k, v in zip(keys, values)]
      def flag(value): return '-' if value is None else str(bool(value)).lower()
      entities = entries(at(archive['$top']['root'])['NSEntities'])
      properties = ['%s %s %s %s %s' % (text(entity['NSEntityName']), name, at(p['$class'])['$classname'],
                                        p.get('NSAttributeType', '-'), flag(p.get('NSIsOptional')))
                    for _, entity in entities for name, p in entries(entity['NSProperties'])]
      row(packed, plain, '\\n'.join(sorted(name for name, _ in entities)), '\\n'.join(sorted(properties)))
  """
