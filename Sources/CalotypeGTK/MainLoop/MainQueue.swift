#if GTK
    import CGTK4
    import Glibc

    /// Lets `@MainActor`, `Task` and `Task.sleep` work where GLib's loop owns the main thread.
    ///
    /// Swift's main actor runs what libdispatch's main queue holds, and that queue waits for a loop to call it. Without
    /// this no main-actor task of a GTK application ever runs.
    package enum MainQueue {
        /// Attaches libdispatch's main queue to GLib's main context. To be called once on the main thread, before the
        /// loop runs; calling it again does nothing.
        @MainActor
        package static func attach() {
            guard !isAttached else { return }
            isAttached = true
            let source = g_unix_fd_source_new(_dispatch_get_main_queue_handle_4CF(), G_IO_IN)
            let drain: GUnixFDSourceFunc = { descriptor, _, _ in
                MainQueue.drain(descriptor)
                return 1
            }
            // Not above the frame clock's priority: a main actor that is never idle would keep windows from being painted.
            g_source_set_priority(source, GDK_PRIORITY_REDRAW)
            // GLib's type for the callback of any source; this kind calls it with a descriptor.
            g_source_set_callback(source, unsafeBitCast(drain, to: GSourceFunc.self), nil, nil)
            g_source_attach(source, nil)
            g_source_unref(source)
        }

        @MainActor private static var isAttached = false

        /// The eventfd's counter first: unread, the descriptor stays ready, the loop does nothing but call this, and
        /// layout and paint starve.
        private static func drain(_ descriptor: Int32) {
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
            _dispatch_main_queue_callback_4CF(nil)
        }
    }
#endif
