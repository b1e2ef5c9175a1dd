import CalotypeCodecs

/// A state machine that decides when each frame of an animation is shown, decoded and released.
///
/// It has no clock, task or view. Its owner passes in the time, as a duration since any fixed moment, and performs each
/// ``Action``: shows a frame, decodes a frame and passes it to ``receive(_:frame:at:)``, and calls ``tick(at:)`` when
/// the next frame is due.
///
/// The animation plays while it is started, visible and allowed. A frame that is decoded late does not delay later
/// frames: frames whose time has passed are skipped, unless the delay exceeds a second.
struct AnimationPlayer: Sendable {
    /// The actions for the owner to perform.
    struct Action: Sendable {
        /// The frame to show now.
        var shows: Bitmap?
        /// The number of the frame to decode. Only one is decoded at a time.
        var decodes: Int?
        /// The time at which to call ``AnimationPlayer/tick(at:)``, or `nil` to wait for another event.
        var wakes: Duration?
    }

    /// The number of the frame that is due, from 0.
    private(set) var frame = 0
    /// The number of times that the animation has played to its end.
    private(set) var loops = 0
    /// The number of frames that were due and never shown.
    private(set) var skipped = 0
    /// Whether the animation has played as often as requested, or cannot continue because a frame is damaged.
    private(set) var isFinished = false
    /// Whether the animation has been started. Frames advance only while it is also visible and allowed.
    private(set) var isStarted = false

    private let durations: [Duration]
    private let loopLimit: Int
    private var frames: HeldFrames
    private var shown: Int?
    private var decoding: Int?
    private var isVisible = false
    private var isAllowed = true
    /// The time at which the current frame became due. During a pause, `elapsed` is the time from `began` to the pause.
    private var began = Duration.zero
    private var elapsed = Duration.zero
    private var runs = false
    /// The number of frames before the first damaged frame, or of all frames if no damage is known.
    private var count: Int

    /// Creates a stopped, invisible player.
    ///
    /// - Parameters:
    ///   - durations: The duration of each frame; at least one.
    ///   - loopCount: The number of times that the animation plays, or `nil` if it repeats forever.
    init(durations: [Duration], loopCount: Int?, playback: AnimationPlayback = .automatic) {
        self.durations = durations
        count = durations.count
        loopLimit = playback.loopLimit(loopCount)
        frames = HeldFrames(frameCount: durations.count, byteLimit: playback.frameBytes)
    }

    var heldBytes: Int { frames.bytes }
}

// MARK: Events

extension AnimationPlayer {
    /// Starts the animation. A finished animation starts again.
    mutating func start(at now: Duration) -> Action {
        if isFinished, count > 1 { restart(at: now) }
        isStarted = true
        return settle(at: now)
    }

    /// Records that the view has come on screen or left it. While the view is off screen, the animation pauses, and the
    /// player keeps only the frame shown last.
    mutating func setVisible(_ isVisible: Bool, at now: Duration) -> Action {
        self.isVisible = isVisible
        return settle(at: now)
    }

    mutating func setAllowed(_ isAllowed: Bool, at now: Duration) -> Action {
        self.isAllowed = isAllowed
        return settle(at: now)
    }

    /// Advances to the current time. The owner calls it at the time in ``Action/wakes``, and may call it at any time.
    mutating func tick(at now: Duration) -> Action { settle(at: now) }

    /// Accepts a decoded frame, or `nil` for a damaged frame: the animation then ends before that frame.
    mutating func receive(_ bitmap: Bitmap?, frame number: Int, at now: Duration) -> Action {
        if decoding == number { decoding = nil }
        if let bitmap {
            frames.add(bitmap, number)
        } else {
            count = min(count, max(number, 1))
            if frame >= count { (frame, isFinished) = (count - 1, true) }
        }
        return settle(at: now)
    }
}

// MARK: Reactions

extension AnimationPlayer {
    /// The maximum delay that the player makes up for by skipping frames. A longer delay means that the process was
    /// suspended: the animation then continues with the next frame.
    private static let patience = Duration.seconds(1)

    /// The maximum number of frames to decode ahead, however small they are.
    private static let aheadLimit = 64

    private var moves: Bool {
        isStarted && isVisible && isAllowed && !isFinished && count > 1 && loopLimit > 0
    }

    private mutating func settle(at now: Duration) -> Action {
        pauseOrResume(at: now)
        if runs { advance(to: now) }
        let shows = frameToShow()
        release()
        return Action(shows: shows, decodes: nextToDecode(), wakes: moves ? began + durations[frame] : nil)
    }

    private mutating func pauseOrResume(at now: Duration) {
        guard moves != runs else { return }
        if runs {
            elapsed = min(max(now - began, .zero), durations[frame])
        } else {
            began = now - elapsed
        }
        runs = moves
    }

    private mutating func advance(to now: Duration) {
        while moves, now >= began + durations[frame] {
            let end = began + durations[frame]
            guard step() else { return }
            began = now - end > Self.patience ? now : end
        }
    }

    /// Advances to the next frame. Returns `false` if the animation has finished.
    private mutating func step() -> Bool {
        if frame + 1 < count {
            frame += 1
            return true
        }
        loops += 1
        if loops >= loopLimit || count < durations.count {
            isFinished = true
            runs = false
            elapsed = .zero
            return false
        }
        frame = 0
        return true
    }

    private mutating func restart(at now: Duration) {
        (frame, loops, isFinished) = (0, 0, false)
        (began, elapsed) = (now, .zero)
    }

    /// Returns the due frame, or else the latest decoded frame between the visible frame and the due frame.
    private mutating func frameToShow() -> Bitmap? {
        let back = shown.map { (frame - $0 + durations.count) % durations.count } ?? 1
        for distance in 0..<(runs ? back : min(back, 1)) {
            let number = (frame - distance + durations.count) % durations.count
            guard let bitmap = frames[number] else { continue }
            if runs, shown != nil { skipped += back - distance - 1 }
            shown = number
            return bitmap
        }
        return nil
    }

    private mutating func release() {
        if isVisible, isAllowed { frames.keep(shown, and: frame, following: moves) } else { frames.keepOnly(shown) }
    }

    private mutating func nextToDecode() -> Int? {
        guard isVisible, decoding == nil, loopLimit > 0 || shown == nil else { return nil }
        if frames[frame] == nil, shown != frame || moves {
            decoding = frame
            return frame
        }
        guard moves else { return nil }
        for distance in 1..<min(count, Self.aheadLimit) {
            let number = frame + distance
            if number >= count, loops + 1 >= loopLimit { return nil }
            if frames[number % count] != nil { continue }
            guard frames.hasRoom(atDistance: distance) else { return nil }
            decoding = number % count
            return decoding
        }
        return nil
    }
}
