import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation

@testable import CalotypeServer

/// An object store on loopback, with S3's protocol: it checks the signature, the region, the time and the body of each
/// request, and fails on request. Lists, stores and removes objects, too.
final class S3Server: Sendable {
    struct State {
        /// The replies by bucket and bytes of the key, such as "/photos/cat.jpg".
        var objects: [ByteString: OriginReply] = [:]
        var credentials = S3Server.credentials
        /// The IDs of credentials that have ended.
        var expired: Set<ByteString> = []
        var region: ByteString = "us-east-1"
        /// The server's time minus that of the test, in seconds.
        var offset = 0.0
        /// The refusal of each request, whatever it asks for.
        var refusal: OriginReply?
        /// The refusals of the next requests, one each.
        var refusals: [OriginReply] = []
        /// The maximum number of names in a list.
        var pageSize = 1000
    }

    static let credentials = SigV4.Credentials(id: "AKIA1", secret: "secret/+=")
    /// The variables of ``credentials``. A machine's own metadata service is no part of a test.
    static let environment = [
        "AWS_ACCESS_KEY_ID": "AKIA1", "AWS_SECRET_ACCESS_KEY": "secret/+=", "AWS_EC2_METADATA_DISABLED": "true",
    ]

    let origin: OriginServer
    private let clock: ManualClock
    private let state = Locked(State())

    /// - Parameter clock: The clock of the test.
    init(_ clock: ManualClock) throws {
        origin = try OriginServer()
        self.clock = clock
        origin.onAny { [weak self] request in self?.answer(request) ?? .status(500) }
    }

    var host: ByteString { ByteString("127.0.0.1:\(origin.url.port ?? 0)") }

    /// The value of --s3 for a bucket of the server.
    func bucket(_ name: ByteString) -> ByteString { "\(name) endpoint=http://\(host)" }

    func update(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// - Parameter key: The bucket and the bytes of the key.
    func put(_ key: ByteString, _ reply: OriginReply = WebServer.reply()) { update { $0.objects["/\(key)"] = reply } }

    /// The body of an object, or `nil` if there is none.
    func body(of key: ByteString) -> Data? { state.withLock { $0.objects["/\(key)"]?.body } }

    static func failure(_ status: Int, _ code: String, _ more: String = "", _ fields: HTTPFields = [:]) -> OriginReply {
        let text = "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>No</Message>\(more)</Error>"
        var reply = OriginReply(status: status, fields: ["Content-Type": "application/xml"], body: Data(text.utf8))
        for field in fields { reply.fields[field.name] = field.value }
        return reply
    }

    private func answer(_ request: OriginRequest) -> OriginReply {
        let now = clock.wall.now
        return state.withLock { state in
            if !state.refusals.isEmpty { return state.refusals.removeFirst() }
            return state.refusal ?? state.refusal(of: request, at: now + state.offset) ?? state.answer(request)
        }
    }
}

extension S3Server.State {
    /// Returns the refusal of a request that is not signed well, in the order of S3; otherwise `nil`.
    fileprivate func refusal(of request: OriginRequest, at now: Double) -> OriginReply? {
        guard let given = request.fields["Authorization"], let date = request.fields["X-Amz-Date"] else {
            return S3Server.failure(403, "AccessDenied")
        }
        if expired.contains(where: { given.contains("Credential=\($0)/") }) {
            return S3Server.failure(400, "ExpiredToken")
        }
        guard given.contains("Credential=\(credentials.id)/"),
            request.fields["X-Amz-Security-Token"] == credentials.token
        else { return S3Server.failure(403, "InvalidAccessKeyId") }
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        guard let sent = (try? style.parse(date.string))?.timeIntervalSince1970, abs(sent - now) < 900 else {
            return S3Server.failure(403, "RequestTimeTooSkewed", "", ["Date": HTTPDate.format(now)])
        }
        guard given.contains("/\(region)/s3/aws4_request") else {
            return S3Server.failure(400, "AuthorizationHeaderMalformed", "<Region>\(region)</Region>")
        }
        let digest = SigV4.digest(of: ByteString(bytes: request.body))
        guard request.fields["X-Amz-Content-Sha256"] == digest else {
            return S3Server.failure(400, "XAmzContentSHA256Mismatch")
        }
        var fields = request.fields
        for name: CaselessString in ["Authorization", "X-Amz-Date", "X-Amz-Content-Sha256", "X-Amz-Security-Token"] {
            fields[name] = nil
        }
        var subject = SigV4.Subject(
            method: HTTPMethod(rawValue: request.method), host: request.fields["Host"] ?? "",
            target: ByteString(request.target), fields: fields)
        subject.bodyDigest = digest
        let expected = SigV4(region: region).fields(for: subject, by: credentials, at: sent)
        return expected["Authorization"] == given ? nil : S3Server.failure(403, "SignatureDoesNotMatch")
    }

    fileprivate mutating func answer(_ request: OriginRequest) -> OriginReply {
        guard let key = ByteString(request.path).percentDecoded else { return S3Server.failure(400, "InvalidURI") }
        switch request.method {
        case "PUT":
            objects[key] = .ok(request.body)
            return OriginReply()
        case "DELETE":
            objects[key] = nil
            return .status(204)
        default:
            if let query = request.query, query.contains("list-type=2") { return list(in: key, ByteString(query)) }
            return objects[key] ?? S3Server.failure(404, "NoSuchKey", "<Key>absent</Key>")
        }
    }

    private func list(in bucket: ByteString, _ query: ByteString) -> OriginReply {
        func value(_ name: ByteString) -> ByteString {
            let parts = query.split(separator: UInt8(ascii: "&")).first { $0.hasPrefix("\(name)=") }
            return parts?.dropFirst(name.count + 1).percentDecoded ?? ""
        }
        let root: ByteString = bucket.hasSuffix("/") ? bucket : "\(bucket)/"
        let prefix = value("prefix"), start = value("start-after")
        let names = objects.keys.filter { $0.hasPrefix(root) }.map { $0.dropFirst(root.count) }
            .filter { $0.hasPrefix(prefix) && (start.isEmpty || start.bytes.lexicographicallyPrecedes($0.bytes)) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        let lines = names.prefix(pageSize).map {
            "<Contents><Key>\($0.string.escapedXML)</Key><Size>1</Size></Contents>"
        }
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>\
            <KeyCount>\(lines.count)</KeyCount><IsTruncated>\(names.count > lines.count)</IsTruncated>\
            \(lines.joined())</ListBucketResult>
            """
        return .ok(Data(text.utf8), type: "application/xml")
    }
}

extension String {
    fileprivate var escapedXML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
