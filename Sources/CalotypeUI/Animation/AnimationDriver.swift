import Calotype
import CalotypeBase
import CalotypeCodecs

/// A driver that plays an animation in a view: performs the actions of ``AnimationPlayer`` with a clock.
///
/// Releasing the driver ends the playback.
@MainActor
final class AnimationDriver {
    /// Called with each frame to show. Capture the view weakly in it.
    var onFrame: (@MainActor (Bitmap) -> Void)?

    private(set) var player: AnimationPlayer
    private let animation: ImageAnimation
    private let isAllowed: @MainActor () -> Bool
    private let stopwatch: Stopwatch
    private var waking: Task<Void, Never>?
    private var wakeTime: Duration?
    private var decoding: Task<Void, Never>?

    /// - Parameters:
    ///   - first: The first frame, which the view shows already.
    ///   - isAllowed: Returns whether the system's settings allow animations now.
    init(
        _ animation: ImageAnimation, first: Bitmap, playback: AnimationPlayback, clock: any Clock<Duration>,
        isAllowed: @escaping @MainActor () -> Bool
    ) {
        self.isAllowed = isAllowed
        self.animation = animation
        player = AnimationPlayer(
            durations: animation.durations, loopCount: animation.loopCount, playback: playback)
        stopwatch = Stopwatch(clock)
        _ = player.receive(first, frame: 0, at: .zero)
    }

    deinit {
        waking?.cancel()
        decoding?.cancel()
    }

    func start() {
        askPermission()
        perform(player.start(at: stopwatch.elapsed()))
    }

    func setVisible(_ isVisible: Bool) {
        askPermission()
        perform(player.setVisible(isVisible, at: stopwatch.elapsed()))
    }

    /// Passes the system's settings to the player. They may change at any time.
    private func askPermission() {
        perform(player.setAllowed(isAllowed(), at: stopwatch.elapsed()))
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
        perform(player.receive(bitmap, frame: frame, at: stopwatch.elapsed()))
    }

    private func wake(at time: Duration?) {
        guard time != wakeTime else { return }
        waking?.cancel()
        wakeTime = time
        waking = time.map { time in
            Task { [weak self, stopwatch] in
                // The sleep is cancelled if another wake-up time replaces this time.
                do { try await stopwatch.sleep(time) } catch { return }
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
