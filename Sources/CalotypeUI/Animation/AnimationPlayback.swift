/// How a view plays animations.
public struct AnimationPlayback: Hashable, Sendable {
    enum Mode: Hashable, Sendable {
        case asTheFileSays
        case times(Int)
        case firstFrame
    }

    let mode: Mode
    /// The bytes of decoded frames that are held for one animation, the frame that is shown included. The default is 32 MiB.
    ///
    /// One frame ahead is decoded whatever this says. Where all frames fit, each is decoded once.
    public var frameBytes = 32 << 20

    /// As often as the file says. The default of all views.
    public static let automatic = AnimationPlayback(mode: .asTheFileSays)
    /// The first frame alone, as a still image.
    public static let firstFrame = AnimationPlayback(mode: .firstFrame)
    /// Without end, whatever the file says.
    public static let endless = AnimationPlayback(mode: .times(.max))

    /// This often, whatever the file says. At least once.
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
