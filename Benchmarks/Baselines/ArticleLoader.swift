import CalotypeCodecs
import CalotypeHTTP
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The image loader of a well-known article: an actor with one table of images and tasks in progress, keyed by request.
/// It leaves out the article's files on disk, and uses the same transport and decoder as the measured loader.
actor ArticleLoader {
    private enum Status {
        case inProgress(Task<Bitmap, any Error>)
        case fetched(Bitmap)
    }

    private let transport: InstantTransport
    private let decoder = OnePixelDecoder()
    private var images: [URLRequest: Status] = [:]

    init(_ transport: InstantTransport) {
        self.transport = transport
    }

    func fetch(_ url: URL) async throws -> Bitmap {
        let request = URLRequest(url: url)
        switch images[request] {
        case .fetched(let image): return image
        case .inProgress(let task): return try await task.value
        case nil: break
        }
        let task = Task { [transport, decoder] in
            let data = try await transport.send(HTTPRequest(url)).body.collect()
            guard let header = try decoder.header(of: data) else { throw BenchError("not an image") }
            let size = PixelSize(width: header.width, height: header.height)
            return try decoder.decode(data, header: header, scaledTo: DecodeSize(size, of: size))
        }
        images[request] = .inProgress(task)
        let image = try await task.value
        images[request] = .fetched(image)
        return image
    }
}
