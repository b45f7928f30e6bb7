import Foundation
import TestSupport
import Testing

/// What is kept of rows and what refers to them takes a few bytes of memory for each.
struct KeyMemoryTests {
  /// Keys are close together where one counts them, and lie apart where a clock makes them.
  @Test func keysThatLieApartTakeLittleMoreThanOthers() throws {
    let peaks = try Self.peaks(
      """
      for step in 1, 1 << 22:
          for name, start in ('a', 1), ('b', 2):
              path = f'{name}{step}.db'
              base = sqlite3.connect(path)
              base.execute('CREATE TABLE T (pk INTEGER PRIMARY KEY, id TEXT)')
              base.executemany('INSERT INTO T VALUES (?, ?)', (
                  (start + n * step, f'{name}{n}') for n in range(400_000)))
              base.commit()
          measure('audit', path)
          measure('convert', '-q', f'a{step}.db', path, '-o', f'm{step}.rehome')
          measure('audit', f'm{step}.rehome')
      """)
    try #require(peaks.count == 6)
    for (close, apart) in zip(peaks.prefix(3), peaks.suffix(3)) {
      #expect(apart - close < 10, "\(apart) MiB, and \(close) where keys are close together")
    }
  }

  /// It is looked up which of the rows are there to which others refer.
  @Test func rowsThatAreReferredToTakeLittle() throws {
    let peaks = try Self.peaks(
      """
      seed(200_000, 1)
      measure('audit', 's.rehome')
      base = sqlite3.connect('s.rehome')
      base.execute('UPDATE s SET r0 = r0 << 22')
      base.execute('UPDATE s SET _pk = -(_pk << 22)')
      base.execute('UPDATE s SET _pk = -_pk')
      base.commit()
      measure('audit', 's.rehome')
      """)
    try #require(peaks.count == 2)
    #expect(peaks[1] - peaks[0] < 11, "\(peaks[1]) MiB, \(peaks[0]) where keys are close together")
  }

  /// Several columns that refer to the same items share what stands for them.
  @Test func columnsOfReferencesTakeAsMuchAsOne() throws {
    let peaks = try Self.peaks(
      """
      for count in 1, 6:
          seed(100_000, count)
          measure('verify', '-q', '--by-id', 's.rehome', 's.rehome')
      """)
    try #require(peaks.count == 2)
    #expect(peaks[1] - peaks[0] < 8, "\(peaks[1]) MiB for six, \(peaks[0]) for one")
  }

  /// The peaks of what is measured, in MiB.
  private static func peaks(_ script: String) throws -> [Int] {
    let folder = try TemporaryFolder()
    let lines = try Python.run(
      """
      import os, sqlite3, subprocess, sys
      tool, folder = sys.argv[1:]
      os.chdir(folder)

      def seed(count, columns):
          names = [f'r{n}' for n in range(columns)]
          with open('s.csv', 'w') as text:
              print('id', *names, sep=',', file=text)
              for n in range(count):
                  print(f'a{n}', *(
                      f'a{(n * 7919 + place) % count}' for place in range(columns)), sep=',', file=text)
          options = (word for name in names for word in ('--reference', f's.{name}=s'))
          subprocess.run([tool, 'seed', '-q', '-f', 's.csv', '-o', 's.rehome', *options], check=True)

      def measure(*words):
          process = subprocess.Popen([tool, *words], stdout=subprocess.DEVNULL)
          _, status, usage = os.wait4(process.pid, 0)
          assert os.waitstatus_to_exitcode(status) in (0, 2), words
          print(usage.ru_maxrss // 1024)

      \(script)
      """, arguments: [Project.executable.path, folder.path("")])
    return String(decoding: lines, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
  }
}
