/// The formats that are decoded in separate processes, which may neither open files nor use the network.
///
/// If a codec in such a process crashes, the decode fails with `decoderFailed`. A malicious image that takes over the
/// codec gains no access to files, connections or the program's memory. Decoders that a program registers always run in
/// the program's own process.
///
/// The setting has no effect on Apple's platforms, where Image I/O decodes in the program's process.
public struct DecoderIsolation: Sendable {
    enum Scope: Sendable {
        case off, riskyFormats, all
    }

    let scope: Scope
    let workers: DecoderWorkers

    init(_ scope: Scope, _ workers: DecoderWorkers = .shared) {
        (self.scope, self.workers) = (scope, workers)
    }

    /// No format: every codec runs in the program's process, without a time limit. Formats whose libraries the program lacks
    /// stay in `calotype-decoder-formats`.
    public static let off = DecoderIsolation(.off)
    /// The formats that package traits add: HEIF, JPEG XL, SVG and TIFF. This is a loader's default.
    public static let riskyFormats = DecoderIsolation(.riskyFormats)
    /// Every format. Images then have no previews during their download, but for JPEG XL, whose previews workers make.
    public static let all = DecoderIsolation(.all)
}

extension DecoderIsolation: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
        left.scope == right.scope && left.workers === right.workers
    }
}
