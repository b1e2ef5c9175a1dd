import Calotype
import CalotypeBase
import Foundation

/// Reads the bytes behind a name on the command line: a URL, a file, or standard input.
struct SourceReader: Sendable {
    /// The loader's own limit.
    static let sizeLimit = 200_000_000

    let loader: ImageLoader
    let network: NetworkOptions
    private let files = BlockingPool(threads: 4)

    init(loader: ImageLoader, network: NetworkOptions) {
        self.loader = loader
        self.network = network
    }

    func data(_ name: String) async throws(Failure) -> Data { try await source(name).data }

    func source(_ name: String) async throws(Failure) -> SourceData {
        // Only this read notices Ctrl-C while a pipe stays silent.
        if name == "-" { return SourceData(data: try SourceReader.local(name)) }
        let address = try Address(name, allowsPaths: true)
        if !address.isURL {
            guard FileTimes(name) != nil else { return SourceData(data: try SourceReader.local(name)) }
            return SourceData(data: try await files.run { () throws(Failure) in try SourceReader.local(name) })
        }
        let request = ImageRequest(source: .request(network.request(address.url)), policy: network.policy)
        do throws(ImageError) {
            return SourceData(try await loader.data(for: request))
        } catch {
            throw Failure(error)
        }
    }

    private static func local(_ name: String) throws(Failure) -> Data {
        do throws(FileError) {
            return try InputFile.read(name, limit: SourceReader.sizeLimit)
        } catch {
            throw Failure(code: "fileUnreadable", error.message)
        }
    }
}

/// The bytes behind a name, and their origin.
struct SourceData: Sendable {
    let data: Data
    /// The origin; `nil` for a file and for standard input.
    var origin: ImageOrigin?
    /// The entity tag or the modification date, which changes when the bytes of the URL change.
    var validator: String?

    init(data: Data) { self.data = data }

    init(_ response: DataResponse) {
        data = response.data
        origin = ImageOrigin(layer: response.origin, decision: response.cacheDecision)
        validator = response.validator?.string
    }
}
