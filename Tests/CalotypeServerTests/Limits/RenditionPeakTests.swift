import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import TestSupport
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing
import Waiting

@testable import Calotype
@testable import CalotypeServer

/// The memory of a whole rendition, which is known before a pixel is read.
@Suite struct RenditionPeakTests {
    private static let png = SamplePhotos.png(width: 64, height: 64)

    /// Returns the memory that a loader reserves for a rendition of a file.
    private static func peak(
        _ options: ByteString, of file: Data = png, side: Int = 8192, watermark: Bitmap? = nil
    ) throws -> Int {
        let request = try RenditionRequest(path: "/\(options)/plain/a")
        let layout = RenditionLayout(
            request.options, longestSide: side, watermark: watermark.map { WatermarkImage($0) })
        let encoding = RenditionEncoding(options: request.options, accepted: nil)
        let plan = try DecoderRegistry.standard.plan(for: file, target: layout)
        let memory = RenditionPeak(layout: layout, encoding: encoding).memory
        let isMoving = plan.header.isAnimated && memory.frames != nil
        return LaterWork(steps: [], encoding: memory, isStored: false)
            .peakBytes(by: plan, file: isMoving ? file.count : 0)
    }

    private static func bitmap(_ width: Int, _ height: Int) -> Int {
        PixelSize(width: width, height: height).bitmapMemory
    }

    // MARK: Rows

    @Test func `an enlargement counts its result and its encoder`() throws {
        let whole = Self.bitmap(2048, 2048)
        #expect(try Self.peak("w:2048/el:1/f:png") >= whole * 14 / 10)
        #expect(try Self.peak("w:2048/el:1/f:webp") >= whole * 26 / 10)
        #expect(try Self.peak("w:2048/el:1/f:webp/webpo:lossless") >= 8 * whole)
        #expect(try Self.peak("w:2048/f:png") < whole / 10)
        // Half a gigabyte of pixels.
        #expect(try Self.peak("w:8192/h:8192/el:1/f:webp") > 600_000_000)
    }

    @Test func `padding and extending count the canvas`() throws {
        #expect(try Self.peak("pd:1000/f:png") >= Self.bitmap(2064, 2064) * 14 / 10)
        #expect(try Self.peak("s:2000:1500:0:1/f:png") >= Self.bitmap(2000, 1500) * 14 / 10)
        // What padding adds is transparent, and the encoder of JPEG copies such an image.
        #expect(try Self.peak("pd:1000/f:jpg") >= 2 * Self.bitmap(2064, 2064))
    }

    @Test func `each step counts what it needs besides the image and the result`() throws {
        let whole = Self.bitmap(1000, 1000), plain = try Self.peak("w:1000/el:1/f:png")
        #expect(try Self.peak("w:1000/el:1/bl:30/f:png") >= 2 * whole)
        #expect(try Self.peak("w:1000/el:1/sh:3/f:png") >= 3 * whole)
        #expect(try Self.peak("w:1000/el:1/rot:90/f:png") >= 2 * whole)
        for step: ByteString in ["bl:30", "sh:3", "rot:90", "pix:8", "br:20"] {
            #expect(try Self.peak("w:1000/el:1/\(step)/f:png") >= plain)
        }
    }

    @Test func `a watermark counts in the size to which it is scaled`() throws {
        let mark = SamplePhotos.bitmap(width: 100, height: 100)
        let whole = Self.bitmap(500, 500)
        #expect(try Self.peak("w:500/el:1/wm:1:ce:0:0:1/f:png", watermark: mark) >= 5 * whole)
        let tenfold = Self.bitmap(5000, 5000)
        #expect(try Self.peak("w:500/el:1/wm:1:ce:0:0:10/f:png", watermark: mark) >= tenfold)
    }

    @Test func `a trimmed image counts in the proportions that make its result largest`() throws {
        let wide = SamplePhotos.png(width: 400, height: 40)
        #expect(try Self.peak("w:1000/el:1/f:png", of: wide) < Self.bitmap(1000, 200) * 2)
        #expect(try Self.peak("t:10/w:1000/el:1/f:png", of: wide) >= Self.bitmap(1000, 1000) * 14 / 10)
    }

    @Test func `frames count their canvases, their steps and those of the encoder`() throws {
        let gif = SampleAnimations.gif(width: 200, height: 100, colors: [0xFF0000, 0xFF00, 0xFF])
        let frame = Self.bitmap(200, 100)
        #expect(try Self.peak("f:webp", of: gif) >= 10 * frame)
        #expect(try Self.peak("f:webp/maf:1", of: gif) < 10 * frame)
        #expect(try Self.peak("f:webp/pd:500", of: gif) >= 5 * Self.bitmap(1200, 1100))
        let header = try DecoderRegistry.standard.header(of: gif)
        let request = try RenditionRequest(path: "/pd:20/w:300/el:1/plain/a")
        let layout = RenditionLayout(request.options, longestSide: 8192).ofFrames
        let memory = AnimationMemory(header, fileBytes: gif.count, layout: layout).encodingBytes
        let animation = try #require(
            try DecoderRegistry.standard.animation(
                for: gif, layout: layout, gamut: .sRGB, steps: [], limits: DecodeLimits(), snapshotBytes: 0))
        // The header does not count the frames, for which a few more kilobytes are reserved.
        #expect(memory >= animation.encodingBytes && memory < animation.encodingBytes + (1 << 20))
    }

    @Test func `the longest list of frames is reserved before the frames are counted`() throws {
        let gif = SampleAnimations.gif(width: 20, height: 10, colors: [0xFF0000, 0xFF00])
        #expect(try Self.peak("f:webp", of: gif) >= 65_536 * MemoryLayout<AnimationFrame>.stride)
    }

    // MARK: Refusals

    /// A decoder that counts its calls.
    private struct CountingDecoder: ImageDecoder {
        let decodes: Counter

        func header(of data: Data) throws(CodecError) -> ImageHeader? {
            data == RenditionPeakTests.png ? ImageHeader(format: .png, width: 64, height: 64, hasAlpha: true) : nil
        }

        func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { 4 * 64 * 64 }

        func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            decodes.next()
            return SamplePhotos.bitmap(width: 64, height: 64)
        }
    }

    /// Counts on several threads.
    private final class Counter: Sendable {
        private let counted = Locked(0)

        var count: Int { counted.withLock { $0 } }
        func next() { counted.withLock { $0 += 1 } }
    }

    @Test(
        .requirement("V20", "V26"),
        arguments: [
            "rs:force:8192:8192:1/f:png", "rs:force:8192:8192:1/f:webp", "rs:force:8192:8192:1/f:webp/webpo:lossless",
            "pd:4000/f:png", "pd:2000/wm:1:ce:0:0:100/f:png", "s:8192:8192:0:1/f:jpg", "w:8192/h:8192/el:1/bl:50/f:jpg",
            "z:100/el:1/f:webp",
        ] as [ByteString])
    func `a rendition of a small file that needs too much memory is 422, and nothing is decoded`(
        options: ByteString
    ) async throws {
        let counter = Counter()
        let server = try TestServer {
            $0.memoryLimit = 160 << 20
            ($0.maxResultSide, $0.maxResultPixels) = (8192, .max)
            _ = $0.decoders.register(CountingDecoder(decodes: counter))
            $0.watermark = SamplePhotos.bitmap(width: 64, height: 64)
        }
        try server.write(Self.png, "small.png")
        let answer = try await server.get("/_/\(options)/plain/local:///small.png")
        #expect(answer.status == 422 && answer.text.contains("too much memory"), "\(answer.status) \(answer.text)")
        #expect(counter.count == 0 && server.server.encodes == 0 && server.server.reservedBytes == 0)
        #expect(try await server.get("/_/w:32/f:png/plain/local:///small.png").status == 200)
        #expect(counter.count == 1)
    }

    /// Makes a server of 4 GiB, and a source whose decode takes `bytes`.
    private static func largeServer(
        _ bytes: Int, log: Log<AnswerRecord>? = nil, _ change: (inout ServerSetup) -> Void = { _ in }
    ) throws -> TestServer {
        let server = try TestServer {
            $0.memoryLimit = 4 << 30
            $0.processors = 2
            change(&$0)
            $0.log = { log?.add($0) }
            _ = $0.decoders.register(LargeDecoder(bytes: bytes, use: Use()))
        }
        try server.write(Data("large".utf8), "a")
        return server
    }

    @Test(.requirement("V26")) func `a source may take the whole share for decodes, whatever its format`() async throws
    {
        let share = MemoryShares(total: 4 << 30, processors: 2, isStored: false).decodes
        #expect(share > 1_400_000_000)
        #expect(try await Self.largeServer(share / 10 * 9).get("/_/w:10/f:png/plain/local:///a").status == 200)
    }

    @Test(
        .requirement("V26"),
        arguments: [
            (Int.max, 1_599_500_000, "takes 1600 MB", "at most 1572 MB"),
            (600_000_000, 699_500_000, "takes 700 MB", "at most 600 MB"),
        ])
    func `a source that takes more is refused, and the log has both numbers`(
        limit: Int, bytes: Int, taken: String, most: String
    ) async throws {
        let log = Log<AnswerRecord>()
        let server = try Self.largeServer(bytes, log: log) { $0.maxDecodeBytes = limit }
        #expect(try await server.get("/_/w:10/f:png/plain/local:///a").status == 422)
        await waitUntil { log.count > 0 }
        let reason = try #require(log.entries.first?.reason)
        #expect(reason.contains(taken) && reason.contains(most), "\(reason)")
    }

    @Test(.requirement("V26")) func `an animation that needs too much memory is 422, and its first frame is an image`()
        async throws
    {
        let server = try TestServer { $0.memoryLimit = MemoryShares.smallest }
        try server.write(SampleAnimations.gif(width: 900, height: 900, colors: [0xFF0000, 0xFF00]), "a.gif")
        #expect(try await server.get("/_/f:webp/plain/local:///a.gif").status == 422)
        #expect(try await server.get("/_/f:webp/maf:1/w:100/plain/local:///a.gif").status == 200)
        // The answer may be there a moment before its reservation ends.
        await waitUntil { server.server.reservedBytes == 0 }
    }

    // MARK: Many at once

    /// A decoder whose images take more than half of a budget, so that two never decode at once.
    private struct LargeDecoder: ImageDecoder {
        let bytes: Int
        let use: Use

        func header(of data: Data) -> ImageHeader? {
            guard data.starts(with: Data("large".utf8)) else { return nil }
            return ImageHeader(format: ImageFormat(rawValue: "large"), width: 200, height: 200)
        }

        func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { bytes }

        func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            use.begin()
            defer { use.end() }
            return SamplePhotos.bitmap(width: 200, height: 200)
        }
    }

    /// The decodes in progress and the reservations, with their maxima.
    private final class Use: Sendable {
        private let counts = Locked((now: 0, most: 0, total: 0, reserved: 0))
        private let server = Locked<TestServer?>(nil)

        var most: Int { counts.withLock { $0.most } }
        var total: Int { counts.withLock { $0.total } }
        var reserved: Int { counts.withLock { $0.reserved } }

        func watch(_ server: TestServer) { self.server.withLock { $0 = server } }
        func stopWatching() { server.withLock { $0 = nil } }

        func begin() {
            let reserved = server.withLock { $0 }?.server.reservedBytes ?? 0
            counts.withLock {
                ($0.now, $0.total) = ($0.now + 1, $0.total + 1)
                ($0.most, $0.reserved) = (max($0.most, $0.now), max($0.reserved, reserved))
            }
        }

        func end() { counts.withLock { $0.now -= 1 } }
    }

    @Test(.requirement("V26", "V48"))
    func `200 sources at once, half of them of the web, stay within the share for decoding`() async throws {
        let use = Use()
        let web = try WebServer { options, _ in
            options.memoryLimit = 512 << 20
            // One after the other, which a slow machine may not do within the default.
            (options.fetchDeadline, options.requestDeadline) = (.seconds(600), .seconds(600))
            _ = options.decoders.register(LargeDecoder(bytes: options.shares.decodes * 6 / 10, use: use))
        }
        let share = web.server.options.shares.decodes
        use.watch(web.server)
        defer { use.stopWatching() }
        for number in 0..<100 {
            try web.server.write(Data("large \(number)".utf8), "\(number)")
            var reply = OriginReply.ok(Data("large of the web \(number)".utf8))
            reply.fields["Cache-Control"] = "max-age=100"
            web.origin.on("/images/\(number)", reply)
        }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask { try await web.server.get("/_/w:20/f:png/plain/local:///\(number)").status }
                group.addTask { try await web.get("/images/\(number)", width: 20).status }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 200))
        #expect(use.total == 200 && use.most == 1)
        #expect(use.reserved > share / 2 && use.reserved <= share)
        await waitUntil { web.server.server.reservedBytes == 0 }
    }
}
