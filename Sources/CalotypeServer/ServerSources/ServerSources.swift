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
    /// - Parameter byteLimit: The maximum size of a file, in bytes; `nil` for that of the server.
    func find(_ source: RenditionSource, byteLimit: Int?) async throws(ServerError) -> FoundSource {
        switch source.place {
        case .local(let path): try await local.find(path, source.name, byteLimit: byteLimit)
        case .web(let url): try await web.find(url)
        case .object(let object): try await web.find(object.url, name: object.name)
        }
    }
}
