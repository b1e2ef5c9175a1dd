#if GTK
    import CGTK4

    /// Closures that run after the layout of a window's widgets and before their painting, in the same frame.
    @MainActor
    package enum AfterLayout {
        /// Calls `body` after the current layout or, if no layout is running, after the next layout.
        ///
        /// - Returns: `false` if the widget is in no realized window. `body` is then never called.
        @discardableResult
        package static func call(for widget: Widget, _ body: @escaping @MainActor () -> Void) -> Bool {
            guard let clock = gtk_widget_get_frame_clock(widget) else { return false }
            let once = Once()
            once.signal = Signal.connect(clock.raw, "layout", after: true) {
                once.signal?.disconnect()
                once.signal = nil
                body()
            }
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_LAYOUT)
            return true
        }

        private final class Once {
            var signal: Signal?
        }
    }
#endif
