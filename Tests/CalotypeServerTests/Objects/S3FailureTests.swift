import CalotypeBase
import Testing

@testable import CalotypeServer

@Suite struct S3FailureTests {
    private func failure(_ text: String) -> S3Failure { S3Failure(text.utf8) }

    @Test func `the code, the region and the key are read`() {
        let found = failure(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>AuthorizationHeaderMalformed</Code><Message>the region 'us-east-1' is wrong</Message>\
            <Region>eu-central-1</Region><Key>a &amp;lt; &lt;b&gt;</Key></Error>
            """)
        #expect(found.code == "AuthorizationHeaderMalformed" && found.region == "eu-central-1")
        #expect(found.key == "a &lt; <b>")
    }

    @Test(arguments: [
        "", "<Code>", "<Code></Code>", "<Code>a<b/></Code>", "<Code>two words</Code>", "<Code>\u{1B}[31m</Code>",
        "<Code>NoSuchKey", "<html>The page</html>", "<!-- <Code -->", "<Code><![CDATA[NoSuchKey]]></Code>",
    ])
    func `other texts have no code`(text: String) { #expect(failure(text).code == nil) }

    @Test func `the scan ends after 4 KiB`() {
        let start = "<Error><Code>SlowDown</Code>"
        #expect(failure(start + String(repeating: " ", count: 1 << 20)).code == "SlowDown")
        #expect(failure(String(repeating: " ", count: 4096) + start).code == nil)
    }

    @Test func `no prefix of a failure is read wrongly`() {
        let text = Array("<Error><Code>NoSuchKey</Code><Key>cat.jpg</Key></Error>".utf8)
        for length in 0...text.count {
            let found = S3Failure(text.prefix(length))
            #expect(found.code == nil || found.code == "NoSuchKey")
            #expect(found.key == nil || found.key == "cat.jpg")
        }
    }
}
