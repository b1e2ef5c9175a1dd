package import Foundation

extension DecoderRegistry {
    /// Returns a registry whose decoders of the library run in `workers`.
    ///
    /// Decoders that the program registered stay in its process. PNG, WebP, AVIF and the formats of the package traits
    /// then read even headers in a worker: call `header(of:)` and `decode(_:target:limits:)` on a thread that may block.
    public func isolated(in workers: DecoderWorkers) -> DecoderRegistry {
        isolated(by: DecoderIsolation(.all, workers))
    }

    /// Returns a registry whose decoders of the library run as `isolation` demands.
    ///
    /// `riskyFormats` leaves formats in workers that run there already.
    package func isolated(by isolation: DecoderIsolation) -> DecoderRegistry {
        replacing { decoder in
            let isolated = decoder as? IsolatedDecoder
            guard let standard = isolated?.standard ?? StandardDecoder.of(decoder) else { return decoder }
            switch isolation.scope {
            case .off: return standard.decoder
            case .riskyFormats where isolated != nil || !standard.isRisky: return decoder
            case .riskyFormats, .all: return IsolatedDecoder(standard: standard, workers: isolation.workers)
            }
        }
    }

    /// Returns whether `header(of:)` may wait for a worker.
    package func readsHeaderInWorker(_ data: Data) -> Bool {
        data.reading { bytes in
            decoders.contains { decoder in
                guard let isolated = decoder as? IsolatedDecoder, !isolated.standard.readsHeaderInSwift else {
                    return false
                }
                return isolated.standard.recognizes(ByteReader(bytes))
            }
        }
    }
}

extension DecoderIsolation {
    /// Every format, in these workers.
    public static func all(in workers: DecoderWorkers) -> DecoderIsolation { DecoderIsolation(.all, workers) }

    /// Starts a worker if every format runs in one, so that a machine that cannot isolate shows it at once.
    ///
    /// - Throws: `decoderFailed`, with a message that names the missing part.
    package func start() throws(CodecError) {
        if scope == .all { try workers.start() }
    }
}
