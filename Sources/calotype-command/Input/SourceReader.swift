import Calotype
import Foundation

/// The bytes behind a name on the command line: a URL, a file, or standard input.
struct SourceReader: Sendable {
    /// As much as the loader accepts from anywhere else.
    private static let sizeLimit = 200_000_000

    let loader: ImageLoader
    let network: NetworkOptions

    func data(_ name: String) async throws(Failure) -> Data {
        if name == "-" { return try local(name) }
        let address = try Address(name, allowsPaths: true)
        if !address.isURL { return try local(name) }
        let request = ImageRequest(source: .request(network.request(address.url)), policy: network.policy)
        do throws(ImageError) { return try await loader.data(for: request).data } catch { throw Failure(error) }
    }

    private func local(_ name: String) throws(Failure) -> Data {
        do throws(FileError) {
            return try InputFile.read(name, limit: SourceReader.sizeLimit)
        } catch {
            throw Failure(code: "fileUnreadable", error.message)
        }
    }
}
