import Foundation
import TestSupport
import Testing

/// `seed --dry-run` reads all that a run would read, ends as that would, and writes nothing.
struct SeedTrialTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [[], ["--into", "toolkit"]])
  func valuesThatDoNotFitAreTold(_ target: [String]) async throws {
    let file = try folder.write("id,n\na,x\nb,1\n", to: "N.csv")
    let arguments = ["seed", "-n", file, "--type", "N.n=integer"] + target
    let outcome = await rehome(arguments + ["--json"])
    #expect(outcome.code == 2, "\(outcome.error)")
    let report = try outcome.json()
    let table = try #require((report["tables"] as? [[String: Any]])?.first)
    #expect(table["read"] as? Int == 2 && table["written"] as? Int == 2)
    #expect(table["rejectedCells"] as? Int == 1)
    let codes = (report["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    #expect(codes == ["form-not-accepted", "value-of-wrong-type"])
    let limited = await rehome(arguments + ["--max-rejects", "0"])
    #expect(limited.code == 3 && limited.text.contains("as --type says"))
    #expect(folder.names == ["N.csv"])
  }

  @Test func outputsThatCannotBeMadeAreTold() async throws {
    let file = try folder.write("id\na\n", to: "N.csv")
    for options in [["-o", "no/x"], ["-o", file], ["-o", "/dev/null"], ["--rejects", "no/x"]] {
      let trial = await rehome(["seed", "-n", file] + options)
      let output = options[0] == "-o" ? [] : ["-o", folder.path("new")]
      let run = await rehome(["seed", file] + options + output)
      #expect(trial.code == 73 && run.code == 73, "\(options) \(trial.code) \(run.code)")
      #expect(trial.error == run.error)
    }
    #expect(await rehome("seed", "-n", file, "-o", folder.path("new")).code == 0)
    #expect(folder.names == ["N.csv"])
  }

  @Test func idsThatAreNotThereAreTold() async throws {
    let authors = try folder.write("id\na\n", to: "Author.csv")
    let posts = try folder.write("id,author\n1,a\n2,b\n", to: "Post.csv")
    let outcome = await rehome("seed", "-n", authors, posts, "--reference", "Post.author=Author")
    #expect(outcome.code == 2 && outcome.text.contains("Post: 1 value"), "\(outcome.text)")
  }

  @Test func damageBehindTheBeginningIsTold() async throws {
    let file = try folder.write(#"[{"id":"a","n":1},{"id":"b","n":2}]"#, to: "T.json")
    let bundle = folder.path("bundle")
    #expect(await rehome("export", "-q", file, "--to", "csv", "-o", bundle).code == 0)
    #expect(await rehome("seed", "-n", bundle).code == 0)
    let text = try #require(folder.text("bundle/T.csv"))
    try folder.write(String(text.dropLast(3)), to: "bundle/T.csv")
    let outcome = await rehome("seed", "-n", bundle)
    #expect(outcome.code == 65 && outcome.text.contains("the input says so"))
  }
}
