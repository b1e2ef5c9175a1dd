import Calotype
import CalotypeCodecs

/// Plays an animation in a view: performs the actions of ``AnimationPlayer`` with a clock and the codec threads.
///
/// Releasing the driver ends the playback.
@MainActor
final class AnimationDriver {
    /// Called with each frame to show. Capture the view weakly in it.
    var onFrame: (@MainActor (Bitmap) -> Void)?

    private(set) var player: AnimationPlayer
    private let animation: ImageAnimation
    private let isAllowed: @MainActor () -> Bool
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private var waking: Task<Void, Never>?
    private var wakeTime: Duration?
    private var decoding: Task<Void, Never>?

    /// - Parameters:
    ///   - first: The first frame, which the view shows already.
    ///   - isAllowed: Returns whether the system's settings allow animations now.
    init<C: Clock>(
        _ animation: ImageAnimation, first: Bitmap, playback: AnimationPlayback, clock: C,
        isAllowed: @escaping @MainActor () -> Bool
    ) where C.Duration == Duration {
        self.isAllowed = isAllowed
        self.animation = animation
        player = AnimationPlayer(
            durations: animation.durations, loopCount: animation.loopCount, playback: playback)
        let zero = clock.now
        now = { zero.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: zero.advanced(by: $0), tolerance: nil) }
        _ = player.receive(first, frame: 0, at: .zero)
    }

    deinit {
        waking?.cancel()
        decoding?.cancel()
    }

    func start() {
        askPermission()
        perform(player.start(at: now()))
    }
    func stop() { perform(player.stop(at: now())) }
    func seek(to frame: Int) { perform(player.seek(to: frame, at: now())) }
    func setVisible(_ isVisible: Bool) {
        askPermission()
        perform(player.setVisible(isVisible, at: now()))
    }

    /// Reads the settings, which may have changed, at every event.
    private func askPermission() {
        perform(player.setAllowed(isAllowed(), at: now()))
    }

    private func perform(_ action: AnimationPlayer.Action) {
        if let frame = action.decodes { decode(frame) }
        wake(at: action.wakes)
        if let bitmap = action.shows { onFrame?(bitmap) }
    }

    private func decode(_ frame: Int) {
        decoding = Task { [weak self, animation] in
            let bitmap: Bitmap?
            do throws(ImageError) {
                bitmap = try await animation.frame(at: frame)
            } catch {
                if error.code == .cancelled { return }
                bitmap = nil
            }
            self?.received(bitmap, frame)
        }
    }

    private func received(_ bitmap: Bitmap?, _ frame: Int) {
        perform(player.receive(bitmap, frame: frame, at: now()))
    }

    private func wake(at time: Duration?) {
        guard time != wakeTime else { return }
        waking?.cancel()
        wakeTime = time
        waking = time.map { time in
            Task { [weak self, sleep] in
                // Cancelled if another wake-up time has replaced this one.
                do { try await sleep(time) } catch { return }
                self?.tick(time)
            }
        }
    }

    private func tick(_ time: Duration) {
        guard time == wakeTime else { return }
        wakeTime = nil
        askPermission()
    }
}
