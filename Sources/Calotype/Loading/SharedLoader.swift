import CalotypeBase

extension ImageLoader {
    private static let sharedOptions = Locked(SharedLoaderOptions())

    static func makeShared() -> ImageLoader { ImageLoader(sharedOptions.withLock { $0.take() }) }

    /// Sets the options of ``shared``, once, before its first use: call it where the program starts.
    ///
    /// - Throws: `alreadyConfigured` after the first use of the shared loader, or after an earlier call: the options of a loader
    ///   never change. `invalidOption` if a number is out of range.
    public static func configureShared(_ options: ImageLoaderOptions) throws(ImageError) {
        try options.validate()
        try sharedOptions.withLock { (shared) throws(ImageError) in try shared.set(options) }
    }
}

/// The options of the shared loader until it is made.
struct SharedLoaderOptions {
    private enum State {
        case unset
        case set(ImageLoaderOptions)
        case taken
    }

    private var state = State.unset

    mutating func set(_ options: ImageLoaderOptions) throws(ImageError) {
        switch state {
        case .unset: state = .set(options)
        case .set: throw ImageError(.alreadyConfigured, "the shared loader has been configured already")
        case .taken:
            throw ImageError(
                .alreadyConfigured,
                "the shared loader is in use: configure it before the first use of ImageLoader.shared")
        }
    }

    mutating func take() -> ImageLoaderOptions {
        defer { state = .taken }
        if case .set(let options) = state { return options }
        return ImageLoaderOptions()
    }
}
