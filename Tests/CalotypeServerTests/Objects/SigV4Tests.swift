import CalotypeBase
import CalotypeHTTP
import Testing

@testable import CalotypeServer

/// The signatures that AWS has published: the examples of requests to S3, and those rows of its test suite for all
/// services in which no path is normalized.
@Suite struct SigV4Tests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method: HTTPMethod = .get
        let target: ByteString
        var fields: HTTPFields = [:]
        var body: ByteString = ""
        let names: ByteString
        let signature: ByteString
    }

    static let examples = [
        Example(
            testDescription: "a range of an object", target: "/test.txt", fields: ["Range": "bytes=0-9"],
            names: "host;range;x-amz-content-sha256;x-amz-date",
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            testDescription: "an object to store", method: .put, target: "/test%24file.text",
            fields: ["Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            body: "Welcome to Amazon S3.",
            names: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            testDescription: "a name without a value in the query", target: "/?lifecycle",
            names: "host;x-amz-content-sha256;x-amz-date",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            testDescription: "a list", target: "/?max-keys=2&prefix=J",
            names: "host;x-amz-content-sha256;x-amz-date",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        Example(
            testDescription: "a list whose names are in another order", target: "/?prefix=J&max-keys=2",
            names: "host;x-amz-content-sha256;x-amz-date",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    private static let unreserved: ByteString = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let token: ByteString = """
        AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeo\
        IYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5V\
        SXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yj\
        c8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==
        """

    /// Rows of the suite, with the names that it gives them.
    static let suite = [
        row("get-vanilla", "/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        row("get-unreserved", "/\(unreserved)", "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        row("get-utf8", "/%E1%88%B4", "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        row("get-space", "/example%20space/", "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
        row(
            "get-vanilla-query-order-key-case", "/?Param2=value2&Param1=value1",
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        row(
            "get-vanilla-query-unreserved", "/?\(unreserved)=\(unreserved)",
            "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        row(
            "get-vanilla-utf8-query", "/?\u{1234}=bar",
            "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        row(
            "get-vanilla-empty-query-key", "/?Param1=value1",
            "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
        row(
            "post-vanilla", "/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b", method: .post),
        row(
            "post-vanilla-query", "/?Param1=value1",
            "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11", method: .post),
        Example(
            testDescription: "post-sts-header-before", method: .post, target: "/",
            fields: ["X-Amz-Security-Token": token], names: "host;x-amz-date;x-amz-security-token",
            signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
    ]

    private static func row(
        _ name: String, _ target: ByteString, _ signature: ByteString, method: HTTPMethod = .get
    ) -> Example {
        Example(testDescription: name, method: method, target: target, names: "host;x-amz-date", signature: signature)
    }

    private static let credentials = SigV4.Credentials(
        id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    /// Midnight on 24 May 2013, UTC.
    private static let now = 1_369_353_600.0

    @Test(arguments: examples)
    func `the signature is the published one`(example: Example) {
        var subject = SigV4.Subject(
            method: example.method, host: "examplebucket.s3.amazonaws.com", target: example.target,
            fields: example.fields)
        subject.bodyDigest = SigV4.digest(of: example.body)
        let fields = SigV4(region: "us-east-1").fields(for: subject, by: Self.credentials, at: Self.now)
        let scope: ByteString = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"
        #expect(
            fields["Authorization"]
                == "AWS4-HMAC-SHA256 Credential=\(scope),SignedHeaders=\(example.names),Signature=\(example.signature)")
        #expect(fields["X-Amz-Date"] == "20130524T000000Z")
    }

    @Test(arguments: suite)
    func `the signature is that of the suite`(row: Example) {
        var subject = SigV4.Subject(
            method: row.method, host: "example.amazonaws.com", target: row.target, fields: row.fields)
        subject.fields["X-Amz-Date"] = "20150830T123600Z"
        let credentials = SigV4.Credentials(id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
        // 12:36 on 30 August 2015, UTC.
        let authorization = SigV4(region: "us-east-1", service: "service")
            .authorization(for: subject, by: credentials, at: 1_440_938_160)
        let scope: ByteString = "AKIDEXAMPLE/20150830/us-east-1/service/aws4_request"
        #expect(
            authorization
                == "AWS4-HMAC-SHA256 Credential=\(scope),SignedHeaders=\(row.names),Signature=\(row.signature)")
    }

    @Test func `the token of temporary credentials is sent and signed`() {
        var credentials = Self.credentials
        credentials.token = "token"
        let subject = SigV4.Subject(host: "examplebucket.s3.amazonaws.com", target: "/test.txt")
        let fields = SigV4(region: "us-east-1").fields(for: subject, by: credentials, at: Self.now)
        #expect(fields["X-Amz-Security-Token"] == "token")
        #expect(fields["Authorization"]?.contains("x-amz-date;x-amz-security-token,") == true)
    }

    @Test func `a field that a cache adds changes no signature`() {
        let signer = SigV4(region: "us-east-1")
        var subject = SigV4.Subject(host: "examplebucket.s3.amazonaws.com", target: "/test.txt")
        let plain = signer.fields(for: subject, by: Self.credentials, at: Self.now)
        subject.fields["If-None-Match"] = "\"v1\""
        #expect(signer.fields(for: subject, by: Self.credentials, at: Self.now) == plain)
    }

    @Test(
        arguments: [
            ("", ""), ("lifecycle", "lifecycle="), ("b=2&a=1", "a=1&b=2"), ("a=2&a=1", "a=1&a=2"),
            ("prefix=a/b", "prefix=a%2Fb"), ("prefix=a%2fb%41", "prefix=a%2FbA"), ("a=b=c", "a=b%3Dc"),
            ("a-b=1&a=2", "a=2&a-b=1"), ("a=1+2", "a=1%2B2"), ("a=%GG", "a=%25GG"),
        ] as [(ByteString, ByteString)])
    func `a query is put in order, with each byte encoded once`(query: ByteString, canonical: ByteString) {
        #expect(SigV4.canonicalQuery(query) == canonical)
        #expect(SigV4.canonicalQuery(canonical) == canonical)
    }

    @Test(
        arguments: [
            (0.0, "19700101T000000Z"), (951_827_696.9, "20000229T123456Z"), (1_798_761_599, "20261231T235959Z"),
        ] as [(Double, ByteString)])
    func `a time has the form of the signature`(seconds: Double, text: ByteString) {
        #expect(SigV4.timestamp(seconds) == text)
    }
}
