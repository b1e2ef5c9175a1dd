import Calotype
import CalotypeStore

/// The sources of a server. The local ones and those of the web share codec threads and memory.
struct ServerSources: Sendable {
    let local: LocalSources
    let web: WebSources
    let work: SharedWork
    /// The memory for originals that cannot be stored, or that wait for their turn to be decoded.
    let held: HeldOriginals

    /// - Parameters:
    ///   - disk: The store of originals of the web. If `nil`, they are cached in memory.
    ///   - clients: The maximum number of connections with clients.
    init(_ options: SourceOptions, _ root: SourceRoot, disk: DiskStore?, clients: Int, _ basis: ServerBasis) {
        held = HeldOriginals(limit: basis.shares.heldLimit)
        work = SharedWork(basis.loading)
        web = WebSources(options, disk: disk, sharing: work, held, clients: clients, basis: basis)
        var loading = basis.loading
        loading.sharedWork = work
        local = LocalSources(
            root, ImageLoader(loading), byteLimit: loading.bodyLimit, held, purges: basis.purges,
            wallClock: basis.wallClock)
    }

    /// Finds a source: by its path, or in the cache of sources and at its origin.
    ///
    /// - Parameters:
    ///   - byteLimit: The maximum size of a file, in bytes; `nil` for that of the server.
    ///   - asker: The client for whose share of downloads and lookups a request to an origin counts.
    func find(
        _ source: RenditionSource, byteLimit: Int?, for asker: RenditionAsker = RenditionAsker()
    ) async throws(ServerError) -> FoundSource {
        switch source.place {
        case .local(let path): try await local.find(path, source.name, byteLimit: byteLimit)
        case .given(let image): local.found(image)
        case .posted(let image): local.found(image)
        case .web(let url): try await web.find(url, for: asker)
        case .object(let object): try await web.find(object.url, name: object.name, for: asker)
        }
    }
}
