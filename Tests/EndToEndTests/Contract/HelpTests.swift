import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import Commands

/// Help fits a screen, tells all when it is asked to, and leads from many words to the command.
struct HelpTests {
  static let root = RehomeCommand.description
  static let paths = CommandPath.every(in: root)

  @Test func descriptionHasNoProblems() {
    #expect(Self.root.descriptionProblems() == [])
  }

  @Test(arguments: paths)
  func screenOfHelpFitsAScreen(path: CommandPath) async throws {
    let arguments = Array(path.names.dropFirst())
    for width in [80, 100] {
      let screen = await rehome(
        arguments + ["-h"],
        terminal: Terminal.Facts(outputIsTerminal: true, errorIsTerminal: true, width: width))
      let lines = screen.text.replacing(/\u{1B}\[\d*m/, with: "").split(
        separator: "\n", omittingEmptySubsequences: false
      ).dropLast()
      #expect(screen.code == 0 && screen.error.isEmpty)
      #expect(lines.count <= 30, "\(path.name): \(lines.count) lines")
      #expect(lines.allSatisfy { $0.count <= width || $0.hasPrefix("  rehome ") }, "\(path.name)")
      #expect(lines.contains { $0.contains("Usage:") })
      #expect(path.leaf.examples.isEmpty || lines.contains { $0.contains("Examples:") })
      #expect(lines.last?.contains("\(path.name) --help") == true)
    }
  }

  @Test(arguments: paths)
  func allHelpNamesEveryOption(path: CommandPath) async throws {
    let help = await rehome(Array(path.names.dropFirst()) + ["--help"])
    #expect(help.code == 0 && help.error.isEmpty)
    for option in path.options {
      #expect(help.text.contains("--\(option.name)"), "\(path.name) --\(option.name)")
    }
    #expect(await rehome(["help"] + path.names.dropFirst()).text == help.text)
  }

  /// What many commands share is explained once, and nowhere twice.
  @Test func sharedOptionsAreExplainedByTheirTopic() async throws {
    var help = ""
    for path in Self.paths { help += await rehome(Array(path.names.dropFirst()) + ["--help"]).text }
    for topic in Self.root.topics {
      let told = await rehome("help", topic.name)
      #expect(told.code == 0)
      #expect(help.contains("rehome help"))
      for option in topic.options {
        #expect(told.text.contains("--\(option.name)"), "\(topic.name) --\(option.name)")
        let start = String(option.help.prefix(24))
        #expect(!help.contains(start), "\(option.name)")
        let owners = Self.paths.filter { $0.options.contains(option) }
        #expect(owners.count > 1, "\(option.name)")
      }
    }
  }

  /// What a topic says that a command lacks, the command does lack, and the other way round.
  @Test func topicsTellWhichOptionsCommandsLack() async throws {
    for topic in Self.root.topics {
      let told = await rehome("help", topic.name).text.replacing("\n", with: " ")
      let owners = try #require(told.split(separator: "For: ").last)
      for path in Self.paths where owners.contains(path.name + " (") {
        let words = try #require(
          owners.split(separator: path.name + " (").last?.prefix { $0 != ")" })
        let named = topic.options.filter { words.contains("--" + $0.name) }
        #expect(!named.isEmpty)
        for option in named {
          let isTaken = path.options.contains { $0.name == option.name }
          #expect(isTaken == words.hasPrefix("only"), "\(topic.name) \(words)")
        }
      }
    }
    let places = await rehome("help", "places").text.replacing("\n", with: " ")
    #expect(places.contains("rehome export (only --device)"), "\(places)")
  }

  static let words = [
    "merge", "diff", "ls", "import", "dump", "list", "cat", "info", "open", "check", "compare",
    "load", "sync", "push", "upload", "report", "recover", "repair", "show", "scan", "search",
    "extract", "restore", "send", "join", "migrate", "Merge", "DIFF",
  ]

  @Test(arguments: words)
  func wordThatPeopleTryLeadsToACommand(word: String) async throws {
    let mistake = await rehome(word, "some.sqlite")
    #expect(mistake.code == 64 && mistake.output.isEmpty)
    #expect(mistake.error.contains("\n  try: rehome "), "\(mistake.error)")
    #expect(mistake.error.contains(" --help'"))
    let help = await rehome("help", word)
    #expect(help.code == 0 && help.error.isEmpty)
    #expect(help.text.contains("Usage:") && help.text.contains("\n  rehome "), "\(help.text)")
    #expect(await rehome(word, "--help").text == help.text)
  }

  /// Every example is a command line that the tool takes.
  @Test func examplesAreRight() throws {
    let synonyms = Self.paths.flatMap(\.leaf.synonyms)
    let examples =
      synonyms.map(\.example) + Self.root.topics.flatMap(\.examples)
      + Self.paths.flatMap(\.leaf.examples)
    for example in examples {
      for line in example.commandLine.matches(of: #/(?:^|[|&(] ?)rehome ([^|&>)]*)/#) {
        let words = try Program.bash.run(["-c", "printf '%s\\n' " + line.1]).text
          .split(separator: "\n").map(String.init)
        #expect(throws: Never.self, "\(example.commandLine)") {
          try ArgumentParser.parse(words, with: Self.root)
        }
      }
    }
    for synonym in synonyms {
      #expect(synonym.words.allSatisfy { $0 == $0.lowercased() })
    }
  }

  @Test func wordsOfOpsLeadToItsCommands() async throws {
    let mistake = await rehome("ops", "delete", "x.rehome", "3")
    #expect(mistake.code == 64 && mistake.error.contains("'rehome ops drop' does that"))
    #expect(await rehome("help", "ops", "undo").text.contains("rehome ops keep"))
  }

  @Test func topicIsNoCommand() async throws {
    let mistake = await rehome("limits")
    #expect(mistake.code == 64 && mistake.error.contains("rehome help limits"))
  }

  @Test func withoutACommandTheCommandsAreShown() async throws {
    for names in [[], ["ops"]] {
      let outcome = await rehome(names)
      #expect(outcome.code == 64 && outcome.output.isEmpty)
      #expect(outcome.error.hasPrefix("rehome: no command given"))
      #expect(outcome.error.contains("Commands:"))
    }
  }

  @Test(arguments: paths.filter(\.leaf.subcommands.isEmpty))
  func everyCommandCanBeQuiet(path: CommandPath) {
    #expect(path.options.contains { $0.name == "quiet" && $0.letter == "q" }, "\(path.name)")
  }
}
