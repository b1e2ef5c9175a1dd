import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import CalotypeUI
import Foundation

/// A loader over a fake transport whose answers wait at a gate, and the binder's options for it.
struct Room {
    let transport: FakeTransport
    var options: RemoteImageOptions
    var loader: ImageLoader { options.loader }

    /// Creates a loader whose transport answers with a small photograph, a different one for each path.
    init(gate: Gate = Gate(isOpen: true), fields: HTTPFields = [:]) {
        self.init(gate: gate) { request in
            let data = SamplePhotos.png(width: 8, height: 6, seed: request.url.path.utf8.reduce(0) { $0 + Int($1) })
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(data))
        }
    }

    init(
        gate: Gate = Gate(isOpen: true), edit: (inout ImageLoaderOptions) -> Void = { _ in },
        answering answer: @escaping FakeTransport.Answer
    ) {
        transport = FakeTransport { request throws(TransportError) in
            await gate.wait()
            if Task.isCancelled { throw .cancelled }
            return try await answer(request)
        }
        var options = ImageLoaderOptions.ephemeral
        options.transport = transport
        options.retry = .never
        options.respondsToMemoryPressure = false
        edit(&options)
        self.options = RemoteImageOptions(loader: ImageLoader(options))
    }
}

extension ImageRequest {
    static func photo(_ name: some CustomStringConvertible = 1) -> ImageRequest {
        ImageRequest(URL(string: "http://photos.example/\(name)")!)  // A literal that parses.
    }
}
