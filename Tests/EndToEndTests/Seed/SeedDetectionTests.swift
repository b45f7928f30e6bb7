import Foundation
import TestSupport
import Testing

/// What the first records of CSV let expect is asked about where the records themselves tell otherwise.
struct SeedDetectionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Seeds a file, and returns what came of it.
  private func seed(_ text: String, _ options: String..., as name: String) async throws -> Outcome {
    let file = try folder.write(text, to: name)
    return await rehome(["seed", "-qf", file, "-o", folder.path("store.rehome")] + options)
  }

  /// The records with an odd one among them: as the first, behind what is looked at to find out how
  /// the file is written, and where of a long file nothing is looked at before it is read.
  private func texts(_ head: String, _ odd: String) -> [String] {
    let record = "1\t" + String(repeating: "x", count: 1_000) + "\n"
    return [(0, 0), (100, 1), (310, 3_700)].map { before, behind in
      head + String(repeating: record, count: before) + odd + "\n"
        + String(repeating: record, count: behind)
    }
  }

  @Test(arguments: [
    ("a\tb\n", #"2\tx\ty"#, true), ("a\tb\n", #"2\t\\"#, true),
    ("a\tb\n", #"2\tC:\temp\new"#, true),
    ("a\tb\n", #"2\tC:\Users"#, false), ("a\tb\n", #"2\tend\"#, false),
    // One that escapes nothing, or quotes, say that all are what they are.
    ("a\tb\n", "2\tC:\\Users\n3\tC:\\temp", false), ("a\t\"b\"\n", #"2\tC:\temp"#, false),
    ("a\tb\n1\t\"y\"\n", #"2\tC:\temp"#, false), ("a\tb\n1\t\"y\"\n", #"2\t\N"#, true),
    // In text of COPY quotes are a part of it.
    ("a\tb\n1\t\\N\n", "2\t\"y\"", true), ("a\tb\n1\t\\N\n", "2\t\"y\" z", false),
  ])
  func backslashesAndQuotesMeanTheSameWhereverTheyStand(
    head: String, odd: String, isAsked: Bool
  ) async throws {
    let odd = odd.replacingOccurrences(of: #"2\t"#, with: "2\t")
    for text in texts(head, odd) {
      let outcome = try await seed(text, as: "T.tsv")
      #expect(outcome.code == (isAsked ? 64 : 0), "\(outcome.error)")
      #expect(!isAsked || outcome.error.contains("--from copy"), "\(outcome.error)")
      guard isAsked else { continue }
      #expect(try await seed(text, "--from", "csv", as: "T.tsv").code == 0)
    }
  }

  /// MySQL, ClickHouse and Redshift write so what is no value, whatever stands between fields.
  @Test(arguments: [",", ";", "|"])
  func escapedNullIsAskedAbout(_ separator: String) async throws {
    let record = "1," + String(repeating: "x", count: 1_000) + "\n"
    for (before, behind) in [(0, 0), (100, 1), (310, 3_700)] {
      let rest = [before, behind].map { String(repeating: record, count: $0) }
      let text = ("a,b\n" + rest[0] + "2,\\N\n" + rest[1]).replacing(",", with: separator)
      let outcome = try await seed(text, as: "T.csv")
      #expect(outcome.code == 64, "\(outcome.error)")
      #expect(outcome.error.contains(#"say --null '\N', or --null ''"#), "\(outcome.error)")
      for (options, count) in [
        (["--null", "\\N"], 0), (["--from", "csv"], 1), (["--null", ""], 1),
      ] {
        let file = folder.path("T.csv")
        let taken = await rehome(["seed", "-qf", file, "-o", folder.path("s.rehome")] + options)
        #expect(taken.code == 0, "\(taken.error)")
        let query = #"SELECT count(*) FROM T WHERE b = '\N'"#
        #expect(try Devices.query(folder.path("s.rehome"), query) == "\(count)\n")
      }
    }
  }

  /// Files of our own say in quotes that it is a text.
  @Test(arguments: ["", "excel"])
  func textThatIsEscapedNullComesBack(_ program: String) async throws {
    #expect(try await seed(#"[{"id":"a","b":"\\N"},{"id":"c","b":null}]"#, as: "T.json").code == 0)
    let options = program.isEmpty ? [] : ["--for", program]
    let csv = await rehome(
      ["export", "--to", "csv", "--table", "T", folder.path("store.rehome")] + options)
    #expect(csv.text.contains(#""\N""#))
    #expect(try await seed(csv.text, as: "T.csv").code == 0)
    let query = #"SELECT group_concat(ifnull(b, '-'), ' ') FROM T"#
    #expect(try Devices.query(folder.path("store.rehome"), query) == "\\N -\n")
  }

  @Test(arguments: [#"2,"\N""#, #"2,\n"#, #"2,x\N"#, #"2,\N\N"#, #"2,N"#])
  func othersAreTexts(_ record: String) async throws {
    #expect(try await seed("a,b\n1,y\n\(record)\n", as: "T.csv").code == 0)
  }
}
