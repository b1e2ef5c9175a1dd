import Foundation

/// A monitor that reports when this process or the machine is short of memory.
///
/// ```swift
/// let monitor = MemoryPressureMonitor { cache.shrink() }
/// ```
/// Linux counts the time that tasks spend waiting for memory (PSI). The kernel wakes the monitor when that time reaches
/// 200 ms within two seconds: in the process's control group if the group reports pressure, otherwise on the whole
/// machine. If the kernel refuses this, the monitor reads the pressure from a file every two seconds. Apple's systems
/// report pressure themselves. Monitoring ends when the monitor is released.
package final class MemoryPressureMonitor: Sendable {
    enum Mode {
        case notified
        case polling
        /// The system does not report pressure: `onPressure` is never called.
        case unavailable
    }

    let mode: Mode
    private let trigger: PressureTrigger?
    private let polling: Task<Void, Never>?

    /// - Parameters:
    ///   - clock: The clock for the pauses between two readings, if the monitor has to poll.
    ///   - onPressure: Called on any thread while the shortage lasts, on Linux at most once in two seconds.
    package convenience init(
        clock: any Clock<Duration> = ContinuousClock(), onPressure: @escaping @Sendable () -> Void
    ) {
        if let trigger = PressureTrigger.ofTheSystem(onPressure: onPressure) {
            self.init(trigger: trigger)
            return
        }
        let groups = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
        let files = ControlGroups(parsing: groups ?? "").memoryPressureFiles()
        self.init(files: files, clock: clock, onPressure: onPressure)
    }

    /// - Parameters:
    ///   - files: The files to try, in order of preference. The monitor uses the first readable file.
    ///   - isNotified: `false` to poll the file even if the kernel would notify the monitor.
    init(
        files: [String], clock: any Clock<Duration>, isNotified: Bool = true,
        onPressure: @escaping @Sendable () -> Void
    ) {
        let file = files.first { Self.reading(of: $0) != nil }
        trigger = isNotified ? file.flatMap { PressureTrigger(file: $0, onPressure: onPressure) } : nil
        guard trigger == nil, let file else {
            mode = trigger == nil ? .unavailable : .notified
            polling = nil
            return
        }
        mode = .polling
        polling = Task.detached { await Self.poll(file, clock, onPressure) }
    }

    private init(trigger: PressureTrigger) {
        self.trigger = trigger
        mode = .notified
        polling = nil
    }

    deinit { polling?.cancel() }

    private static func poll(_ file: String, _ clock: any Clock<Duration>, _ onPressure: @Sendable () -> Void) async {
        while (try? await clock.sleep(for: .seconds(2))) != nil {
            // 10 %, as in the request to the kernel: 200 ms of 2 s.
            if let reading = reading(of: file), reading.stalled >= 10 { onPressure() }
        }
    }

    private static func reading(of file: String) -> PressureReading? {
        (try? String(contentsOfFile: file, encoding: .utf8)).flatMap(PressureReading.init(parsing:))
    }
}

/// Linux's report on stalls for lack of memory: the first line of `/proc/pressure/memory` or `memory.pressure`.
struct PressureReading: Equatable {
    /// The percentage of the last ten seconds in which at least one task waited for memory.
    var stalled: Double

    /// Returns `nil` if the text has no line such as "some avg10=0.12 avg60=0.05 avg300=0.01 total=12345".
    init?(parsing text: String) {
        for line in text.split(separator: "\n") where line.hasPrefix("some ") {
            for field in line.split(separator: " ") where field.hasPrefix("avg10=") {
                guard let value = Double(field.dropFirst(6)), value.isFinite, value >= 0 else { return nil }
                stalled = value
                return
            }
        }
        return nil
    }
}
