import Foundation
import TestSupport
import Testing

/// Rows of JSON that come through a pipe are called as their content says.
struct UnnamedAnswerTests {
  @Test(arguments: [
    (
      #"{"@odata.context":"https://x/$metadata#NS.Customers(Id)","value":[{"id":"1"}]}"#,
      "Customers"
    ),
    (#"{"@odata.context":"x/$metadata#Orders(5)/Items(Id,P/N)","value":[{"id":"1"}]}"#, "Items"),
    (#"{"@odata.context":"x/$metadata#Items/NS.Large/$delta","value":[{"id":"1"}]}"#, "Items"),
    (#"{"@odata.context":"x/$metadata#Collection(NS.Cat)","value":[{"id":"1"}]}"#, "Cat"),
    (#"{"@odata.context":"x/$metadata#NS.Cat","value":[{"id":"1"}]}"#, "Cat"),
    (#"{"context":"web#x","items":[{"id":"1"}]}"#, "items"),
    (#"{"odata.metadata":"https://x/$metadata#Orders&$select=id","value":[{"id":"1"}]}"#, "Orders"),
    (#"{"@odata.context":"http://x/$metadata#Todos/$entity","Id":1}"#, "Todos"),
    (#"{"odata.metadata":"http://x/$metadata#Todos/@Element","Id":1}"#, "Todos"),
    ("{\n \"@odata.context\":\"x/$metadata#NS.Todos(Id)/$entity\",\n \"Id\":1\n}", "Todos"),
    (#"{"context":"x#Todos/$entity","Id":1}"#, "rows"),
    (#"{"items":[{"id":1}]}"#, "items"),
    (#"{"users":[{"id":1}],"total":1}"#, "users"),
    (#"[{"id":1}]"#, "rows"),
  ])
  func tableIsCalledAsTheAnswerSays(answer: String, name: String) throws {
    let folder = try TemporaryFolder()
    let input = try folder.write(answer, to: "answer.json")
    let run = "\"$0\" seed -q - -o \"$2\" < \"$1\" && \"$0\" inspect --json \"$2\""
    let outcome = try Program.bash.run([
      "-c", run, Project.executable.path, input, folder.path("out.rehome"),
    ])
    #expect(outcome.code == 0, "\(outcome.error)")
    let stores = try outcome.json()["stores"] as? [[String: any Sendable]]
    let tables = stores?.first?["tables"] as? [[String: any Sendable]]
    #expect(tables?.map { $0["name"] as? String } == [name])
  }
}
