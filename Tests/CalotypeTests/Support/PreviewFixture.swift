import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// A photograph whose bytes arrive when the test releases them, and a loader with one codec thread and a stopped clock.
struct PreviewFixture {
    let room: LoaderFixture
    let clock = ManualClock()
    let body: FedBody
    /// The pause of the codec thread in the decode of a plain image, until the test ends it.
    let pause = CodecPause()
    /// The order of the decodes of plain images and of the test's own entries.
    let order = Names()
    var loader: ImageLoader { room.loader }
    let request: ImageRequest

    init(
        _ file: Data = .progressive, isLengthKnown: Bool = true, previews: ImagePreviews? = .scans,
        options change: (inout ImageLoaderOptions) -> Void = { _ in }
    ) {
        let body = FedBody(file)
        let (pause, clock, order) = (pause, clock, order)
        room = LoaderFixture(
            decodeHook: {
                order.add("plain")
                pause.stop()
            },
            options: {
                $0.codecThreads = 1
                $0.clock = clock
                $0.resumptions = 0
                change(&$0)
            },
            answering: { request in
                if request.url.path.hasSuffix("plain") { return .picture(request) }
                if request.url.path.hasSuffix("missing") { return HTTPResponse(url: request.url, status: 404) }
                let fields: HTTPFields = isLengthKnown ? ["Content-Length": "\(file.count)"] : [:]
                return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(body))
            })
        self.body = body
        var request = ImageRequest(.photo())
        request.previews = previews
        self.request = request
    }

    /// Keeps the codec thread busy until `pause.goOn()`.
    func occupyCodecThread() async -> Task<Bitmap, any Error> {
        let task = Task { [loader] in try await loader.fetch(URL.photo("plain")) }
        await pause.waitUntilStopped()
        return task
    }

    func waitForQueuedPreview() async { await waitUntil { loader.statistics.codecQueue == 1 } }
}

/// A body whose chunks the test releases, in exactly these sizes.
final class FedBody: HTTPBodySource {
    private let file: Data
    private let ends = Locked([Int]())
    private let gate = Gate()
    private let sent = Locked(0)
    private let isCut = Locked(false)

    init(_ file: Data) { self.file = file }

    /// Releases the next chunk, up to a position in the file, in bytes.
    func feed(to end: Int) {
        ends.withLock { $0.append(min(end, file.count)) }
        gate.open(count: 1)
    }

    /// Releases the remaining bytes, and ends the body.
    func feedAll() {
        feed(to: file.count)
        gate.open()
    }

    /// Fails the body at its present position.
    func cut() {
        isCut.withLock { $0 = true }
        gate.open()
    }

    func next() async throws(TransportError) -> Data? {
        await gate.wait()
        if Task.isCancelled { throw .cancelled }
        let end = ends.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let end else {
            if isCut.withLock({ $0 }) { throw TransportError(.connectionLost, "the origin hangs up here") }
            return nil
        }
        return sent.withLock { sent in
            defer { sent = end }
            return Data(file[sent..<end])
        }
    }
}

extension Data {
    /// A photograph of 320 × 240 pixels in ten scans.
    static let progressive = photograph(.jpeg(quality: 80, isProgressive: true, keepsColors: false))

    static func photograph(_ format: EncodingFormat) -> Data {
        // A drawn photograph always decodes and encodes.
        (try? DecoderRegistry.standard.decode(SamplePhotos.png(width: 320, height: 240)).encoded(as: format)) ?? Data()
    }

    /// Returns a progressive photograph, 1000 pixels wide, with a thumbnail of 200 in its EXIF block, and without.
    static func camera() throws -> (file: Data, plain: Data) {
        func file(_ width: Int, _ height: Int, _ format: EncodingFormat) throws -> Data {
            try DecoderRegistry.standard.decode(SamplePhotos.png(width: width, height: height)).encoded(as: format)
        }
        func number(_ value: Int, _ bytes: Int) -> Data {
            Data((0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        func entry(_ tag: Int, _ value: Int) -> Data {
            number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4)
        }
        let thumbnail = try file(200, 150, .jpeg(quality: 1))
        // An empty directory, and that of the thumbnail, which follows it.
        let directories =
            Data("II*\0".utf8) + number(8, 4) + number(0, 2) + number(14, 4) + number(2, 2)
            + entry(0x0201, 44) + entry(0x0202, thumbnail.count) + number(0, 4)
        let block = Data("Exif\0\0".utf8) + directories + thumbnail
        let length = Data([UInt8((block.count + 2) >> 8), UInt8(truncatingIfNeeded: block.count + 2)])
        let plain = try file(1000, 750, .jpeg(quality: 92, isProgressive: true))
        return (plain.prefix(2) + Data([0xFF, 0xE1]) + length + block + plain.dropFirst(2), plain)
    }

    /// Returns the preview from the first `count` bytes, at full size unless there is a target.
    func preview(of count: Int, target: ResizeTarget? = nil) throws -> ImagePreview? {
        let start = Data(prefix(count))
        let beginning = start.withUnsafeBytes {
            DecoderRegistry.standard.previews(of: $0, target: target, limits: DecodeLimits(), mayBlock: true)
        }
        guard case .session(let session) = beginning else { return nil }
        return try session.preview(of: start)
    }

    /// Returns the number of bytes up to the end of the first scan.
    func scanEnd() throws -> Int {
        try firstCount(in: stride(from: 1, to: count, by: 1)) { _ in true }
    }

    /// Returns a number of bytes, of at least `bytes`, with scans that have detail within blocks.
    func detailEnd(after bytes: Int) throws -> Int {
        // Previews are drawn at half of the resolution; before that, with an eighth, the mean of each block.
        let half = try DecoderRegistry.standard.decode(self).width / 2
        return try firstCount(in: stride(from: bytes, to: count, by: 1_000)) { $0.detail.width == half }
    }

    private func firstCount(in counts: some Sequence<Int>, where isWanted: (ImagePreview) -> Bool) throws -> Int {
        let beginning = withUnsafeBytes {
            DecoderRegistry.standard.previews(of: $0, target: nil, limits: DecodeLimits())
        }
        guard case .session(let session) = beginning else { throw CodecError(.unsupported, "no previews") }
        for count in counts {
            if let preview = try session.preview(of: prefix(count)), isWanted(preview) { return count }
        }
        throw CodecError(.damaged, "no scan ends there")
    }
}

extension ImageEvents.Iterator {
    /// Returns the next preview; `nil` if the load ends without another one.
    mutating func nextPreview() async throws -> ImagePreview? {
        while let event = try await next() {
            if let preview = event.preview { return preview }
        }
        return nil
    }

    /// Reads on to the image, and counts the previews before it.
    mutating func readToEnd() async throws -> (response: ImageResponse?, previews: Int) {
        var (response, previews): (ImageResponse?, Int) = (nil, 0)
        while let event = try await next() {
            // Nothing follows the image.
            #expect(response == nil)
            response = event.response
            if event.preview != nil { previews += 1 }
        }
        return (response, previews)
    }

    /// Reads on until this many bytes have arrived.
    mutating func wait(forBytes count: Int) async throws {
        while let event = try await next() {
            if let progress = event.progress, progress.received >= count { return }
        }
    }
}

extension Bitmap {
    /// The pixels in their memory layout.
    var data: Data { withUnsafeBytes { Data($0) } }
}
