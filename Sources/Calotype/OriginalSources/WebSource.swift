import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTransport
import Foundation

/// A loader's access to the web. An object, so that each source holds one reference.
final class WebAccess: Sendable {
    let options: ImageLoaderOptions
    let schemes: [CaselessString]
    /// The value of Accept for requests that do not set it.
    let accept: ByteString
    let cache: ResponseCache
    /// The transport with all layers, for URLs of every scheme.
    let transport: any Transport
    /// Whether a `data:` URL gets an identity. Without one, its processed images cannot be stored.
    let identifiesData: Bool

    init(_ options: ImageLoaderOptions, _ cache: ResponseCache, _ transport: any Transport) {
        identifiesData = options.storage.storesProcessedImages
        self.options = options
        self.cache = cache
        self.transport = transport
        schemes = options.schemes
        accept = ByteString(options.decoders.acceptField)
    }

    /// Returns the HTTP request with the settings of the image request that apply to every scheme.
    func request(_ request: HTTPRequest, of image: ImageRequest) -> HTTPRequest {
        var request = request
        request.cacheKey = image.cacheKey.map { ByteString($0) }
        request.allowsConstrainedNetwork = image.lowDataSource == nil
        request.credentialFields = options.identityFields
        return request
    }

    /// Returns the request's timeouts. The loader's timeouts replace those that are unset or have the default value.
    func timeouts(of request: HTTPRequest, connectivity: Duration?) -> HTTPRequest.Timeouts {
        let (standard, ours) = (HTTPRequest.Timeouts(), options.timeouts)
        var timeouts = request.timeouts
        if timeouts.connect == standard.connect { timeouts.connect = ours.connect }
        if timeouts.idle == standard.idle { timeouts.idle = ours.idle }
        if timeouts.total == nil, timeouts.pace == nil {
            timeouts.pace = ours.pace ?? (ours.total == nil ? options.pace : nil)
        }
        timeouts.total = timeouts.total ?? ours.total
        timeouts.connectivity = timeouts.connectivity ?? connectivity
        // The server is not slow if the loader pauses a body.
        timeouts.countsPauses = false
        return timeouts
    }

    func prepare(_ request: HTTPRequest) async throws(ImageError) -> HTTPRequest {
        guard let prepare = options.prepare else { return request }
        let outcome: Result<HTTPRequest, ImageError>
        do {
            outcome = .success(try await inOwnTask { try await prepare(request) })
        } catch let error as ImageError {
            outcome = .failure(error)
        } catch {
            outcome = .failure(
                ImageError(
                    .preparationFailed, "the request could not be prepared: \(error)", url: request.url,
                    underlying: error))
        }
        // Report the cancellation even if the closure threw another error.
        if Task.isCancelled { throw .cancelled }
        let changed = try outcome.get()
        try ImageSource.request(changed).check(schemes: schemes)
        // Change a copy of the loader's request: a request that the closure made from the URL alone lacks the loader's
        // settings for the layers below.
        var prepared = request
        prepared.url = changed.url
        prepared.method = changed.method
        prepared.fields = changed.fields
        prepared.body = changed.body
        prepared.timeouts = timeouts(of: changed, connectivity: request.timeouts.connectivity)
        prepared.cacheKey = changed.cacheKey ?? request.cacheKey
        return prepared
    }

    /// Returns whether a redirect has led to a URL for which `defaultFields` gives other fields than the request has. The
    /// keys contain only the latter.
    func isPersonal(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        guard let given = request.fieldsOfURL, response.url != request.url else { return false }
        let fields = given.fields(of: response.url)
        return fields.contains { field in
            !options.fieldsOutsideKeys.contains(field.name)
                && fields.values(of: field.name) != request.fields.values(of: field.name)
        }
    }

    func provenance(of answer: Download.Answer, to request: HTTPRequest, isPersonal: Bool) -> Provenance {
        let (response, now) = (answer.response, options.wallClock.now)
        let outcome =
            response.cacheOutcome
            ?? options.cacheRules.outcome(
                of: response, to: request, requestTime: answer.requestTime, responseTime: now)
        let status = response.cacheOutcome == nil ? nil : response.fields["Cache-Status"]
        return Provenance(
            outcome, status: response.status, cacheStatus: status, after: response.redirects, isPersonal: isPersonal,
            assuming: options.assumedLifetime, receivedAt: now)
    }

    /// Returns whether `prepare` has changed credentials, which the keys of the memory cache do not include.
    func isPersonal(_ prepared: HTTPRequest, of original: HTTPRequest) -> Bool {
        options.prepare != nil
            && options.identityFields.contains { prepared.fields.values(of: $0) != original.fields.values(of: $0) }
    }
}

/// An image on the web, behind the HTTP cache.
struct WebSource: OriginalSource {
    private let own: HTTPRequest
    private let image: ImageRequest
    private let web: WebAccess
    private let download: Download

    let isLocal = false
    var isCached: Bool { web.cache.storage != nil }

    init(_ request: HTTPRequest, of image: ImageRequest, over web: WebAccess, _ download: Download) {
        own = request
        self.image = image
        self.web = web
        self.download = download
    }

    /// The source's request with the loader's defaults. Computed only for a load: most requests join an existing load.
    private var request: HTTPRequest {
        var request = web.request(own, of: image)
        let waits = image.waitsForConnectivity
        request.timeouts = web.timeouts(of: request, connectivity: waits ? web.options.connectivityTimeout : nil)
        if request.fields["Accept"] == nil { request.fields["Accept"] = web.accept }
        request.deadline = web.options.downloadTime.map { RequestDeadline($0, clock: web.options.clock) }
        return request
    }

    func open(_ order: OriginalOrder) async throws(ImageError) -> Original {
        try order.checkMayLoad(own.url)
        guard web.options.prepare != nil else {
            return try await original(of: order.applied(to: request), false, order)
        }
        let request = request
        let prepared = try await web.prepare(order.applied(to: request))
        // `prepare` may return a local URL, or one of the exchange's own schemes.
        guard prepared.scheme == .web else {
            if order.isLookup { throw ImageError(.notInCache, "no cache keeps this URL", url: own.url) }
            return try await URLSource(prepared, web, download, accepting: image.accepted)
                .original(of: prepared, url: request.url, order.onUpdate)
        }
        return try await original(of: prepared, web.isPersonal(prepared, of: request), order)
    }

    private func original(
        of prepared: HTTPRequest, _ isPersonal: Bool, _ order: OriginalOrder
    ) async throws(ImageError) -> Original {
        let isPersonal = { [web] (response: HTTPResponse) in isPersonal || web.isPersonal(response, to: prepared) }
        let answer = try await download.answer(
            to: prepared, over: web.transport, url: own.url, accepting: image.accepted, isPersonal: isPersonal,
            order.onUpdate)
        return makeOriginal(answer, to: prepared, isPersonal(answer.response))
    }

    func removeStored() async throws(ImageError) {
        try await web.cache.removeStored { () async throws(ImageError) in try await web.prepare(request) }
    }

    func entry() async throws(ImageError) -> SourceEntry {
        guard web.options.prepare != nil else { return SourceEntry() }
        let request = request
        let prepared = try await web.prepare(request)
        let user = Digest.identity(of: prepared.fields, names: web.options.identityFields) ?? ""
        let target = prepared.cacheKey ?? ByteString(prepared.key(isFile: false))
        let text: ByteString = "\(user)\n\(target)"
        return SourceEntry(
            key: text.withBytes { Digest.sha256($0) }, isPersonal: web.isPersonal(prepared, of: request))
    }

    private func makeOriginal(
        _ answer: Download.Answer, to request: HTTPRequest, _ isPersonal: Bool
    ) -> Original {
        let response = answer.response
        let head = StoredHead(
            url: ByteString(response.url.absoluteString), status: response.status, fields: response.fields)
        let provenance = web.provenance(of: answer, to: request, isPersonal: isPersonal)
        return Original(
            body: response.body, bytes: answer.bytes, head: head,
            origin: ImageResponse.Origin(provenance.outcome.source), provenance: provenance,
            identity: response.identity)
    }
}

extension ImageResponse.Origin {
    init(_ source: CacheOutcome.Source) {
        switch source {
        case .fresh: self = .disk
        case .revalidated: self = .revalidated
        case .stale: self = .stale
        case .network: self = .network
        }
    }
}
