/// How many bytes passed in the last stretch of the time in which they could have passed.
///
/// The window slides in sixths. Time counts only while the meter runs.
struct PaceMeter {
    private static let sixths = 6

    private let sixth: UInt64
    /// One slot for each sixth of the window, and one for the sixth that is under way.
    private var slots = SIMD8<UInt32>()
    private var current = 0
    private var completed = 0
    /// Of the present sixth.
    private var spent: UInt64 = 0
    private var runningSince: UInt64?
    private var total = 0
    private var time: UInt64 = 0

    /// - Parameter window: nanoseconds.
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
        total += bytes
        let (sum, overflows) = slots[current].addingReportingOverflow(UInt32(clamping: bytes))
        slots[current] = overflows ? .max : sum
    }

    mutating func advance(to now: UInt64) {
        guard let since = runningSince, now > since else { return }
        runningSince = now
        time += now - since
        spent += now - since
        // What lies more than a window back is forgotten anyway.
        var passed = spent / sixth
        spent -= passed * sixth
        passed = min(passed, UInt64(Self.sixths + 1))
        for _ in 0..<passed {
            current = (current + 1) % (Self.sixths + 1)
            slots[current] = 0
            completed += 1
        }
    }

    /// Bytes of the last whole window; nil before the first one has passed.
    var lastWindow: Int? {
        guard completed >= Self.sixths else { return nil }
        return (0...Self.sixths).reduce(0) { $0 + ($1 == current ? 0 : Int(slots[$1])) }
    }

    /// When the window slides next; nil while the meter does not run.
    var slidesAt: UInt64? { runningSince.map { $0 + sixth - spent } }

    /// Bytes a second up to now, in favour of those that have just begun.
    func pace(at now: UInt64) -> Double {
        let running = time + (runningSince.map { now - min($0, now) } ?? 0)
        return Double(total + (64 << 10)) / (Double(running) / 1e9 + 1)
    }
}
