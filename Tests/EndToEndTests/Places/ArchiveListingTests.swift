import Foundation
import TestSupport
import Testing

/// What an archive lists beside its stores is counted, however much there is of it.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct ArchiveListingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func find(_ name: String) async throws -> (stores: [String: String], told: String) {
    try await folder.foundStores(in: name)
  }

  @Test(arguments: [
    ("zip", "file_%.bin"), ("tar", "file_%.bin"), ("zip", "of_no_database_%.db-wal"),
  ])
  func manyOtherFilesTakeAsMuchMemoryAsFew(form: String, file: String) throws {
    let peaks = try Python.run(
      """
      import io, os, resource, subprocess, sys, tarfile, zipfile
      program, folder, form, file = sys.argv[1:]
      for count in [10, 40_000]:
          path = f'{folder}/{count}.{form}'
          archive = zipfile.ZipFile(path, 'w') if form == 'zip' else tarfile.open(path, 'w')
          for number in range(count):
              name = f'data/data/com.example.app/files/cache/{number % 100}/' + file.replace('%', str(number))
              if form == 'zip':
                  archive.writestr(zipfile.ZipInfo(name), b'anything')
              else:
                  info = tarfile.TarInfo(name)
                  info.size = 8
                  archive.addfile(info, io.BytesIO(b'anything'))
          archive.close()
          child = os.fork()
          if child == 0:
              subprocess.run([program, 'find', path], stdout=subprocess.DEVNULL, check=False)
              print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, flush=True)
              os._exit(0)
          os.waitpid(child, 0)
      """, arguments: [Project.executable.path, folder.path(""), form, file])
    let numbers = String(decoding: peaks, as: UTF8.self).split(separator: "\n").compactMap {
      Int($0)
    }
    try #require(numbers.count == 2)
    #expect(numbers[1] - numbers[0] < 10_000, "\(numbers[1] - numbers[0]) KiB more for many")
  }

  /// A folder has no bytes.
  @Test func memberThatIsCalledAsAFolderIsRead() async throws {
    try folder.makePlaces(
      """
      main, log = base(3)
      with zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED) as file:
          for name, data in [('d/x.db/', main), ('d/y.db', main), ('e/', b'')]:
              file.writestr(name, data)
      """)
    #expect(try await find("a.zip").stores.keys.sorted() == ["!d/x.db", "!d/y.db"])
  }

  @Test func linksToOtherFilesCountWhereTheyBelongToAStore() async throws {
    try folder.makePlaces(
      """
      main, log = base(3)
      tar('a.tar', [('log.bin', log), ('q.db', main), ('q.db-wal', 'log.bin'), ('copy', 'log.bin'),
          ('again', 'copy'), ('nothing', 'missing')])
      """)
    let found = try await find("a.tar")
    #expect(found.stores == ["!q.db": "3"])
    let told = await rehome("find", folder.path("a.tar"))
    #expect((told.text + told.error).contains("3 links"))
    #expect((told.text + told.error).contains("1 side file of a database"))
  }

  @Test func otherFileTakesThePlaceOfAStoreAndTheOtherWayRound() async throws {
    try folder.makePlaces(
      """
      tar('a.tar', [('a.db', whole(1)), ('a.db', b'no store any more'), ('b.db', b'no store yet'),
          ('b.db', whole(2)), ('c', b'1'), ('c', b'2')])
      """)
    let found = try await find("a.tar")
    #expect(found.stores == ["!b.db": "2"])
    #expect(found.told.contains("an earlier a.db is replaced by a later one"))
    let told = await rehome("find", folder.path("a.tar"))
    #expect((told.text + told.error).contains("3 files that later ones replace"))
    #expect((told.text + told.error).contains("2 other files"))
  }

  @Test(arguments: ["zip", "tar"])
  func bundleBeforeItsDescriptionIsFound(form: String) async throws {
    let sample = Sample(name: "ios-2016").store()
    let bundle = folder.path("bundle/")
    _ = await rehome("export", "-q", sample, "--to", "csv", "-o", bundle)
    try folder.makePlaces(
      """
      names = sorted(os.listdir('bundle'), key=lambda name: name == 'manifest.json')
      files = [('b/' + name, open('bundle/' + name, 'rb').read()) for name in names]
      tar('a.tar', files)
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for name, data in files: archive.writestr(name, data)
      """)
    let found = try await find("a.\(form)")
    #expect(found.stores.keys.sorted() == ["!b"])
    #expect(Int(found.stores["!b"] ?? "") != nil)
  }

  @Test func archiveBehindAProgramMayHaveALongComment() async throws {
    try folder.makePlaces(
      """
      os.mkdir('dir')
      for name, start in [('a.exe', b'MZ'), ('b.sh', b'#!/bin/sh'), ('c', b'\\x7fELF')]:
          with open('dir/' + name, 'wb') as file: file.write(start + bytes(600))
          with zipfile.ZipFile('dir/' + name, 'a') as archive:
              archive.writestr('q.db', whole(1))
              archive.comment = b'x' * 60_000
      """)
    let found = try await find("dir")
    #expect(found.stores == ["/a.exe!q.db": "1", "/b.sh!q.db": "1", "/c!q.db": "1"])
  }
}
