package import Foundation

extension DecoderRegistry {
    /// Returns a registry in which the library's decoders run in `workers`.
    ///
    /// Decoders that the program registered stay in its process. For PNG, WebP, AVIF and the formats of the package
    /// traits, a worker reads even the headers: call `header(of:)` and `decode(_:target:gamut:limits:)` on a thread that may
    /// block.
    public func isolated(in workers: DecoderWorkers) -> DecoderRegistry {
        isolated(by: DecoderIsolation(.all, workers))
    }

    /// Returns a registry in which the library's decoders run where `isolation` places them.
    ///
    /// With `riskyFormats`, a decoder that already runs in a worker stays there.
    package func isolated(by isolation: DecoderIsolation) -> DecoderRegistry {
        replacing { decoder in
            let isolated = decoder as? IsolatedDecoder
            guard let standard = isolated?.standard ?? StandardDecoder.of(decoder) else { return decoder }
            switch isolation.scope {
            // Only its own program has the libraries of a separate decoder.
            case .off where !standard.isSeparate: return standard.decoder
            case .riskyFormats where isolated != nil || !standard.isRisky: return decoder
            case .off, .riskyFormats, .all: return IsolatedDecoder(standard: standard, workers: isolation.workers)
            }
        }
    }

    /// Returns the names of a decoder's formats, with those that have no media type. Raw files are read for the JPEGs in them.
    static func formatNames(of decoder: any ImageDecoder) -> [String] {
        let standard = (decoder as? IsolatedDecoder)?.standard ?? StandardDecoder.of(decoder)
        guard let formats = standard?.formats else { return typeNames(of: decoder) }
        return (formats + (formats.contains(.jpeg) ? [.cameraRaw] : [])).map(\.rawValue)
    }

    /// Returns whether a decoder is the library's, in this process or in a worker.
    static func isOwn(_ decoder: any ImageDecoder) -> Bool {
        decoder is IsolatedDecoder || StandardDecoder.of(decoder) != nil
    }

    /// Returns whether `header(of:)` may wait for a worker.
    package func readsHeaderInWorker(_ data: Data) -> Bool {
        isolated(data) { !$0.readsHeaderInSwift }
    }

    /// Returns whether a worker makes previews of files in this format.
    func previewsInWorker(_ data: Data) -> Bool {
        isolated(data) { $0.decoder is any SeparatePreviewDecoder }
    }

    /// Returns whether a decoder in a worker recognizes the bytes, and has a property.
    private func isolated(_ data: Data, _ hasProperty: (StandardDecoder) -> Bool) -> Bool {
        data.reading { bytes in
            decoders.lazy.compactMap { ($0 as? IsolatedDecoder)?.standard }
                .contains { hasProperty($0) && $0.recognizes(ByteReader(bytes)) }
        }
    }
}

extension DecoderIsolation {
    /// Returns the isolation that decodes every format in these workers.
    public static func all(in workers: DecoderWorkers) -> DecoderIsolation { DecoderIsolation(.all, workers) }

    /// Returns the isolation that decodes the formats of package traits in these workers.
    package static func riskyFormats(in workers: DecoderWorkers) -> DecoderIsolation {
        DecoderIsolation(.riskyFormats, workers)
    }

    /// The maximum number of file descriptors of this process for workers.
    package var descriptors: Int {
        (scope == .off ? 0 : workers.descriptors) + (workers.formats?.descriptors ?? 0)
    }

    /// The counters of the workers; `nil` if no format is isolated.
    package var counters: DecoderWorkers.Counters? {
        scope == .off && workers.formats == nil ? nil : workers.counters
    }

    /// Starts a worker if all formats are isolated, so that a machine without support for isolation fails at once.
    ///
    /// - Throws: `decoderFailed`, with a message that names the missing part.
    package func start() throws(CodecError) {
        if scope == .all { try workers.start() }
    }

    /// Does the same, and also starts a worker of `calotype-decoder-formats` where this build uses it.
    package func startAll() throws(CodecError) {
        try start()
        try workers.formats?.start()
    }
}
