#if GTK
    import CGTK4
    import CalotypeGTK
    import Glibc

    /// Measures how long the main thread works without polling for events, which a user feels as a stall.
    @MainActor
    enum StallWatch {
        /// GLib calls this function to wait for events; between two calls the main thread works.
        private static let poll: GPollFunc = { descriptors, count, timeout in
            // The main thread owns the default context, so GLib calls this function only there.
            MainActor.assumeIsolated { StallWatch.workEnds() }
            let result = Glibc.poll(
                UnsafeMutableRawPointer(descriptors)?.assumingMemoryBound(to: pollfd.self), nfds_t(count), timeout)
            MainActor.assumeIsolated { StallWatch.workBegins() }
            return result
        }

        private static var begin: ContinuousClock.Instant?
        private static var longest = Duration.zero
        private static var workBegan: Double?
        /// The longest processor time of the main thread between two polls since `start`, in seconds.
        private(set) static var longestWork = 0.0

        static func start() {
            longest = .zero
            longestWork = 0
            (begin, workBegan) = (nil, nil)
            g_main_context_set_poll_func(nil, poll)
        }

        /// Stops measuring, and returns the longest stall since `start`, in seconds.
        static func stop() -> Double {
            g_main_context_set_poll_func(nil, nil)
            return longest / .seconds(1)
        }

        private static func workBegins() {
            begin = .now
            workBegan = processorTime
        }

        private static func workEnds() {
            if let begin { longest = max(longest, ContinuousClock.now - begin) }
            if let workBegan { longestWork = max(longestWork, processorTime - workBegan) }
        }

        private static var processorTime: Double { time(of: CLOCK_THREAD_CPUTIME_ID) }
    }

    @MainActor
    enum Frames {
        /// Calls `body` at the start of each of the next `count` frames, and then returns.
        static func pass(_ count: Int, in widget: Widget, _ body: @escaping @MainActor (Int) -> Void) async {
            let clock = gtk_widget_get_frame_clock(widget)
            guard let clock else { return }
            gdk_frame_clock_begin_updating(clock)
            await withCheckedContinuation { continuation in
                var frame = 0
                var signal: Signal?
                signal = Signal.connect(clock.raw, "update") {
                    frame += 1
                    if frame <= count { return body(frame) }
                    signal?.disconnect()
                    signal = nil
                    continuation.resume()
                }
            }
            gdk_frame_clock_end_updating(clock)
        }
    }
#endif
