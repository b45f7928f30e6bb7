import Foundation
import TestSupport
import Testing

/// Every command that opens a store takes the number of its threads, and gives the same for any.
struct JobsTests {
  @Test func everyCommandGivesTheSameForAnyNumberOfThreads() async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let source = sample.store()
    #expect(
      await rehome("export", "-q", source, "--to", "json", "-o", folder.path("items.json")).code
        == 0)
    var outputs: [[Data]] = []
    for jobs in ["1", "3"] {
      let (store, seeded) = (folder.path("\(jobs).rehome"), folder.path("\(jobs).seeded"))
      let runs = [
        ["convert", "-q", source, "-o", store], ["inspect", source], ["audit", "--json", source],
        ["export", source, "--to", "csv", "--table", "TodoItem"], ["hash", store],
        ["seed", "-q", folder.path("items.json"), "-o", seeded], ["verify", store, seeded],
        ["ops", "list", store], ["ops", "show", store, "1"], ["ops", "drop", "-n", store, "1"],
      ]
      var output: [Data] = []
      for run in runs {
        let result = await rehome(run + ["-j", jobs])
        #expect([0, 2].contains(result.code), "\(run)")
        output.append(
          Data(result.text.replacing(folder.path("\(jobs)."), with: folder.path("N.")).utf8))
      }
      outputs.append(output)
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0].contains { !$0.isEmpty })
  }

  @Test(arguments: ["0", "65", "many"]) func aNumberThatIsNoneIsRefusedEverywhere(
    _ jobs: String
  ) async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    for command in ["inspect", "hash", "audit"] {
      #expect(await rehome([command, sample.store(), "-j", jobs]).code == 64, "\(command)")
    }
  }
}
