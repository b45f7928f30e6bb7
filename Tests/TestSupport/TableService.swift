import Foundation

/// The table server that misbehaves on purpose, in a process that ends with the value.
package final class TableService {
  /// The base URL of the tables.
  package let address: String
  /// Another origin, which writes down what arrives there.
  package let elsewhere: String
  private let process: ChildProcess
  private let orders = Pipe()
  private let answers = Pipe()

  /// Starts a server of a dialect, encrypted where a file with key and certificate is given.
  package init(_ dialect: String = "v2-dotnet", certificate: String? = nil) throws {
    guard let python = SystemProgram.python.location else {
      throw SystemProgram.Failure(description: "python3 is not installed")
    }
    let file = ProjectFolders.package.appending(path: "Tests/Oracles/table_service.py").path
    process = try ChildProcess(
      python,
      ["-S", "-B", file, "--dialect", dialect, "--until-input-ends"]
        + (certificate.map { ["--tls", $0] } ?? []),
      ChildProcess.Streams(
        input: orders.fileHandleForReading.fileDescriptor,
        output: answers.fileHandleForWriting.fileDescriptor))
    // Our copies of the child's ends, without which its end would not be seen.
    try orders.fileHandleForReading.close()
    try answers.fileHandleForWriting.close()
    let places = try JSONSerialization.jsonObject(with: Self.line(from: answers))
    guard let places = places as? [String: String], let address = places["service"],
      let elsewhere = places["elsewhere"]
    else {
      throw SystemProgram.Failure(description: "the table service did not say where it is")
    }
    self.address = address
    self.elsewhere = elsewhere
  }

  deinit {
    // The end of its input ends the service; a leftover process would only wait for that.
    try? orders.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Gives one order, such as `POST /plan`, and returns what the service answers.
  @discardableResult
  package func tell(_ order: String, _ json: String = "") throws -> Any {
    let line = order + " " + json.replacing("\n", with: " ") + "\n"
    try orders.fileHandleForWriting.write(contentsOf: Data(line.utf8))
    let answer = try JSONSerialization.jsonObject(with: Self.line(from: answers))
    if let complaint = (answer as? [String: Any])?["error"] {
      throw SystemProgram.Failure(description: "\(order): \(complaint)")
    }
    return answer
  }

  /// Every commit in order, as `kind table id`.
  package var commits: [String] {
    get throws {
      let state = try tell("GET /state") as? [String: Any]
      return (state?["commits"] as? [[String: Any]] ?? []).map { commit in
        ["kind", "table", "id"].map { commit[$0] as? String ?? "" }.joined(separator: " ")
      }
    }
  }

  /// How many requests of a kind arrived, such as `POST`, or `requests` in all.
  package func count(_ name: String) throws -> Int {
    (try tell("GET /counts") as? [String: Any])?[name] as? Int ?? 0
  }

  /// What arrived at the other origin.
  package var strays: Int {
    get throws { (try tell("GET /elsewhere") as? [Any])?.count ?? 0 }
  }

  private static func line(from pipe: Pipe) throws -> Data {
    var line = Data()
    while let byte = try pipe.fileHandleForReading.read(upToCount: 1), byte != Data([0x0A]) {
      line += byte
    }
    return line
  }
}
