import CalotypeBase
import CalotypeHTTP
import Foundation

extension Transport {
    /// Signs the requests for sources in buckets, and no other ones. It lies below the cache of sources, and sees each
    /// attempt.
    ///
    /// - Parameters:
    ///   - signers: Returns the signers at the time of an exchange.
    ///   - onRefusal: Called with a line for each request that a store refuses.
    func signingSources(
        by signers: @escaping @Sendable () -> SourceSigners, onRefusal: @escaping @Sendable (String) -> Void
    ) -> some Transport {
        SigningTransport(base: self, signer: { signers().signer(for: $0) }, onRefusal: onRefusal)
    }

    /// Signs all requests, which are for URLs that begin with the signer's bucket.
    ///
    /// - Parameter onRefusal: Called with a line for each request that the store refuses.
    func signed(by signer: ObjectSigner, onRefusal: @escaping @Sendable (String) -> Void) -> some Transport {
        SigningTransport(base: self, signer: { _ in signer }, onRefusal: onRefusal)
    }
}

/// A request that a store refuses, with a reason that the request can be changed for, is sent once more for each reason.
private struct SigningTransport<Base: Transport>: Transport {
    let base: Base
    /// Returns `nil` for a request to send as it is.
    let signer: @Sendable (HTTPRequest) -> ObjectSigner?
    let onRefusal: @Sendable (String) -> Void

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let signer = signer(request) else { return try await base.send(request) }
        var lessons: Set<ObjectSigner.Lesson> = []
        while true {
            let sent = try await signer.signed(request)
            var response = try await base.send(sent.request)
            response.url = request.url
            guard response.isRefusal else {
                // Stores send it with each object, and a cache would derive a lifetime from it (RFC 9111 §4.2.2) in place
                // of --ttl: none for a new object. Conditions need the tag alone.
                if response.status == 304 || response.fields["ETag"] != nil { response.fields["Last-Modified"] = nil }
                return response
            }
            let failure = S3Failure(await response.body.start())
            if let lesson = signer.learn(from: response, failure, sent), lessons.insert(lesson).inserted { continue }
            return try answer(to: response, of: request.method, failure, signer.bucket)
        }
    }

    /// Returns the response without the store's text, or throws for a refusal that is no property of the object.
    private func answer(
        to response: HTTPResponse, of method: HTTPMethod, _ failure: S3Failure, _ bucket: S3Bucket
    ) throws(TransportError) -> HTTPResponse {
        var response = response
        response.body = .empty
        for name: CaselessString in ["Content-Length", "Content-Type", "Content-Encoding"] {
            response.fields[name] = nil
        }
        // The loader follows it, or refuses to.
        if response.isRedirect, response.fields["Location"] != nil { return response }
        // Without the permission to list a bucket, a store answers like this for absent objects, too.
        let isDenied = method == .get && response.status == 403 && failure.code == "AccessDenied"
        let isAbsent = response.status == 404 && failure.code != "NoSuchBucket" || isDenied
        let code = failure.code ?? "status \(response.status)"
        if !isAbsent || failure.code.map({ $0 != "NoSuchKey" }) ?? false {
            onRefusal("the bucket \(bucket.name) refuses a request: \(code)")
        }
        if isAbsent { response.status = 404 }
        guard isAbsent || response.status >= 500 || response.status == 429 || response.status == 408 else {
            throw TransportError(.other, "the bucket \(bucket.name) refuses the request: \(code)")
        }
        return response
    }
}

extension HTTPResponse {
    /// Whether the body is a store's report and no object. A 304 and a 416 belong to the cache of sources.
    fileprivate var isRefusal: Bool { isRedirect || status >= 400 && status != 412 && status != 416 }

    /// Whether a store names another place for the bucket. It also does so without a Location.
    fileprivate var isRedirect: Bool { [301, 307].contains(status) }
}

extension HTTPBody {
    /// Returns the first bytes, about as many as a report has. What follows is not read.
    fileprivate func start() async -> Data {
        var chunks = makeAsyncIterator(), start = Data()
        while start.count < 4096, let chunk = try? await chunks.next() { start.append(chunk) }
        return start
    }
}
