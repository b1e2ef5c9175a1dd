package import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTransport
package import CalotypeURLs
import Foundation

// Checks and explains a URL without a server. No origin is contacted.

extension RenditionServer.Options {
    /// Throws the error with which the server would refuse a URL. Signatures are not checked.
    package func check(_ target: ByteString) throws(RenditionError) {
        try checkSources(of: request(for: target))
    }

    /// Throws, as ``check(_:)`` does, also if the server accepts the URL but lacks something to answer it as asked: a
    /// watermark, or a decoder for the file extension of the source. Returns the names of the options that ask for something
    /// else than what the result has.
    package func checkMeans(for target: ByteString) throws(RenditionError) -> [ByteString] {
        let parsed = try parsed(target), request = parsed.request
        try checkSources(of: request)
        if request.options.watermark != nil, making.watermark == nil {
            throw .option("watermark", "there is no --watermark FILE")
        }
        guard !request.options.isRaw, let format = ImageFormat(fileExtension: request.source.fileExtension),
            !making.decoders.reads(format)
        else { return parsed.differing }
        throw RenditionError(422, "sources of the format \(format) are not supported by this build")
    }

    /// Returns lines about a URL: its canonical text, source and format, the sizes of results for some source sizes,
    /// the state of the caches in ``stores``, and the work that a request would cause.
    package func explanation(of target: ByteString) async throws(RenditionError) -> [String] {
        try await explanation(of: target, ServerClocks())
    }

    func explanation(of target: ByteString, _ clocks: ServerClocks) async throws(RenditionError) -> [String] {
        let request = try request(for: target)
        try checkSources(of: request)
        let source = try RenditionSource(request.source, allowed: sources.allowed)
        let watermark = making.mark
        let basis = ServerBasis(self, clocks)
        if let folder = stores.folder { basis.purges.set(PurgeTable.purges(inStore: folder)) }
        return meaning(of: request, watermark)
            + (await stateLines(of: request, source, mark: watermark?.digest, basis))
    }

    /// Throws if the source or the fallback image is not allowed, or has a numeric host that ``addresses`` refuse. Names
    /// are not looked up.
    private func checkSources(of request: RenditionRequest) throws(RenditionError) {
        for url in [request.source, request.options.fallback].compactMap(\.self) {
            guard case .web(let url) = try RenditionSource(url, allowed: sources.allowed).place, let host = url.host(),
                let address = sources.addresses.refusedAddress(ofHost: host)
            else { continue }
            throw RenditionError(403, "\(host) has the address \(address): --allow-address permits it")
        }
    }

    private func request(for target: ByteString) throws(RenditionError) -> RenditionRequest {
        try parsed(target).request
    }

    private func parsed(_ target: ByteString) throws(RenditionError) -> RenditionGrammar.Parsed {
        guard target.hasPrefix(serving.pathPrefix) else {
            throw .malformed("the path does not begin with \(serving.pathPrefix)")
        }
        let path = try SignedPath(target: target.dropFirst(serving.pathPrefix.count))
        return try serving.grammar.request(for: path.repaired?.path ?? path.path)
    }

    private func meaning(of request: RenditionRequest, _ watermark: WatermarkImage?) -> [String] {
        if let facts = request.options.info {
            return [
                "canonical text  \(request.canonicalText)", "source          \(request.source)",
                "answer          facts as JSON, from \(facts.needsPixels ? "a small decode" : "the header and the bytes")",
            ]
        }
        let layout = RenditionLayout(
            request.options, longestSide: making.maxResultSide, maxPixels: making.maxResultPixels, watermark: watermark)
        let unnamed =
            serving.negotiated.isEmpty ? "PNG for PNG and transparency, otherwise JPEG" : "by the client's Accept"
        let format = request.options.format?.imageFormat.description ?? unnamed
        let content = """
            ; a drawing is a WebP or PNG without visible loss unless a lossy file is smaller, and an opaque photograph is no PNG
            """
        let encoding = RenditionEncoding(
            options: request.options, accepted: nil, keepsGainMaps: making.keepsGainMaps)
        let sizes = [(1600, 1200), (1200, 1600), (100, 100)].map { width, height in
            let size = PixelSize(width: width, height: height)
            return "size            \(size) becomes \(layout.geometry(of: size).result)"
        }
        return [
            "canonical text  \(request.canonicalText)", "source          \(request.source)",
            "format          \(format)\(request.options.choosesByContent ? content : "")",
        ] + encoding.gainMapLines + sizes
    }

    private func stateLines(
        of request: RenditionRequest, _ source: RenditionSource, mark: ByteString?, _ basis: ServerBasis
    ) async -> [String] {
        guard stores.hasStores else {
            let state = RenditionState(result: .absent, source: await sourceState(source, in: nil, basis))
            return [
                "stored source   \(state.source)", "stored result   unknown without the --store of a server",
                "work            \(state.work), unless the server has the result in memory",
            ]
        }
        let open = ServerStores(stores, report: report)
        let sourceState = await sourceState(source, in: open.sources, basis)
        var lines = ["stored source   \(sourceState)"]
        for (client, key) in request.keys(serving.negotiated, mark: mark) {
            let (result, making) = await resultState(key, in: open.results, basis)
            let state = RenditionState(result: result, source: sourceState)
            lines += ["stored result   \(client)\(result)\(making)", "work            \(client)\(state.work)"]
        }
        for (_, disk) in open.all { try? await disk.close() }
        return lines
    }

    private func sourceState(
        _ source: RenditionSource, in disk: DiskStore?, _ basis: ServerBasis
    ) async -> RenditionState.SourceState {
        func stored(_ url: URL, name: ByteString? = nil) async -> RenditionState.SourceState {
            guard let disk else { return .web(.absent) }
            let web = WebSources(sources, disk: disk, clients: 1, basis: basis)
            return .web(await web.stored(url, name: name))
        }
        switch source.place {
        case .web(let url): return await stored(url)
        case .object(let object): return await stored(object.url, name: object.name)
        case .given(let image): return .file(image.data.count)
        case .posted(let image): return .file(image.data.count)
        case .local(let path):
            guard !sources.root.isEmpty, let folder = try? SourceRoot(sources.root) else { return .unknown }
            return (try? folder.file(at: path)).map { .file($0.facts.size) } ?? .noFile
        }
    }

    /// Returns the state of a stored result, and how it was made, if not alone.
    private func resultState(
        _ key: ByteString, in disk: DiskStore?, _ basis: ServerBasis
    ) async -> (state: StoredState, making: String) {
        guard let cache = try? ResultCache(disk, basis).cache else { return (.absent, "") }
        let stored = NoTransport().cached(in: cache)
        // With HEAD, the cache does not read the body.
        var request = HTTPRequest(RenditionAnswers.url, method: .head)
        request.cacheKey = key
        request.cachePolicy = .storedOnly
        let response = try? await stored.send(request)
        let state = StoredState(response?.cacheOutcome, now: basis.wallClock.now)
        return (state, state == .absent ? "" : StoredState.making(tag: response?.fields["ETag"]))
    }
}

extension RenditionEncoding {
    /// The lines about the light of sources beyond the standard range.
    fileprivate var gainMapLines: [String] {
        let alone = "HDR             sources in PQ or HLG become SDR: ph:1 keeps gain maps alone"
        let range = options.keepsGainMap ? [alone] : []
        guard let side = gainMapSide else { return range }
        let format = options.format == nil ? ": an AVIF if the client accepts it, otherwise a JPEG" : ""
        return [
            "gain map        results of \(side) pixels and more of a source with a gain map have it\(format)"
        ] + range
    }
}

extension RenditionRequest {
    /// The keys of the results for different clients, each with a text that names the formats that the client accepts.
    fileprivate func keys(_ negotiated: AcceptedFormats, mark: ByteString?) -> [(client: String, key: ByteString)] {
        guard isNegotiable, !negotiated.isEmpty else { return [("", resultKey(mark: mark))] }
        // Clients of a format usually accept the older ones, too.
        let formats = negotiated.formats.reversed()
        let kinds = formats.indices.map { AcceptedFormats(formats[...$0]) }
        return ([[]] + kinds).map {
            var request = self
            request.accepted = $0
            let names = $0.formats.map { $0 == .webp ? "WebP" : $0.imageFormat.description }
            let client = names.isEmpty ? "for other clients" : "for clients of \(names.joined(separator: " and "))"
            return ("\(client): ", request.resultKey(mark: mark))
        }
    }
}

extension ByteString {
    /// The text after the last dot of a URL's path; empty without a dot.
    fileprivate var fileExtension: String {
        let name = split(separator: UInt8(ascii: "?"))[0].split(separator: UInt8(ascii: "/")).last ?? ""
        let parts = name.split(separator: UInt8(ascii: "."))
        return parts.count > 1 ? parts[parts.count - 1].string : ""
    }
}

private struct NoTransport: Transport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.cannotConnect, "nothing is loaded here")
    }
}
