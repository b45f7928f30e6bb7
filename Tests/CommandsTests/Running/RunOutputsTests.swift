import Testing

@testable import CommandLineKit
@testable import Commands

/// Which options name what is written; the rest of those with paths name what is read.
struct RunOutputsTests {
  private func options(_ path: CommandPath) -> [(command: String, option: Option)] {
    path.options.map { (path.name, $0) } + path.children.flatMap(options)
  }

  private var all: [(command: String, option: Option)] {
    get throws {
      options(try #require(CommandPath(following: [String](), from: RehomeCommand.description)))
    }
  }

  @Test func everyOutputIsDescribed() throws {
    let outputs = try all.filter { !$0.option.output.isEmpty }
      .map { "\($0.command) --\($0.option.name)" }
    #expect(
      Set(outputs) == [
        "rehome audit --csv", "rehome audit --html", "rehome audit --report",
        "rehome convert --output", "rehome export --output", "rehome export --report",
        "rehome find --copy-to", "rehome find --report", "rehome inspect --report",
        "rehome replay --journal", "rehome replay --plan", "rehome replay --report",
        "rehome seed --output", "rehome seed --rejects",
      ])
  }

  @Test func everyFileIsAPath() throws {
    for (command, option) in try all {
      let isFile = ["FILE", "FOLDER", "PATH"].contains(option.placeholder) && option.name != "rows"
      #expect(!isFile || option.takesPath, "\(command) --\(option.name)")
      #expect(option.output.isEmpty || option.takesPath, "\(command) --\(option.name)")
    }
  }
}
