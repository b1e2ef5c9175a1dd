#if GTK
    import CGTK4
    import CalotypeGTK

    /// Callbacks in each frame of a widget's window.
    @MainActor
    enum FrameTicks {
        /// - Parameter body: Receives the time since the first frame. Returns `true` to be called again.
        static func run(on widget: Widget, _ body: @escaping @MainActor (Duration) -> Bool) {
            let ticker = Ticker(body)
            gtk_widget_add_tick_callback(
                widget,
                { _, clock, context in
                    let now = Int64(gdk_frame_clock_get_frame_time(clock))
                    // GTK calls this on the main thread, with the object handed over below.
                    nonisolated(unsafe) let context = context
                    return MainActor.assumeIsolated {
                        guard let context else { return 0 }
                        return Unmanaged<Ticker>.fromOpaque(context).takeUnretainedValue().tick(now) ? 1 : 0
                    }
                }, Unmanaged.passRetained(ticker).toOpaque(), Attachment.release)
        }

        private final class Ticker {
            private let body: @MainActor (Duration) -> Bool
            private var start: Int64?

            init(_ body: @escaping @MainActor (Duration) -> Bool) {
                self.body = body
            }

            @MainActor
            func tick(_ now: Int64) -> Bool {
                let start = start ?? now
                self.start = start
                return body(.microseconds(now - start))
            }
        }
    }
#endif
