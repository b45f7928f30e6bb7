import Foundation
import TestSupport
import Testing

/// A run that is stopped by a signal says so and leaves nothing behind.
struct InterruptionTests {
  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGQUIT, 131)] as [(Int32, Int32)])
  func stoppedConversionLeavesNothingBehind(signal: Int32, code: Int32) throws {
    let folder = try TemporaryFolder()
    let store = try AlteredStore.makeLarge(in: folder, rows: 300_000)
    let (output, copies) = (try folder.makeFolder("output"), try folder.makeFolder("private"))
    let before = folder.names
    let outcome = try Program.rehome.run(
      ["convert", store, "-o", output + "/out"],
      variables: ["TMPDIR": copies, "SWIFT_BACKTRACE": "enable=yes"]
    ) { process in
      // The hidden file stands there from the start of the load to its end.
      while process.isRunning, contents(of: output).isEmpty {}
      kill(process.processIdentifier, signal)
    }
    #expect(outcome.code == code)
    #expect(outcome.error == "rehome: stopped by a signal\n")
    #expect(contents(of: output) == [])
    #expect(contents(of: copies) == [])
    #expect(folder.names == before)
  }

  @Test(.enabled(if: Program.python.isInstalled, "python3 is not installed"))
  func signalsThatAParentHeldBackAreHeard() throws {
    let folder = try TemporaryFolder()
    let store = try AlteredStore.makeLarge(in: folder, rows: 300_000)
    let output = try folder.makeFolder("output")
    let script = """
      import os, signal, subprocess, sys
      signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
      run = subprocess.Popen([sys.argv[1], 'convert', '-q', sys.argv[2], '-o', sys.argv[3] + '/out'])
      while run.poll() is None and not os.listdir(sys.argv[3]): pass
      run.send_signal(signal.SIGTERM)
      print(run.wait())
      """
    let outcome = try Program.python.run([
      "-c", script, Program.rehome.executable.path, store, output,
    ])
    #expect(outcome.text == "143\n")
    #expect(contents(of: output) == [])
  }

  /// Copies that stay are those of which a line tells where they are.
  @Test(.enabled(if: Program.python.isInstalled, "python3 is not installed"))
  func stoppedSearchLeavesNoCopyThatItDidNotTellOf() throws {
    let folder = try TemporaryFolder()
    let store = try AlteredStore.makeLarge(in: folder, rows: 200_000)
    let (copies, archive) = (try folder.makeFolder("copies"), folder.path("a.zip"))
    _ = try python(
      """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[2], 'w') as zip:
          for name in 'abcdefgh': zip.write(sys.argv[1], name + '.db')
      """, store, archive)
    let outcome = try Program.rehome.run(["find", "--json", "--copy-to", copies, archive]) {
      process in
      while process.isRunning, contents(of: copies).count < 2 {}
      kill(process.processIdentifier, SIGTERM)
    }
    #expect(outcome.code == 143)
    let told = try outcome.jsonLines().compactMap { $0["path"] as? String }
    #expect(
      Set(contents(of: copies).map { copies + "/" + $0 }).isSuperset(of: told.map(folderName)))
    #expect(contents(of: copies).count == told.count, "\(contents(of: copies)) \(told)")
  }

  private func folderName(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  @Test func killedConversionLeavesNothingUnderTheFinalName() throws {
    let folder = try TemporaryFolder()
    let store = try AlteredStore.makeLarge(in: folder, rows: 300_000)
    let output = try folder.makeFolder("output")
    _ = try Program.rehome.run(["convert", store, "-o", output + "/out"]) { process in
      while process.isRunning, contents(of: output).isEmpty {}
      kill(process.processIdentifier, SIGKILL)
    }
    let left = contents(of: output)
    #expect(left.count == 1)
    #expect(left.allSatisfy { $0.hasPrefix(".out.") && $0.hasSuffix(".rehome-part") })
    let sample = Sample(name: "ios-2014").store()
    #expect(try Program.rehome.run(["convert", "-q", sample, "-o", output + "/out"]).code == 0)
  }

  @Test func sourceThatChangesMeanwhileIsNotPublished() throws {
    let folder = try TemporaryFolder()
    let store = try AlteredStore.makeLarge(in: folder, rows: 150_000)
    let output = try folder.makeFolder("output")
    let outcome = try Program.rehome.run(["convert", store, "-o", output + "/out"]) { process in
      while process.isRunning, contents(of: output).isEmpty {}
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: store)
    }
    #expect(outcome.code == 75)
    #expect(outcome.error.contains("the store changed while it was being read"))
    #expect(contents(of: output) == [])
  }

  private func contents(of folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
