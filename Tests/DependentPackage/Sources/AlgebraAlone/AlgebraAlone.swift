import CalotypeStore
import CalotypeTransport
import Foundation
import ResourceProvider

// What the product of the algebra has without any other: a source, a cache of files, and what stands between them.

func bytes(of url: URL) async throws -> Data {
    let provider = Provider.networkDataSource()
        .cache(LocalFileDataCache().makeAsync().mapID { (url: URL) in FilePath(url.absoluteString) })
        .coordinated()
    return try await provider.value(for: url)
}
