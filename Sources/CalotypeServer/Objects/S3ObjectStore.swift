import CalotypeBase
import CalotypeHTTP
import CalotypeURLs
import Foundation

/// The objects of a bucket. Uses four operations of S3: GetObject, PutObject, DeleteObject and ListObjectsV2.
struct S3ObjectStore: ObjectStore {
    private let bucket: S3Bucket
    private let transport: any Transport

    /// The time limit of an exchange.
    private static let limit = Duration.seconds(10)
    /// The maximum number of names in one answer, and its maximum size in bytes.
    private static let listed = 1000, listSize = 8 << 20

    /// - Parameter transport: A transport that signs requests.
    init(bucket: S3Bucket, transport: any Transport) { (self.bucket, self.transport) = (bucket, transport) }

    func read(_ name: ByteString, limit: Int) async throws(TransportError) -> Data? {
        let response = try await answer(.get, try url(of: name))
        if response.status == 404 { return nil }
        try check(response, is: [200])
        guard response.contentLength.map({ $0 <= limit }) ?? true else {
            throw TransportError.bodyTooLarge(limit: limit)
        }
        return try await response.body.collect(limit: limit, expected: response.contentLength)
    }

    func store(_ data: Data, as name: ByteString) async throws(TransportError) {
        let response = try await answer(.put, try url(of: name), body: data)
        try check(response, is: [200])
    }

    func remove(_ name: ByteString) async throws(TransportError) {
        let response = try await answer(.delete, try url(of: name))
        try check(response, is: [200, 204, 404])
    }

    func list(_ prefix: ByteString, after last: ByteString?) async throws(TransportError) -> ObjectList {
        let response = try await answer(.get, try listURL(prefix, after: last))
        try check(response, is: [200])
        let text = Array(try await response.body.collect(limit: Self.listSize))
        guard var list = ObjectList(xml: text), list.names.allSatisfy({ $0.hasPrefix(prefix) }) else {
            throw TransportError(.malformedResponse, "the bucket \(bucket.name) answered no list of objects")
        }
        list.date = response.fields["Date"].flatMap { HTTPDate.parse($0) }
        return list
    }

    // MARK: Exchanges

    private func answer(
        _ method: HTTPMethod, _ url: URL, body: Data? = nil
    ) async throws(TransportError) -> HTTPResponse {
        var request = HTTPRequest(url, method: method, body: body)
        request.timeouts.total = Self.limit
        return try await transport.send(request)
    }

    private func check(_ response: HTTPResponse, is expected: [Int]) throws(TransportError) {
        guard expected.contains(response.status) else {
            throw TransportError(
                .badStatus, "the bucket \(bucket.name) answered \(response.status)", status: response.status)
        }
    }

    private func url(of name: ByteString) throws(TransportError) -> URL {
        guard let text = try? bucket.url(ofKey: name), let url = URL(text: text) else {
            throw TransportError(.malformedURL, "\(name.quoted) is no key of an object")
        }
        return url
    }

    /// Returns the URL of a list. Its query is in the order of the names, as a signature has it.
    private func listURL(_ prefix: ByteString, after last: ByteString?) throws(TransportError) -> URL {
        func encoded(_ text: ByteString) -> ByteString { text.percentEncoded { $0.isUnreserved } }
        var query: ByteString = "list-type=2&max-keys=\(Self.listed)&prefix=\(encoded(prefix))"
        if let last { query.append("&start-after=\(encoded(last))") }
        guard let url = URL(text: "\(bucket.root)/?\(query)") else {
            throw TransportError(.malformedURL, "\(prefix.quoted) is no prefix of keys")
        }
        return url
    }
}

extension ObjectList {
    /// Reads an answer of ListObjectsV2, with a scan for the elements that count here. Returns `nil` for another text.
    init?(xml text: [UInt8]) {
        guard text.firstRange(of: Array("<ListBucketResult".utf8)) != nil,
            let isCut = S3Failure.text(of: "IsTruncated", in: text)
        else { return nil }
        let entries = text.split(separator: Array("<Contents>".utf8), omittingEmptySubsequences: false).dropFirst()
        var names: [ByteString] = []
        for entry in entries {
            guard let name = S3Failure.text(of: "Key", in: Array(entry)) else { return nil }
            names.append(name)
        }
        self.init(names: names, next: isCut == "true" ? names.last : nil)
    }
}
