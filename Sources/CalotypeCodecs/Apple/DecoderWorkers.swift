package import Foundation

/// A placeholder for the decoder processes, which exist only on Linux.
final class DecoderWorkers: Sendable {
    static let shared = DecoderWorkers()
}

extension DecoderRegistry {
    /// Returns the registry unchanged.
    package func isolated(by isolation: DecoderIsolation) -> DecoderRegistry { self }

    static func formatNames(of decoder: any ImageDecoder) -> [String] { typeNames(of: decoder) }

    /// Returns `false`: no header is read in another process.
    package func readsHeaderInWorker(_ data: Data) -> Bool { false }

    /// Returns `false`: no previews are made in another process.
    func previewsInWorker(_ data: Data) -> Bool { false }
}

extension DecoderIsolation {
    package func start() throws(CodecError) {}

    package func startAll() throws(CodecError) {}
}
