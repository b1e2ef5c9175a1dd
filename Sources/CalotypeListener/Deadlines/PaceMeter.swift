/// A counter of the bytes transferred in the last window of time, which slides in steps of a sixth of its length.
///
/// Only time during which the meter runs counts.
struct PaceMeter {
    private static let sixths = 6

    private let sixth: UInt64
    /// The byte counts of the six complete sixths and of the current one. The eighth element is unused.
    private var slots = SIMD8<UInt32>()
    private var current = 0
    private var completed = 0
    /// The time elapsed in the current sixth, in nanoseconds.
    private var spent: UInt64 = 0
    private var runningSince: UInt64?

    /// - Parameter window: The length of the window, in nanoseconds.
    init(window: UInt64) {
        sixth = max(window / UInt64(Self.sixths), 1)
    }

    var isRunning: Bool { runningSince != nil }

    mutating func run(at now: UInt64) {
        if runningSince == nil { runningSince = now }
    }

    mutating func pause(at now: UInt64) {
        advance(to: now)
        runningSince = nil
    }

    mutating func add(_ bytes: Int) {
        let (sum, overflows) = slots[current].addingReportingOverflow(UInt32(clamping: bytes))
        slots[current] = overflows ? .max : sum
    }

    mutating func advance(to now: UInt64) {
        guard let since = runningSince, now > since else { return }
        runningSince = now
        spent += now - since
        var passed = spent / sixth
        spent -= passed * sixth
        // After this many sixths, every slot is empty.
        passed = min(passed, UInt64(Self.sixths + 1))
        for _ in 0..<passed {
            current = (current + 1) % (Self.sixths + 1)
            slots[current] = 0
            completed += 1
        }
    }

    /// The number of bytes in the last complete window, or `nil` before the first one is complete.
    var lastWindow: Int? {
        guard completed >= Self.sixths else { return nil }
        return (0...Self.sixths).reduce(0) { $0 + ($1 == current ? 0 : Int(slots[$1])) }
    }

    /// The time when the window slides next, or `nil` while the meter does not run.
    var slidesAt: UInt64? { runningSince.map { $0 + sixth - spent } }
}
