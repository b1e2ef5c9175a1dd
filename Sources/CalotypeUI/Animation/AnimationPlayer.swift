package import CalotypeCodecs

/// Decides which frame of an animation is shown when, which one is decoded next, and which ones are kept.
///
/// A state machine without a clock, a task or a view. Its owner tells it the time, as a duration since any moment it likes,
/// and does what each ``Action`` says: shows a frame, has one decoded and hands it to ``receive(_:frame:at:)``, calls
/// ``tick(at:)`` when the next one is due.
///
/// It plays while it is started, visible and allowed to. Frames keep to the clock: one that comes late is shown late, and
/// those that should have been over by then are skipped. After a pause of more than a second it goes on from where it was.
package struct AnimationPlayer: Sendable {
    /// What the owner is to do.
    package struct Action: Sendable {
        /// The frame to show from now on.
        package var shows: Bitmap?
        /// The number of the frame to decode. No other one is under way.
        package var decodes: Int?
        /// When to call ``AnimationPlayer/tick(at:)``; `nil` for not before anything else happens.
        package var wakes: Duration?
    }

    /// The number of the frame that is due, from 0.
    package private(set) var frame = 0
    /// How often the animation has played to its end.
    package private(set) var loops = 0
    /// The number of frames that were due and never shown.
    package private(set) var skipped = 0
    /// Whether the animation has played as often as it is to, or cannot go on because a frame is damaged.
    package private(set) var isFinished = false
    /// Whether the animation has been started. It does not move while it is not visible, or not allowed to.
    package private(set) var isStarted = false

    private let durations: [Duration]
    private let loopLimit: Int
    private var frames: HeldFrames
    private var shown: Int?
    private var decoding: Int?
    private var isVisible = false
    private var isAllowed = true
    /// When the frame began that is due; while paused, how long it has been due already.
    private var began = Duration.zero
    private var elapsed = Duration.zero
    private var runs = false
    /// The number of frames that can be decoded.
    private var count: Int

    /// Creates a player that is stopped and not visible.
    ///
    /// - Parameters:
    ///   - durations: How long each frame is shown; at least one.
    ///   - loopCount: How often the file says that it plays; `nil` for an endless animation.
    package init(durations: [Duration], loopCount: Int?, playback: AnimationPlayback = .automatic) {
        self.durations = durations
        count = durations.count
        loopLimit = playback.loopLimit(loopCount)
        frames = HeldFrames(frameCount: durations.count, byteLimit: playback.frameBytes)
    }

    /// The bytes of the frames that are held.
    package var heldBytes: Int { frames.bytes }
}

// MARK: What the owner tells

extension AnimationPlayer {
    /// Starts, or goes on from where it was stopped. One that has finished begins again.
    package mutating func start(at now: Duration) -> Action {
        if isFinished, count > 1 { restart(at: now) }
        isStarted = true
        return settle(at: now)
    }

    /// Stops at the frame that is shown.
    package mutating func stop(at now: Duration) -> Action {
        isStarted = false
        return settle(at: now)
    }

    /// Goes to a frame, whether it plays or not. Frames outside of the animation count as the nearer end.
    package mutating func seek(to frame: Int, at now: Duration) -> Action {
        self.frame = min(max(frame, 0), count - 1)
        if isFinished, count == durations.count { (isFinished, loops) = (false, 0) }
        (began, elapsed) = (now, .zero)
        return settle(at: now)
    }

    /// The view has come on screen, or left it. Off screen nothing moves, and only the frame that is shown is held.
    package mutating func setVisible(_ isVisible: Bool, at now: Duration) -> Action {
        self.isVisible = isVisible
        return settle(at: now)
    }

    /// The system allows animations, or does not.
    package mutating func setAllowed(_ isAllowed: Bool, at now: Duration) -> Action {
        self.isAllowed = isAllowed
        return settle(at: now)
    }

    /// The time has come that ``Action/wakes`` named, or any other.
    package mutating func tick(at now: Duration) -> Action { settle(at: now) }

    /// A frame has been decoded; `nil` for one that is damaged. Those before it go on to be shown until it is due, which
    /// is the end.
    package mutating func receive(_ bitmap: Bitmap?, frame number: Int, at now: Duration) -> Action {
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

// MARK: What follows

extension AnimationPlayer {
    /// Longer than this the owner was not late, but asleep.
    private static let patience = Duration.seconds(1)

    /// Further ahead nothing is gained, however small the frames are.
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

    /// To the next frame. False: that was the last one.
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

    /// The frame that is due, or the latest before it that has come since the one that is shown.
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
