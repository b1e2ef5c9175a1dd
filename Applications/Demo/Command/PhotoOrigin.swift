import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeListener
import Foundation

/// The demo's web server on loopback. It counts requests, and sends photographs with ETag and a lifetime of a day.
final class PhotoOrigin: Sendable {
    let listener: Listener
    private let requests: Locked<Int>
    /// The URLs of the photographs, in the same order.
    let urls: [URL]

    init(_ photos: [Photo]) throws(ListenerError) {
        let paths = photos.indices.map { PhotoOrigin.path(photos[$0].name, number: $0 + 1) }
        let photosByPath = Dictionary(zip(paths, photos), uniquingKeysWith: { first, _ in first })
        let requests = Locked(0)
        let listener = try Listener(answer: { request in
            requests.withLock { $0 += 1 }
            return .now(PhotoOrigin.answer(request, photosByPath[request.path]))
        })
        urls = paths.compactMap { URL(string: listener.url.absoluteString + $0) }
        self.listener = listener
        self.requests = requests
    }

    var requestCount: Int { requests.withLock { $0 } }

    /// Returns a numbered path, because two directories may contain files of the same name.
    private static func path(_ name: ByteString, number: Int) -> String {
        "/\(number)/\(name.percentEncoded)"
    }

    private static func answer(_ request: ListenerRequest, _ photo: Photo?) -> ListenerResponse {
        guard let photo else { return ListenerResponse(status: 404) }
        // The length suffices as a tag, because each photograph has its own path and no file changes during the demo.
        let tag: ByteString = "\"\(photo.data.count)\""
        let fields: HTTPFields = [
            "Content-Type": ByteString(photo.format.mediaType), "Cache-Control": "max-age=86400", "ETag": tag,
        ]
        if request.fields["If-None-Match"] == tag { return ListenerResponse(status: 304, fields: fields) }
        return ListenerResponse(fields: fields, body: photo.data)
    }
}
