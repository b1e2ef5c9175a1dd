import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import CalotypeUI
import Foundation
import Testing
import Waiting

/// A user's retries, over a disk with a stored image.
@MainActor
@Suite struct RetryTests {
    private let folder = NSTemporaryDirectory() + "calotype-tests-" + UUID().uuidString

    private func room(answering answer: @escaping FakeTransport.Answer) -> Room {
        Room(edit: { [folder] in $0.disk = .store(DiskStore(directory: folder)) }, answering: answer)
    }

    private func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

    @Test func `a failure that is stored answers a view that comes back, but not a person's retry`() async {
        defer { removeFolder() }
        let statuses = Locked([404, 200])
        let room = room { request in
            let status = statuses.withLock { $0.removeFirst() }
            return HTTPResponse(
                url: request.url, status: status, fields: ["Cache-Control": "max-age=3600"],
                body: HTTPBody(SamplePhotos.png(width: 8, height: 6)))
        }
        let binder = ImageBinder(room.options)
        binder.show(.photo())
        await waitUntil { binder.state.error != nil }
        binder.disappear()
        binder.appear()
        #expect(binder.state.isLoading)
        await waitUntil { binder.state.error != nil }
        #expect(room.transport.requestCount == 1)
        binder.retry()
        await waitUntil { !binder.state.isLoading }
        #expect(binder.state.image != nil)
        #expect(room.transport.requestCount == 2)
    }

    @Test func `a retry is one load; what is shown after it is loaded as its request says`() async {
        defer { removeFolder() }
        let room = room { request in
            let isFirst = request.url.lastPathComponent == "first"
            return HTTPResponse(
                url: request.url, status: isFirst ? 404 : 200, fields: ["Cache-Control": "max-age=3600"],
                body: HTTPBody(SamplePhotos.png(width: 8, height: 6)))
        }
        let binder = ImageBinder(room.options)
        binder.show(.photo("first"))
        await waitUntil { binder.state.error != nil }
        binder.disappear()
        binder.retry()
        binder.show(.photo("second"))
        binder.appear()
        await waitUntil { binder.state.image != nil }
        #expect(room.transport.requests.last?.fields["Cache-Control"] == nil)
    }

    @Test func `a request that revalidates asks again when it is shown again, and keeps the image that is confirmed`()
        async
    {
        defer { removeFolder() }
        let room = room { request in
            let fields: HTTPFields = ["ETag": "\"1\"", "Cache-Control": "max-age=3600"]
            if request.fields["If-None-Match"] != nil {
                return HTTPResponse(url: request.url, status: 304, fields: fields)
            }
            let data = SamplePhotos.png(width: 8, height: 6)
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(data))
        }
        var request = ImageRequest.photo()
        request.policy = .revalidate
        let binder = ImageBinder(room.options)
        binder.show(request)
        await waitUntil { binder.state.image != nil }
        let bitmap = binder.state.image?.bitmap
        binder.show(request)
        #expect(binder.state.isLoading)
        await waitUntil { binder.state.image != nil }
        #expect(room.transport.requestCount == 2)
        #expect(bitmap.map { binder.state.image?.bitmap.isIdentical(to: $0) == true } == true)
    }
}
