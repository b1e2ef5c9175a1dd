import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import ResourceProvider
import Testing

/// S3.28: the example of the guide "The algebra", against a real server and a real folder.
struct ResourceProviderExampleTests {
    /// The identifier of an image: an address with more properties.
    struct Photo: Hashable, Sendable {
        var url: URL
    }

    struct Thumbnail: Hashable, Sendable {
        var photo: Photo
        var maxWidth: Int
    }

    // #snippet: images
    private func images(
        from transport: some Transport, files: FolderCache, memory: ValueCache<Photo, Picture>, disk: BlockingPool
    ) -> some AsyncProvider<Photo, Picture, any Error> {
        Provider.source { (url: URL) async throws(TransportError) in
            let response = try await transport.send(HTTPRequest(url))
            guard response.status == 200 else { throw TransportError(.other, "status \(response.status)") }
            return try await response.body.collect(limit: 1 << 20)
        }
        .mapID(\Photo.url)
        .mapError { $0 as any Error }
        // Validate: data that does not decode goes no further and is never stored.
        .mapValue { (data, _) throws(NotAPicture) in try Picture(decoding: data) }
        .cache(
            files.concurrent(on: disk)
                .mapID(\Photo.url.absoluteString)
                .mapValueToStorage { picture, _ in
                    picture.encoded
                } fromStorage: { data, _ in
                    try? Picture(decoding: data)
                }
        )
        .cache(memory.makeAsync())
        .coordinated()
    }

    private func thumbnails(
        of images: some AsyncProvider<Photo, Picture, any Error>, memory: ValueCache<Thumbnail, Picture>
    ) -> some AsyncProvider<Thumbnail, Picture, any Error> {
        images
            .mapID(\Thumbnail.photo)
            .mapValue { picture, id in picture.width > id.maxWidth ? picture.scaled(toWidth: id.maxWidth) : picture }
            .cache(memory.makeAsync())
            .coordinated()
    }
    // #endsnippet

    @Test(.requirement("S3.28"))
    func `network, then file, then memory; bad bytes are never stored; asking again works`() async throws {
        let origin = try OriginServer()
        defer { origin.stop() }
        origin.on("/photo", replies: [.ok(Data("<html>".utf8)), .ok(Picture(width: 40).encoded)])
        let photo = Photo(url: origin.url("/photo?w=100"))
        let files = try FolderCache()
        defer { files.removeFolder() }
        let memory = ValueCache<Photo, Picture>(limit: 1 << 20) { $0.width }
        let disk = BlockingPool(threads: 1)
        let transport = CurlTransport()
        let provider = images(from: transport, files: files, memory: memory, disk: disk)

        await #expect(throws: NotAPicture()) { try await provider.value(for: photo) }
        #expect(files.report.count == 0)

        let picture = try await provider.value(for: photo)
        #expect(picture.width == 40)
        #expect(files.report.count == 1)
        #expect(provider.immediateValue(for: photo) === picture)
        #expect(try await provider.value(for: photo) === picture)
        #expect(origin.requestCount("/photo") == 2)

        // A new process: nothing in memory, the origin gone.
        origin.stop()
        let later = images(from: transport, files: files, memory: ValueCache(limit: 10), disk: disk)
        #expect(try await later.value(for: photo).width == 40)

        // A damaged file is a miss, is removed, and the error is the network's.
        files.damageAll()
        let damaged = images(from: transport, files: files, memory: ValueCache(limit: 10), disk: disk)
        await #expect(throws: TransportError.self) { try await damaged.value(for: photo) }
        #expect(files.report.count == 0)
    }

    @Test(.requirement("S3.18"))
    func `thumbnails of two sizes and the image itself share one download; none is made larger`() async throws {
        let origin = try OriginServer()
        defer { origin.stop() }
        let gate = Gate()
        origin.on("/photo", OriginReply.ok(Picture(width: 40).encoded).held(by: gate))
        let photo = Photo(url: origin.url("/photo"))
        let files = try FolderCache()
        defer { files.removeFolder() }
        let full = images(
            from: CurlTransport(), files: files, memory: ValueCache(limit: 10), disk: BlockingPool(threads: 1)
        ).eraseToAnyProvider()
        let provider = thumbnails(of: full, memory: ValueCache(limit: 10))

        let small = Task { try await provider.value(for: Thumbnail(photo: photo, maxWidth: 10)) }
        let large = Task { try await provider.value(for: Thumbnail(photo: photo, maxWidth: 90)) }
        let original = Task { try await full.value(for: photo) }
        await origin.waitForRequests(1)
        gate.open()
        #expect(try await small.value.width == 10)
        #expect(try await large.value.width == 40)
        #expect(try await original.value.width == 40)
        #expect(origin.requestCount() == 1)
    }
}

struct NotAPicture: Error, Equatable {}

/// A stand-in for a decoded image: a width, and this many grey pixels in one row.
final class Picture: Sendable {
    let pixels: [UInt8]
    var width: Int { pixels.count }

    init(width: Int) { pixels = (0..<width).map { UInt8($0 & 255) } }

    init(pixels: [UInt8]) { self.pixels = pixels }

    init(decoding data: Data) throws(NotAPicture) {
        guard data.starts(with: Array("GREY".utf8)) else { throw NotAPicture() }
        pixels = Array(data.dropFirst(4))
    }

    var encoded: Data { Data("GREY".utf8) + pixels }

    func scaled(toWidth width: Int) -> Picture {
        Picture(pixels: (0..<width).map { pixels[$0 * self.width / width] })
    }
}

/// The simplest file cache that works: one file per key in a folder. `LocalFileDataCache` is the real one.
struct FolderCache: RemovableSyncCache, Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("folder-cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file(_ key: String) -> URL {
        folder.appendingPathComponent(Data(key.utf8).map { String($0, radix: 16) }.joined())
    }

    private var files: [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }

    func value(for key: String) -> Data? { try? Data(contentsOf: file(key)) }
    func store(value: Data, for key: String) { try? value.write(to: file(key), options: .atomic) }
    func removeValue(for key: String) { try? FileManager.default.removeItem(at: file(key)) }
    func removeAll() { for file in files { try? FileManager.default.removeItem(at: file) } }
    var report: CacheReport { CacheReport(count: files.count) }

    func damageAll() { for file in files { try? Data("damage".utf8).write(to: file) } }
    func removeFolder() { try? FileManager.default.removeItem(at: folder) }
}
