import Calotype
import CalotypeBase
import Foundation

/// The bytes behind a name on the command line: a URL, a file, or standard input.
struct SourceReader: Sendable {
    /// As much as the loader accepts from anywhere else.
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
        // A pipe may keep silent: only here is Ctrl-C seen meanwhile.
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

/// The bytes behind a name, and how they came.
struct SourceData: Sendable {
    let data: Data
    /// If `nil`, they are a file's or standard input's.
    var origin: ImageOrigin?
    /// What changes when the bytes of a URL change: the entity tag or the date of the last change.
    var validator: String?

    init(data: Data) { self.data = data }

    init(_ response: DataResponse) {
        data = response.data
        origin = ImageOrigin(layer: response.origin, decision: response.cacheDecision)
        validator = response.validator?.string
    }
}
