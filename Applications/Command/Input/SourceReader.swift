import Calotype
import CalotypeBase
import Foundation

/// Reads the bytes of a URL, a file or standard input.
struct SourceReader: Sendable {
    /// The loader's own limit.
    private static let sizeLimit = 200_000_000

    let loader: ImageLoader
    let network: NetworkOptions
    private let files = BlockingPool(threads: 4)

    func data(_ name: String) async throws(Failure) -> Data { try await source(name).data }

    func source(_ name: String) async throws(Failure) -> SourceData {
        // On this task, where the read notices Ctrl-C while a pipe stays silent.
        if name == "-" { return SourceData(data: try SourceReader.local(name)) }
        let address = try Address(name, allowsPaths: true)
        if !address.isURL {
            guard FileTimes(name) != nil else { return SourceData(data: try SourceReader.local(name)) }
            return SourceData(data: try await files.run { () throws(Failure) in try SourceReader.local(name) })
        }
        return try await load(ImageRequest(source: .request(network.request(address.url)), policy: network.policy))
    }

    /// Removes bytes that are not an image from the cache, which would return them again.
    ///
    /// - Returns: New bytes if the old ones came from the cache; `nil` if the server has just sent them.
    func replacement(for source: SourceData) async throws(Failure) -> SourceData? {
        guard var request = source.request, let origin = source.response?.origin else { return nil }
        try? await loader.remove(request)
        guard [.disk, .stale, .revalidated].contains(origin), network.policy != .returnCacheDontLoad else { return nil }
        request.policy = .reloadIgnoringCache
        return try await load(request)
    }

    private func load(_ request: ImageRequest) async throws(Failure) -> SourceData {
        do throws(ImageError) {
            let response = try await loader.data(for: request)
            return SourceData(data: response.data, request: request, response: response)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the bytes of a file or of standard input.
    static func local(_ name: String) throws(Failure) -> Data {
        do throws(FileError) {
            return try InputFile.read(name, limit: SourceReader.sizeLimit)
        } catch {
            throw Failure(code: "fileUnreadable", error.message)
        }
    }
}

/// The bytes of an input.
struct SourceData: Sendable {
    let data: Data
    /// The request for the bytes; like the response, `nil` for a file and for standard input.
    var request: ImageRequest?
    var response: DataResponse?
}
