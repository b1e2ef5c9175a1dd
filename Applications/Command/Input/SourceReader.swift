import Calotype
import CalotypeBase

struct SourceReader: Sendable {
    /// The maximum size of a file or of standard input, in bytes.
    private static let sizeLimit = 200_000_000

    let loader: ImageLoader
    let network: NetworkOptions
    private let files = BlockingPool(threads: 4)

    func data(_ name: ByteString) async throws(Failure) -> Data { try await source(name).data }

    func source(_ name: ByteString) async throws(Failure) -> SourceData {
        // Reads on this task, which Ctrl-C cancels, so that the read ends even if a pipe stays silent.
        if name == "-" { return SourceData(data: try SourceReader.local("-")) }
        let address = try Address(name, allowsPaths: true)
        if let path = address.path {
            guard FileTimes(path) != nil else { return SourceData(data: try SourceReader.local(path)) }
            return SourceData(data: try await files.run { () throws(Failure) in try SourceReader.local(path) })
        }
        return try await load(ImageRequest(source: .request(network.request(address.url)), policy: network.policy))
    }

    /// Removes a source that cannot be decoded from the cache, and loads it again if the disk cache had supplied it.
    ///
    /// - Returns: `nil` if the old bytes did not come from the disk cache, or if the policy forbids requests.
    func replacement(for source: SourceData) async throws(Failure) -> SourceData? {
        guard var request = source.request, let origin = source.response?.origin else { return nil }
        await loader.remove(request)
        guard [.disk, .stale, .revalidated].contains(origin), network.policy != .returnCacheDontLoad else { return nil }
        request.policy = .reloadIgnoringCache
        return try await load(request)
    }

    private func load(_ request: ImageRequest) async throws(Failure) -> SourceData {
        do throws(ImageError) {
            let response = try await loader.dataResponse(for: request)
            return SourceData(data: response.data, request: request, response: response)
        } catch {
            throw Failure(error)
        }
    }

    static func local(_ path: LocalPath) throws(Failure) -> Data {
        do throws(FileError) {
            return try InputFile.read(path, limit: SourceReader.sizeLimit)
        } catch {
            throw Failure(code: "fileUnreadable", error.message)
        }
    }
}

struct SourceData: Sendable {
    let data: Data
    /// The request for the bytes; like the response, `nil` for a file and for standard input.
    var request: ImageRequest?
    var response: DataResponse?
}
