import CalotypeBase
import CalotypeCodecs
import CalotypeServer
import CalotypeURLs
import Foundation
import Synchronization

/// A thumbnail server in this process, which counts its decodes and encodes.
final class CountedServer {
    var url: String { server.url.absoluteString }
    var decodes: Int { decoder.count }
    var encodes: Int { server.encodes }

    private let decoder = CountedDecoder()
    private let server: RenditionServer
    private let root: ScratchDirectory

    /// - Parameter allowed: The origin whose sources the server loads.
    init(allowed: String) throws {
        root = try ScratchDirectory()
        var options = RenditionServer.Options(root: root.path)
        options.serving.signer = try URLSigner(keys: ThumbnailURL.key, salts: ThumbnailURL.salt)
        options.making.decoders = DecoderRegistry([decoder])
        try options.sources.allowed.allow(ByteString(allowed))
        server = try RenditionServer(options)
    }

    deinit { server.stop() }
}

/// Decodes JPEG, and counts the decodes.
private final class CountedDecoder: ImageDecoder {
    private let base = JPEGDecoder()
    private let decoded = Atomic(0)

    var count: Int { decoded.load(ordering: .relaxed) }

    func header(of data: Data) throws(CodecError) -> ImageHeader? { try base.header(of: data) }

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        base.workingBytes(for: header, scaledTo: size)
    }

    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        decoded.wrappingAdd(1, ordering: .relaxed)
        return try base.decode(data, header: header, scaledTo: size)
    }
}
