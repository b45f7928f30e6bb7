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

  /// A field that is surely a value makes a row of the first record, whatever stands beside it.
  @Test(arguments: [
    "00123,apple\n00456,pear\n00789,fig", "unknown;1.5;true\n3;7.5;false\n4;8.5;true",
    "-,5,2024-01-01\n3,7,2024-01-02\n4,8,2024-01-03", "-,5\n3,7\n4,8", "N/A,5\n3,7\n4,8",
    "a,31.12.2024\nb,1.1.2025", "a,12/31/2024\nb,1/1/2025", "a,10:30\nb,9:15", "a,9 AM\nb,10:30 pm",
    "a;1,50\nb;3\nc;2,75", "a,+4912345\nb,+4954321", "a,+49 123 45\nb,030/12345\nc,0301234",
    "a,5%\nb,7.5%", "a,$5\nb,$7.50", "a,(5)\nb,7", "a,1e5\nb,2", "a,yes\nb,no", "1,yes\nx,no",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479,x\n6fa459ea-ee8a-3ca4-894e-db77e160355e,y",
    "x,{f47ac10b-58cc-4372-a567-0e02b2c3d479}\ny,{6fa459ea-ee8a-3ca4-894e-db77e160355e}",
    "507f1f77bcf86cd799439011,x\n507f191e810c19729de860ea,y",
    "a,ann@example.org\nb,bob@example.org", "a,https://example.org/1\nb,http://example.org/2",
  ])
  func firstRecordWithAValueIsAskedAbout(text: String) async throws {
    let outcome = try await seed(text + "\n", as: "T.csv")
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--no-header"), "\(outcome.error)")
    #expect(try await seed(text + "\n", "--no-header", as: "T.csv").code == 0)
  }

  @Test(arguments: [
    "country,2019,2020\nA,1,2\nB,3,4", "id,2019,2020\n1,1.5,2\n2,3,4", "id,7\n1,2",
    "hour,0,1\n5,7,8",
    "e-mail,n\nann@example.org,1", "5%-quantile,x\n5%,1",
    "http status,url\n200,https://example.org",
    "1st,2nd\n1,2", "day,2024-01-01,2024-01-02\nx,3,4", "18-25,26-35\n3,4",
    "phone,date\n+4912345,1.1.2025",
    "no,yes/no\n1,yes", "id,mixed\n1,00123\n2,x", "id,name\nf47ac10b-58cc-4372-a567-0e02b2c3d479,x",
  ])
  func namesOfColumnsAreNames(text: String) async throws {
    let outcome = try await seed(text + "\n", as: "T.csv")
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  /// The second record tells a row from a header, however long the first one is.
  @Test func longFirstRecordIsAskedAbout() async throws {
    let first = "1," + String(repeating: "x", count: 70_000)
    let outcome = try await seed(first + "\n2,y\n", "--separator", ",", as: "T.csv")
    #expect(outcome.code == 64 && outcome.error.contains("--no-header"), "\(outcome.error)")
  }
}
