#if GTK
    import CGTK4

    /// The GLib main loop on the main thread, which also runs Swift's main actor.
    ///
    /// ```swift
    /// @main struct Application {
    ///     static func main() {
    ///         guard MainLoop.start() else { return print("There is no display.") }
    ///         exit(MainLoop.run { makeWindow() })
    ///     }
    /// }
    /// ```
    @MainActor
    public enum MainLoop {
        private static var loop: OpaquePointer?
        private static var status: Int32 = 0

        /// Initializes GTK, and attaches Swift's main actor to GLib's main context.
        ///
        /// - Returns: `false` if there is no display.
        public static func start() -> Bool {
            guard gtk_init_check() != 0 else { return false }
            MainQueue.attach()
            return true
        }

        /// Attaches Swift's main actor to GLib's main context, for an application that runs GTK's loop itself.
        ///
        /// Call it once on the main thread, before the loop runs. Further calls do nothing.
        public static func attach() { MainQueue.attach() }

        /// Runs the loop until ``quit(_:)``.
        ///
        /// - Parameter body: The closure to call first, on the main actor.
        /// - Returns: The status passed to `quit`.
        @discardableResult
        public static func run(_ body: @escaping @MainActor () -> Void) -> Int32 {
            loop = g_main_loop_new(nil, 0)
            Task { body() }
            g_main_loop_run(loop)
            g_main_loop_unref(loop)
            loop = nil
            return status
        }

        /// Ends ``run(_:)``.
        public static func quit(_ status: Int32 = 0) {
            self.status = status
            if let loop { g_main_loop_quit(loop) }
        }
    }
#endif
