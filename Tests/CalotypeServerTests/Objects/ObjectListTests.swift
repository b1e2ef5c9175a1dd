import CalotypeBase
import Testing

@testable import CalotypeServer

/// Answers of ListObjectsV2.
struct ObjectListTests {
    private func list(_ text: String) -> ObjectList? { ObjectList(xml: Array(text.utf8)) }

    private static func answer(_ isCut: String, _ entries: String) -> String {
        "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>b</Name>"
            + "<IsTruncated>\(isCut)</IsTruncated>\(entries)</ListBucketResult>"
    }

    private static func entry(_ key: String) -> String {
        "<Contents><Key>\(key)</Key><ETag>&quot;1&quot;</ETag><Size>1</Size></Contents>"
    }

    @Test func `names are in the order of the answer, and the last one leads to the rest`() {
        let entries = ["p/1", "p/a&amp;b"].map(Self.entry).joined()
        #expect(list(Self.answer("false", entries)) == ObjectList(names: ["p/1", "p/a&b"], next: nil))
        #expect(list(Self.answer("true", entries)) == ObjectList(names: ["p/1", "p/a&b"], next: "p/a&b"))
        #expect(list(Self.answer("false", "")) == ObjectList(names: [], next: nil))
    }

    @Test(arguments: [
        "", "<html>", "<Error><Code>SlowDown</Code></Error>", "<ListBucketResult></ListBucketResult>",
        answer("false", "<Contents><Size>1</Size></Contents>"), answer("false", "<Contents><Key>p/1"),
    ])
    func `another text is no list`(text: String) {
        #expect(list(text) == nil)
    }
}
