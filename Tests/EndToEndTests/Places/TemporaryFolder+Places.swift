import Foundation
import TestSupport
import Testing

/// Places that Python makes, and what is found in them.
extension TemporaryFolder {
  /// Runs a script in the folder, for which `base(n)` makes a database with so many rows in its log,
  /// `whole(n)` one without a log, and `wrong_sums(tar)` packs with checksums of other bytes.
  func makePlaces(_ script: String) throws {
    _ = try python(
      """
      import gzip, hashlib, io, os, plistlib, shutil, sqlite3, struct, sys, tarfile, unicodedata
      import warnings, zipfile, zlib
      os.chdir(sys.argv[1])
      warnings.simplefilter('ignore')

      def base(rows):
          path = f'work{rows}.tmp'
          store = sqlite3.connect(path)
          store.execute('PRAGMA journal_mode = WAL')
          store.execute('CREATE TABLE t (id TEXT)')
          store.commit()
          store.execute('PRAGMA wal_checkpoint(TRUNCATE)')
          store.executemany('INSERT INTO t VALUES (?)', [(str(n),) for n in range(rows)])
          store.commit()
          files = [open(path + end, 'rb').read() for end in ['', '-wal']]
          store.close()
          os.remove(path)
          return files

      def whole(rows):
          store = sqlite3.connect('work.tmp')
          store.execute('CREATE TABLE t (id TEXT)')
          store.executemany('INSERT INTO t VALUES (?)', [(str(n),) for n in range(rows)])
          store.commit()
          store.close()
          data = open('work.tmp', 'rb').read()
          os.remove('work.tmp')
          return data

      def tar(name, members, mode='w'):
          with tarfile.open(name, mode, format=tarfile.GNU_FORMAT) as archive:
              for path, data in members:
                  info = tarfile.TarInfo(path)
                  if isinstance(data, str):
                      info.type, info.linkname = tarfile.LNKTYPE, data
                      archive.addfile(info)
                  else:
                      info.size = len(data)
                      archive.addfile(info, io.BytesIO(data))

      def wrong_sums(data):
          packed = zlib.compress(data)
          with open('a.ab', 'wb') as file:
              file.write(b'ANDROID BACKUP\\n5\\n1\\nnone\\n' + packed[:-4] + b'abcd')
          packed = gzip.compress(data)
          with open('a.tgz', 'wb') as file: file.write(packed[:-8] + b'abcd' + packed[-4:])
          with open('length.tgz', 'wb') as file: file.write(packed[:-4] + b'abcd')

      def sized(size, root=1):
          objects = ['$null'] * root + [{'Size': size, '$class': plistlib.UID(root + 1)},
              {'$classname': 'MBFile', '$classes': ['MBFile', 'NSObject']}]
          return plistlib.dumps({'$version': 100000, '$archiver': 'NSKeyedArchiver',
              '$top': {'root': plistlib.UID(root)}, '$objects': objects}, fmt=plistlib.FMT_BINARY)

      def backup(root, files, device='iPhone', udid='a' * 40, state='finished', archives={}):
          os.makedirs(root)
          lists = {'Info': {'Device Name': device, 'Target Identifier': udid},
                   'Status': {'SnapshotState': state}}
          for name, content in lists.items():
              with open(f'{root}/{name}.plist', 'wb') as file: plistlib.dump(content, file)
          database = sqlite3.connect(root + '/Manifest.db')
          database.execute('CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT,'
                           ' relativePath TEXT, flags INTEGER, file BLOB)')
          for path, data in files:
              number = hashlib.sha1(('AppDomain-a-' + path).encode()).hexdigest()
              database.execute("INSERT INTO Files VALUES (?, 'AppDomain-a', ?, 1, ?)",
                               (number, path, archives.get(path)))
              if data is None: continue
              os.makedirs(f'{root}/{number[:2]}', exist_ok=True)
              with open(f'{root}/{number[:2]}/{number}', 'wb') as file: file.write(data)
          database.commit()
          database.close()

      """ + script, path)
  }

  /// What is found in a place: of each store its rows, or its error; and what a person is told.
  func foundStores(in name: String) async throws -> (stores: [String: String], told: String) {
    let place = path(name)
    let outcome = await rehome("find", "--json", place)
    var found: [String: String] = [:]
    for store in try outcome.jsonLines() {
      let name = try #require(store["store"] as? String)
      let error = (store["error"] as? [String: Any])?["code"]
      found[String(name.dropFirst(place.count))] = "\(error ?? store["rows"] ?? "none")"
    }
    return (found, outcome.error.replacing(place, with: "PLACE"))
  }
}
