import Records
import TestSupport
import Testing

@testable import Exports

/// What services say beside their rows, in the forms that they document.
struct JSONAnswerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// An answer of two pages, and what tells that the second is missing.
  struct Service: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var rows: String?
    var told = "more-pages"
    /// Whether pages in one file are known as that.
    var joins = true
    let pages: [String]
  }

  private static let services = [
    Service(
      testDescription: "OData 2",
      pages: [
        #"{"d":{"results":[{"k":1}],"__count":"2","__next":"u"}}"#,
        #"{"d":{"results":[{"k":2}],"__count":"2"}}"#,
      ]),
    Service(
      testDescription: "OData 3",
      pages: [
        #"{"odata.metadata":"h/$metadata#T","value":[{"k":1}],"odata.nextLink":"u"}"#,
        #"{"odata.metadata":"h/$metadata#T","value":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "OData 4",
      pages: [
        #"{"@odata.context":"h/$metadata#T","value":[{"k":1}],"@odata.nextLink":"u"}"#,
        #"{"@odata.context":"h/$metadata#T","value":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "Dataverse",
      pages: [
        #"{"@odata.context":"h","@Microsoft.Dynamics.CRM.morerecords":true,"value":[{"k":1}]}"#,
        #"{"@odata.context":"h","@Microsoft.Dynamics.CRM.morerecords":false,"value":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "Strapi", told: "count-differs",
      pages: [
        #"{"data":[{"k":1}],"meta":{"pagination":{"page":1,"pageSize":1,"pageCount":2,"total":2}}}"#,
        #"{"data":[{"k":2}],"meta":{"pagination":{"page":2,"pageSize":1,"pageCount":2,"total":2}}}"#,
      ]),
    Service(
      testDescription: "JSON:API",
      pages: [
        #"{"links":{"self":"u","next":"v","last":"v"},"data":[{"k":1}]}"#,
        #"{"links":{"self":"v","next":null,"last":"v"},"data":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "JSON:API with the page in meta",
      pages: [
        #"{"data":[{"k":1}],"meta":{"page":{"hasMore":true}}}"#,
        #"{"data":[{"k":2}],"meta":{"page":{"hasMore":false}}}"#,
      ]),
    Service(
      testDescription: "JSON:API with a count in meta", told: "count-differs",
      pages: [
        #"{"data":[{"k":1}],"meta":{"page":{"total":2}}}"#,
        #"{"data":[{"k":2}],"meta":{"page":{"total":2}}}"#,
      ]),
    Service(
      testDescription: "Fractal",
      pages: [
        #"{"data":[{"k":1}],"meta":{"cursor":{"prev":null,"next":"Mg==","count":1}}}"#,
        #"{"data":[{"k":2}],"meta":{"cursor":{"prev":"MQ==","next":null,"count":1}}}"#,
      ]),
    Service(
      testDescription: "Airtable",
      pages: [
        #"{"records":[{"fields":{"k":1}}],"offset":"itrSJ1l4jlPyxEG6c/rec2"}"#,
        #"{"records":[{"fields":{"k":2}}]}"#,
      ]),
    Service(
      testDescription: "Salesforce",
      pages: [
        #"{"totalSize":2,"done":false,"nextRecordsUrl":"/q","records":[{"k":1}]}"#,
        #"{"totalSize":2,"done":true,"records":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "Salesforce with a locator",
      pages: [
        #"{"done":false,"queryLocator":"01g","records":[{"k":1}]}"#,
        #"{"done":true,"queryLocator":null,"records":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "Jira", joins: false,
      pages: [
        #"{"self":"u","maxResults":1,"startAt":0,"isLast":false,"values":[{"k":1}]}"#,
        #"{"self":"v","maxResults":1,"startAt":1,"isLast":true,"values":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "Jira with a token", joins: false,
      pages: [
        #"{"isLast":false,"nextPageToken":"x","issues":[{"k":1}]}"#,
        #"{"isLast":true,"issues":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "Bitbucket",
      pages: [
        #"{"size":1,"limit":1,"isLastPage":false,"values":[{"k":1}],"start":0,"nextPageStart":1}"#,
        #"{"size":1,"limit":1,"isLastPage":true,"values":[{"k":2}],"start":1,"nextPageStart":null}"#,
      ]),
    Service(
      testDescription: "Spring's Page",
      pages: [
        #"{"content":[{"k":1}],"pageable":{"pageNumber":0,"pageSize":1,"offset":0},"last":false,"#
          + #""totalPages":2,"totalElements":2,"size":1,"number":0,"sort":{"sorted":false},"#
          + #""first":true,"numberOfElements":1,"empty":false}"#,
        #"{"content":[{"k":2}],"pageable":{"pageNumber":1,"pageSize":1,"offset":1},"last":true,"#
          + #""totalPages":2,"totalElements":2,"size":1,"number":1,"sort":{"sorted":false},"#
          + #""first":false,"numberOfElements":1,"empty":false}"#,
      ]),
    Service(
      testDescription: "Spring's Slice",
      pages: [
        #"{"content":[{"k":1}],"pageable":{"pageNumber":0,"pageSize":1,"offset":0},"size":1,"#
          + #""number":0,"first":true,"last":false,"numberOfElements":1,"empty":false}"#,
        #"{"content":[{"k":2}],"pageable":{"pageNumber":1,"pageSize":1,"offset":1},"size":1,"#
          + #""number":1,"first":false,"last":true,"numberOfElements":1,"empty":false}"#,
      ]),
    Service(
      testDescription: "FHIR", rows: "$.entry",
      pages: [
        #"{"resourceType":"Bundle","id":"b","type":"searchset","link":[{"relation":"self","url":"u"}"#
          + #",{"relation":"next","url":"v"}],"entry":[{"k":1}]}"#,
        #"{"resourceType":"Bundle","id":"c","type":"searchset","link":[{"relation":"self","url":"v"}"#
          + #",{"relation":"previous","url":"u"}],"entry":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "Stripe",
      pages: [
        #"{"object":"list","url":"/v1/c","has_more":true,"data":[{"k":1}]}"#,
        #"{"object":"list","url":"/v1/c","has_more":false,"data":[{"k":2}]}"#,
      ]),
    Service(
      testDescription: "Notion",
      pages: [
        #"{"object":"list","results":[{"k":1}],"next_cursor":"x","has_more":true}"#,
        #"{"object":"list","results":[{"k":2}],"next_cursor":null,"has_more":false}"#,
      ]),
    Service(
      testDescription: "HAL", rows: "$._embedded.orders",
      pages: [
        #"{"_links":{"self":{"href":"/o"},"next":{"href":"/o?p=2"}},"_embedded":{"orders":[{"k":1}]}}"#,
        #"{"_links":{"self":{"href":"/o?p=2"}},"_embedded":{"orders":[{"k":2}]}}"#,
      ]),
    Service(
      testDescription: "PayPal",
      pages: [
        #"{"items":[{"k":1}],"links":[{"href":"u","rel":"self"},{"href":"v","rel":"next"}]}"#,
        #"{"items":[{"k":2}],"links":[{"href":"v","rel":"self"},{"href":"u","rel":"prev"}]}"#,
      ]),
    Service(
      testDescription: "Elasticsearch", rows: "$.hits.hits", told: "count-differs",
      pages: [
        #"{"took":1,"hits":{"total":{"value":2,"relation":"eq"},"hits":[{"k":1}]}}"#,
        #"{"took":1,"hits":{"total":{"value":2,"relation":"eq"},"hits":[{"k":2}]}}"#,
      ]),
    Service(
      testDescription: "numbers of pages",
      pages: [
        #"{"data":[{"k":1}],"page":1,"totalPages":2}"#,
        #"{"data":[{"k":2}],"page":2,"totalPages":2}"#,
      ]),
  ]

  private func file(_ text: String, _ name: String, rows: String? = nil) throws -> PlainFile {
    try PlainFile(
      path: folder.write(text, to: name), format: .json, options: PlainOptions(),
      form: rows.map { (path) throws in try JSONForm(told: [path]) })
  }

  /// What is told of missing rows in a file.
  private func told(_ text: String, rows: String? = nil) throws -> [String] {
    told(try file(text, "Todo.json", rows: rows).answer)
  }

  private func told(_ answer: JSONAnswer) -> [String] {
    answer.findings(table: nil).map(\.code).filter { $0 != "members-left-aside" }
  }

  @Test(arguments: services)
  func firstPageTellsThatMoreFollows(_ service: Service) throws {
    #expect(try told(service.pages[0], rows: service.rows) == [service.told])
  }

  /// How many rows the page has says nothing of the others.
  @Test(arguments: [
    (#"{"items":[{"k":1}],"count":1,"page":1,"totalPages":3}"#, "more-pages"),
    (#"{"items":[{"k":1}],"page":1,"pages":3,"per_page":1}"#, "more-pages"),
    (#"{"items":[{"k":1}],"limit":1,"page":1,"pages":5}"#, "more-pages"),
    (#"{"items":[{"k":1}],"pagination":{"page":1,"pages":3}}"#, "more-pages"),
    (#"{"items":[{"k":1}],"info":{"page":1,"pages":5}}"#, "more-pages"),
    (#"{"items":[{"k":1}],"meta":{"pagination":{"page":1,"pageCount":4}}}"#, "more-pages"),
    (#"{"items":[{"k":1}],"_meta":{"currentPage":1,"pageCount":5}}"#, "more-pages"),
    (#"{"items":[{"k":1}],"current_page":1,"last_page":5}"#, "more-pages"),
    (#"{"items":[{"k":1}],"pageIndex":1,"pageCount":5}"#, "more-pages"),
    (#"{"items":[{"k":1}],"IsTruncated":true,"NextContinuationToken":"t"}"#, "more-pages"),
    (#"{"data":[{"k":1}],"draw":1,"recordsTotal":57,"recordsFiltered":57}"#, "count-differs"),
    (#"{"docs":[{"k":1}],"totalDocs":9,"limit":1,"page":1}"#, "count-differs"),
    (#"{"items":[{"k":1}],"page":1,"hasNext":true}"#, "more-pages"),
    (#"{"items":[{"k":1}],"total":{"value":9,"relation":"eq"}}"#, "count-differs"),
    (#"{"results":[{"k":1}],"exceededTransferLimit":true}"#, "more-pages"),
    (#"{"items":[{"k":1}],"incomplete_results":true}"#, "failure-beside-rows"),
    (#"{"hits":[{"k":1}],"took":3,"timed_out":true}"#, "failure-beside-rows"),
  ])
  func onePageOfMoreTellsSo(_ text: String, _ code: String) throws {
    #expect(try told(text) == [code])
  }

  @Test(arguments: [
    #"{"items":[{"k":1}],"page":1,"pages":1}"#,
    #"{"items":[{"k":1}],"current_page":1,"last_page":1}"#,
    #"{"items":[{"k":1}],"pages":5}"#, #"{"items":[{"k":1}],"IsTruncated":false}"#,
  ])
  func onePageOfOneTellsNothing(_ text: String) throws {
    #expect(try told(text) == [])
  }

  /// An order has a number and a status, too; what is surely an answer calls itself so.
  @Test(arguments: [
    (
      #"{"number":1017,"status":"open","total":55.5,"from":"2020-01-01","version":3,"items":ROWS}"#,
      "total, number, status, from, version"
    ),
    (#"{"message":"call me","time":"10:00","items":ROWS}"#, "message, time"),
    (#"{"status":"success","data":ROWS}"#, nil), (#"{"status":200,"ok":true,"data":ROWS}"#, nil),
    (#"{"object":"list","data":ROWS}"#, nil),
    (#"{"kind":"calendar#events","etag":"e1","items":ROWS}"#, nil),
    (#"{"version":"1.0","data":ROWS,"count":1}"#, nil),
    (#"{"time":"10:00","next":null,"data":ROWS}"#, nil),
    (#"{"@odata.context":"h","version":"4","value":ROWS}"#, nil),
  ])
  func membersOfARowAreToldBesideItsRows(_ form: String, _ names: String?) throws {
    let answer = try file(form.replacing("ROWS", with: #"[{"k":1}]"#), "Todo.json").answer
    let finding = answer.findings(table: nil).first { $0.code == "members-left-aside" }
    #expect(finding?.message == names.map { "members beside the rows were left aside: \($0)" })
  }

  /// What a member holds is told where it is nothing that an answer has there.
  @Test(arguments: [
    (#""total":{"amount":12.5}"#, "total"), (#""total":{"value":12,"currency":"EUR"}"#, "total"),
    (#""context":"kitchen""#, "context"), (#""context":{"room":"kitchen"}"#, "context"),
    (#""limit":{"eur":5}"#, "limit"), (#""limit":"none""#, "limit"), (#""top":true"#, "top"),
    (#""count":[1,2]"#, "count"), (#""count":true"#, "count"), (#""offset":"left""#, "offset"),
    (#""first":"Bob","last":"McDonald""#, "first, last"), (#""page":"front""#, "page"),
    (#""pages":["a","b"]"#, "pages"), (#""self":{"name":"Bob"}"#, "self"),
    (#""prev":["paint"]"#, "prev"), (#""info":"at home""#, "info"), (#""meta":["x"]"#, "meta"),
    (#""from":{"city":"x"}"#, "from"), (#""@note":"important""#, "@note"),
    (#""@note":{"text":"x"},"@mark":true,"@seal":[1]"#, "@note, @mark, @seal"),
    (#""meta":{"total":{"amount":1},"limit":"x","page":{"total":[1]}}"#, "total, limit"),
  ])
  func membersOfOtherFormAreTold(_ members: String, _ names: String) throws {
    let text = #"{\#(members),"items":[{"k":1}],"hasMore":false}"#
    let told = try file(text, "Todo.json", rows: "$.items").answer.findings(table: nil)
    #expect(told.map(\.code) == ["members-left-aside"], "\(text)")
    #expect(told.first?.message == "members beside the rows were left aside: \(names)")
    let twice = try file("[\(text),\(text)]", "Two.json", rows: "$.items")
    #expect(twice.answer.findings(table: nil).map(\.message) == told.map(\.message))
  }

  @Test(arguments: [
    #""total":null"#, #""total":{"value":1,"relation":"eq"}"#, #""count":{"items":57,"pages":3}"#,
    #""total":[{"count":1}]"#, #""total":{}"#, #""count":false"#, #""limit":"20","offset":"""#,
    #""limit":20,"skip":null,"top":false"#, #""offset":"itrSJ1l4jlPyxEG6c/rec2""#,
    #""first":true,"last":true"#, #""first":"/o?page=1","last":"https://h/o""#, #""first":1"#,
    #""self":{"href":"/o"},"prev":{"page":1,"size":2}"#, #""self":["/o"]"#, #""prev":"Mg==""#,
    #""prev":"QVFIUmx","page":"eyJhbG""#, #""context":"https://h/c""#, #""page":{"number":1}"#,
    #""metadata":"https://h/$metadata""#, #""info":"Success""#, #""meta":[],"links":[]"#,
    #""@context":{"n":"x"},"@id":"/o","@type":"Collection","@graph":"x""#, #""@note":"""#,
    #""@search.coverage":5,"@Org.OData.Core.V1.note":"x","@xml:lang":"en""#, #""@editLink":"x""#,
    #""sort":{"sorted":true},"from":1,"to":"1","pageable":{"offset":0},"cursor":"hand""#,
  ])
  func valuesOfServicesAreNotTold(_ members: String) throws {
    let text = #"{\#(members),"items":[{"k":1}],"hasMore":false}"#
    let told = try file(text, "Todo.json", rows: "$.items").answer.findings(table: nil)
    #expect(!told.contains { $0.code == "members-left-aside" }, "\(text)")
  }

  @Test func allMembersBesideRowsAreCounted() throws {
    let members = (0..<20).map { #""k\#($0)":1,"# }.joined()
    let answer = try file("{" + members + #""items":[{"k":1}]}"#, "Todo.json").answer
    let names = (0..<16).map { "k\($0)" }.joined(separator: ", ")
    let told = "members beside the rows were left aside: \(names) and 4 more"
    #expect(answer.findings(table: nil).map(\.message) == [told])
  }

  @Test(arguments: services)
  func allPagesTellNothing(_ service: Service) throws {
    var answer = try file(service.pages[0], "1.json", rows: service.rows).answer
    answer.add(try file(service.pages[1], "2.json", rows: service.rows).answer)
    #expect(told(answer) == [])
  }

  /// Pages in an array, as `jq -s` makes it, say the same as one behind the other.
  @Test(arguments: services.filter(\.joins))
  func pagesInAnArrayArePages(_ service: Service) throws {
    let (first, all) = (service.pages[0], service.pages.joined(separator: ","))
    #expect(try told("[\(first)]", rows: service.rows) == [service.told])
    let rows = service.rows ?? "$.\(Self.member(first))"
    #expect(try told("[[\(first)]]", rows: rows) == [service.told])
    #expect(try told("[\(all)]", rows: service.rows) == [])
    #expect(try told(service.pages.joined(separator: "\n"), rows: service.rows) == [])
    var answer = try file("[\(first)]", "1.json", rows: service.rows).answer
    answer.add(try file("[\(first)]", "2.json", rows: service.rows).answer)
    #expect(answer.pages == 2)
  }

  /// The way to the rows of a page.
  private static func member(_ page: String) -> String {
    page.hasPrefix(#"{"d":"#)
      ? "d.results"
      : ["value", "values", "data", "records", "content", "results", "items"].first {
        page.contains("\"\($0)\":[")
      } ?? ""
  }

  /// What people keep beside rows is no sign of a page, as long as it is not what services have there.
  @Test(arguments: [
    #"{"items":[{"k":1}],"done":false}"#, #"{"items":[{"k":1}],"done":false,"title":"Milk"}"#,
    #"{"items":[{"k":1}],"last":false}"#, #"{"items":[{"k":1}],"last":false,"first":true}"#,
    #"{"items":[{"k":1}],"last":true,"numberOfElements":1}"#,
    #"{"records":[{"k":1}],"offset":"+01:00"}"#, #"{"records":[{"k":1}],"offset":"20"}"#,
    #"{"records":[{"k":1}],"offset":20}"#, #"{"records":[{"k":1}],"offset":null}"#,
    #"{"records":[{"k":1}],"offset":"north of the line"}"#,
    #"{"entries":[{"k":1}],"totalPages":320}"#, #"{"entries":[{"k":1}],"page":3}"#,
    #"{"data":[{"k":1}],"page":1,"totalPages":1}"#,
    #"{"data":[{"k":1}],"page":1,"totalPages":9,"total":1}"#,
    #"{"items":[{"k":1}],"links":[{"rel":"prev","href":"u"},{"rel":"next","href":""}]}"#,
    #"{"items":[{"k":1}],"links":[{"name":"next","href":"u"}]}"#,
    #"{"items":[{"k":1}],"links":[{"rel":"next","more":{"href":"u"}},{"href":"u"}]}"#,
    #"{"items":[{"k":1}],"links":["next"],"link":"next"}"#,
    #"{"items":[{"k":1}],"next":[],"nextPage":{}}"#,
    #"{"items":[{"k":1}],"total":{"amount":{"value":30},"currency":"EUR"}}"#,
    #"{"items":[{"k":1}],"total":{"value":12,"currency":"EUR"}}"#,
    #"{"items":[{"k":1}],"done":false,"next":null}"#,
    #"{"items":[{"k":1}],"last":false,"pageSize":4,"nextPage":""}"#,
    #"{"entries":[{"k":1}],"done":false,"pageSize":4}"#,
    #"{"items":[{"k":1}],"meta":{"info":{"success":false},"page":{"error":"x"}}}"#,
    #"{"items":[{"k":1}],"meta":{"page":{"author":"x","error":"y"}}}"#,
    #"{"items":[{"k":1}],"total":-1}"#,
    #"{"results":[{"k":1}],"exceededTransferLimit":false}"#,
    #"{"items":[{"k":1}],"incomplete_results":false,"total_count":1}"#,
    #"{"items":[{"k":1}],"meta":{"author":{"next":"u","total":9}}}"#,
    #"[{"k":1,"done":false,"last":false,"offset":"itr1","page":1,"totalPages":9}]"#,
    #"{"k":1,"done":false,"links":[{"rel":"next","href":"u"}],"meta":{"page":{"total":9}}}"#,
  ])
  func whatIsNoAnswerTellsNothing(_ text: String) throws {
    #expect(try told(text) == [])
  }
}
