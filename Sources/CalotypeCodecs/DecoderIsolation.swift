/// The formats that decode in processes of their own, which may only compute.
///
/// A bug in a codec then ends one decode with `decoderFailed`, and reaches no file, no connection and no other image.
/// Applies to the library's own decoders: registered decoders of a program always run in its process.
///
/// Has no effect on Apple's platforms, whose ImageIO decodes in the process.
public struct DecoderIsolation: Sendable {
    enum Scope: Sendable {
        case off, riskyFormats, all
    }

    let scope: Scope
    let workers: DecoderWorkers

    init(_ scope: Scope, _ workers: DecoderWorkers = .shared) {
        (self.scope, self.workers) = (scope, workers)
    }

    /// No format: every codec runs in the program's process, without a time limit.
    public static let off = DecoderIsolation(.off)
    /// The formats of the package traits: HEIF, JPEG XL, SVG and those of GdkPixbuf. The default.
    public static let riskyFormats = DecoderIsolation(.riskyFormats)
    /// Every format. Images have no previews during their download.
    public static let all = DecoderIsolation(.all)
}

extension DecoderIsolation: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
        left.scope == right.scope && left.workers === right.workers
    }
}
