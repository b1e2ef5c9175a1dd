#if GTK
    import CGTK4
    import Glibc

    /// The connection of Swift's main actor to GLib's main loop.
    ///
    /// The main actor runs on libdispatch's main queue, which waits for a loop to drain it. Without this connection, no
    /// main-actor task of a GTK application ever runs.
    enum MainQueue {
        @MainActor
        static func attach() {
            guard !isAttached else { return }
            isAttached = true
            let source = g_unix_fd_source_new(_dispatch_get_main_queue_handle_4CF(), G_IO_IN)
            let drain: GUnixFDSourceFunc = { descriptor, _, _ in
                MainQueue.drain(descriptor)
                return 1
            }
            // Do not exceed the frame clock's priority: a busy main actor would keep windows from being painted.
            g_source_set_priority(source, GDK_PRIORITY_REDRAW)
            // GLib declares one callback type for all sources, but a descriptor's source passes other arguments.
            g_source_set_callback(source, unsafeBitCast(drain, to: GSourceFunc.self), nil, nil)
            g_source_attach(source, nil)
            g_source_unref(source)
        }

        @MainActor private static var isAttached = false

        /// Runs the jobs of the main queue. Reads the eventfd's counter first: otherwise the descriptor stays ready,
        /// the loop calls nothing but this function, and layout and paint starve.
        private static func drain(_ descriptor: Int32) {
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
            _dispatch_main_queue_callback_4CF(nil)
        }
    }
#endif
