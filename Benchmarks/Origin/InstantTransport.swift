import Calotype
import CalotypeCodecs
import CalotypeHTTP
import Foundation
import Synchronization

/// A transport that answers every request immediately, so that a benchmark measures only the layers above it.
final class InstantTransport: Transport {
    private let sent = Atomic(0)
    private let body = Data("one pixel".utf8)

    /// The number of requests so far.
    var count: Int { sent.load(ordering: .relaxed) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        sent.wrappingAdd(1, ordering: .relaxed)
        return HTTPResponse(url: request.url, status: 200, body: HTTPBody(body))
    }
}

/// Decodes anything to one pixel, as quickly as the default formats decode a tiny image.
struct OnePixelDecoder: BriefDecoder {
    func header(of data: Data) throws(CodecError) -> ImageHeader? {
        ImageHeader(format: ImageFormat(rawValue: "pixel"), width: 1, height: 1)
    }

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { 4 }

    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        try .onePixel()
    }
}

extension Bitmap {
    static func onePixel() throws(CodecError) -> Bitmap {
        try Bitmap(width: 1, height: 1, hasAlpha: false) { pixels, _ in
            pixels.storeBytes(of: 0xFF80_4020, as: UInt32.self)
        }
    }
}

extension ImageLoaderOptions {
    /// Returns ephemeral options with this transport and the one-pixel decoder.
    static func fake(_ transport: InstantTransport) -> ImageLoaderOptions {
        var options = ImageLoaderOptions.ephemeral
        options.transport = transport
        options.decoders = DecoderRegistry([OnePixelDecoder()])
        options.respondsToMemoryPressure = false
        return options
    }
}
