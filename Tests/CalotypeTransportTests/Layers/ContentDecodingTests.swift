import CZlib
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing

struct ContentDecodingTests {
    let origin: OriginServer
    let transport: any Transport
    let text = Data(String(repeating: "a photograph made from one negative. ", count: 10_000).utf8)

    init() throws {
        origin = try OriginServer()
        transport = CurlTransport().decodingContent()
    }

    private func serve(_ body: Data, _ coding: String) {
        origin.on("/a", OriginReply(fields: ["Content-Encoding": ByteString(coding), "ETag": "\"1\""], body: body))
    }

    @Test(arguments: [("gzip", 31), ("x-gzip", 31), ("GZIP", 31), ("deflate", 15), ("deflate", -15)])
    func `a packed body reads as if it had come plain`(_ coding: String, _ windowBits: Int32) async throws {
        serve(packed(text, windowBits), coding)
        let response = try await transport.get(origin.url("/a"))
        #expect(response.fields["Content-Encoding"] == nil)
        #expect(response.contentLength == nil)
        #expect(response.fields["ETag"] == "\"1\"")
        #expect(try await response.body.collect() == text)
    }

    @Test(arguments: [("gzip", 31), ("deflate", 15)])
    func `a body that URLSession has unpacked already is not unpacked again`(
        _ coding: String, _ windowBits: Int32
    ) async throws {
        serve(packed(text, windowBits), coding)
        for transport in [URLSessionTransport(), URLSessionTransport().decodingContent()] as [any Transport] {
            let response = try await transport.get(origin.url("/a"))
            #expect(response.fields["Content-Encoding"] == nil)
            #expect(response.contentLength == nil)
            #expect(try await response.body.collect() == text)
        }
    }

    @Test func `it asks for what it can undo, unless the request says otherwise`() async throws {
        _ = try await transport.get(origin.url("/a"))
        _ = try await transport.get(origin.url("/a"), ["Accept-Encoding": "identity"])
        _ = try await transport.get(origin.url("/a"), ["Range": "bytes=0-9"])
        #expect(origin.requests.map { $0.fields["Accept-Encoding"] } == ["gzip, deflate", "identity", "identity"])
    }

    @Test func `several codings are undone from the last to the first`() async throws {
        serve(packed(packed(text, 15), 31), "deflate, gzip")
        #expect(try await transport.body(origin.url("/a")) == text)
    }

    @Test func `a gzip file of several members is read whole, padding behind it ignored`() async throws {
        serve(packed(text, 31) + packed(text, 31) + Data(count: 100), "gzip")
        #expect(try await transport.body(origin.url("/a")) == text + text)
    }

    @Test func `an empty body is empty, whatever its coding`() async throws {
        serve(Data(), "gzip")
        #expect(try await transport.body(origin.url("/a")).isEmpty)
    }

    @Test func `bytes that come one by one are decoded all the same`() async throws {
        let gate = Gate(isOpen: true)
        for (bits, coding) in [(Int32(31), "gzip"), (15, "deflate"), (-15, "deflate")] as [(Int32, ByteString)] {
            let body = packed(Data("small".utf8), bits)
            let reply = OriginReply(fields: ["Content-Encoding": coding], body: body)
            origin.on("/a", reply.dripping(bytes: 1, gate: gate))
            #expect(try await transport.body(origin.url("/a")) == Data("small".utf8))
        }
    }

    @Test func `a piece that fills the output exactly loses nothing`() async throws {
        for size in [65_535, 65_536, 65_537, 131_072] {
            serve(packed(noise(size), 31), "gzip")
            #expect(try await transport.body(origin.url("/a")) == noise(size))
        }
    }

    // Where each was seen, or is registered. The images behind the first ones used to fail.
    @Test(
        arguments: [
            ("UTF-8", "Aliyun OSS, S3 uploads with a charset"), ("utf8", "CloudFront"), ("none", "S3 uploads"),
            ("binary", "uploads with a transfer encoding"), ("base64", "S3 uploads"), ("", "PHP's empty header"),
            ("image/jpeg", "uploads with the type in the wrong field"), ("identity", "RFC 9110 §8.4.1"),
            ("UTF-8, identity", "two of them"),
        ])
    func `the name of no coding is identity`(_ name: String, _ source: String) async throws {
        serve(text, name)
        let response = try await transport.get(origin.url("/a"))
        #expect(response.fields["Content-Encoding"] == nil && response.contentLength == text.count)
        #expect(try await response.body.collect() == text)
        serve(packed(text, 31), name.isEmpty ? "gzip" : "gzip, \(name)")
        #expect(try await transport.body(origin.url("/a")) == text)
    }

    // IANA's registry of HTTP content codings, less those that are supported.
    @Test(
        arguments: [
            "br", "BR", "zstd", "gzip, br", "compress", "x-compress", "dcb", "dcz", "exi", "aes128gcm", "pack200-gzip",
        ])
    func `a coding that is not supported says which`(_ coding: String) async {
        serve(text, coding)
        let error = await transport.failure(origin.url("/a"))
        #expect(error?.code == .contentDecodingFailed)
        #expect(coding.contains(error?.message.split(separator: "\"").dropFirst().first ?? "?") == true)
    }

    @Test func `damaged and shortened bodies are errors`() async {
        var damaged = packed(text, 31)
        damaged[damaged.count / 2] ^= 0xFF
        for body in [damaged, packed(text, 31).dropLast(9), Data("not packed at all".utf8), Data([0x1F])] {
            serve(Data(body), "gzip")
            #expect(await transport.failure(origin.url("/a"))?.code == .contentDecodingFailed)
        }
        serve(Data([0x78]), "deflate")
        #expect(await transport.failure(origin.url("/a"))?.code == .contentDecodingFailed)
    }

    @Test(.requirement("B52")) func `the limit counts decoded bytes, and a bomb is met before it is unpacked`() async {
        let limited = transport.limitingBody(to: 1 << 20)
        serve(packed(Data(count: 64 << 20), 31), "gzip")
        #expect(await limited.failure(origin.url("/a"))?.code == .bodyTooLarge)
    }

    @Test func `answers without a body keep their fields`() async throws {
        serve(packed(text, 31), "gzip")
        let head = try await transport.send(HTTPRequest(origin.url("/a"), method: .head))
        #expect(head.fields["Content-Encoding"] == "gzip")
    }

    private func packed(_ data: Data, _ windowBits: Int32) -> Data {
        var stream = z_stream()
        guard calotype_deflate_init(&stream, windowBits) == Z_OK else { return Data() }
        defer { deflateEnd(&stream) }
        var output = Data(count: Int(deflateBound(&stream, UInt(data.count))) + 64)
        var input = data
        let room = output.count
        input.withUnsafeMutableBytes { bytes in
            output.withUnsafeMutableBytes { space in
                stream.next_in = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_in = UInt32(data.count)
                stream.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(room)
                _ = deflate(&stream, Z_FINISH)
            }
        }
        return output.prefix(room - Int(stream.avail_out))
    }
}
