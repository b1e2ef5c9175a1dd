import CalotypeHTTP
import CalotypeTransport
import Foundation

/// A `file:` or `data:` URL, or a URL whose scheme the caller's exchange handles. Bypasses the HTTP cache.
struct URLSource: OriginalSource {
    private let request: HTTPRequest
    private let web: WebAccess
    private let download: Download
    let isLocal: Bool
    let isCached = false
    /// `true` for a `data:` URL if processed images may be stored, because their keys contain the bytes' identity.
    private let identifiesURL: Bool
    private let accepted: AcceptedStatuses

    init(
        _ request: HTTPRequest, _ web: WebAccess, _ download: Download, accepting accepted: AcceptedStatuses
    ) {
        self.request = request
        // Files and `data:` URLs have no status.
        self.accepted = request.scheme == .other ? accepted : .successes
        self.web = web
        self.download = download
        isLocal = request.scheme != .other
        identifiesURL = web.identifiesData && request.scheme == .data
    }

    func open(_ order: OriginalOrder) async throws(ImageError) -> Original {
        var outgoing = request
        if isLocal {
            outgoing.allowsLazyBody = true
        } else {
            try order.checkMayLoad(request.url)
            outgoing = order.applied(to: outgoing)
        }
        return try await original(of: outgoing, url: request.url, order.onUpdate)
    }

    /// - Parameter url: The URL that errors contain.
    func original(
        of outgoing: HTTPRequest, url: URL, _ onUpdate: (LoadUpdate) -> Void
    ) async throws(ImageError) -> Original {
        let answer = try await download.answer(
            to: outgoing, over: web.transport, url: url, accepting: accepted, onUpdate)
        let response = answer.response
        let head = StoredHead(
            url: ByteString(response.url.absoluteString), status: response.status, fields: response.fields)
        // Without a provenance, memory would keep an image as long as it can, even that of an accepted failure.
        let isFailure = response.status >= 400
        let provenance = isFailure ? web.provenance(of: answer, to: outgoing, isPersonal: false) : nil
        return Original(
            body: response.body, bytes: answer.bytes, head: head, origin: .source, provenance: provenance,
            identity: response.identity ?? dataIdentity)
    }

    /// Does nothing: the HTTP cache stores only web and custom sources.
    func removeStored() async {}

    private var dataIdentity: BodyIdentity? {
        identifiesURL ? BodyIdentity("data \(Digest.sha256(request.url.absoluteString.utf8))") : nil
    }
}

/// Bytes in memory, provided by the caller.
struct DataSource: OriginalSource {
    let data: Data
    let digest: String
    let budget: BodyBudget

    let isLocal = true
    let isCached = false

    func open(_ order: OriginalOrder) async throws(ImageError) -> Original {
        guard !data.isEmpty else { throw ImageError(.dataIsEmpty, "the source has no bytes") }
        return Original(
            bytes: Original.Bytes(data, budget.reserve(data.count)),
            head: StoredHead(url: "", status: 200, fields: [:]), origin: .source,
            identity: BodyIdentity("data \(digest)"))
    }

    func removeStored() async {}
}
