/// The number of times that a view plays an animation, and the memory for its frames.
public struct AnimationPlayback: Hashable, Sendable {
    enum Mode: Hashable, Sendable {
        case asTheFileSays
        case times(Int)
        case firstFrame
    }

    let mode: Mode
    /// The maximum size of an animation's decoded frames, including the visible frame, in bytes. 32 MiB by default.
    ///
    /// The next frame is decoded even beyond this limit. If all frames fit, each is decoded once.
    public var frameBytes = 32 << 20

    /// Plays as often as the file specifies. The default of all views.
    public static let automatic = AnimationPlayback(mode: .asTheFileSays)
    /// Shows only the first frame, as a still image.
    public static let firstFrame = AnimationPlayback(mode: .firstFrame)
    /// Repeats endlessly, whatever the file specifies.
    public static let endless = AnimationPlayback(mode: .times(.max))

    /// Plays `count` times, at least once, whatever the file specifies.
    public static func times(_ count: Int) -> AnimationPlayback {
        AnimationPlayback(mode: .times(max(count, 1)))
    }

    private init(mode: Mode) {
        self.mode = mode
    }

    func loopLimit(_ loopCount: Int?) -> Int {
        switch mode {
        case .asTheFileSays: loopCount ?? .max
        case .times(let count): count
        case .firstFrame: 0
        }
    }
}
