#if GTK
    import CGTK4

    /// Connects Swift closures to signals. All of GTK's come on the main thread.
    @MainActor
    package struct Signal {
        private let instance: UnsafeMutableRawPointer
        private let id: gulong

        /// Calls `handler` whenever the signal comes, until it is disconnected or the instance ends.
        ///
        /// - Parameter after: whether after the class's own handler and the earlier ones.
        @discardableResult
        package static func connect(
            _ instance: UnsafeMutableRawPointer, _ name: String, after: Bool = false,
            handler: @escaping @MainActor () -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer, gpointer) -> Void = { _, context in
                MainActor.assumeIsolated { Handler<Void>.at(context).call(()) }
            }
            return connect(instance, name, after, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// The same for a signal with one argument, an object.
        @discardableResult
        package static func connect(
            _ instance: UnsafeMutableRawPointer, _ name: String,
            objectHandler handler: @escaping @MainActor (OpaquePointer) -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer, OpaquePointer, gpointer) -> Void = { _, object, context in
                // The address goes no further than the main thread, on which this runs.
                nonisolated(unsafe) let object = object
                MainActor.assumeIsolated { Handler<OpaquePointer>.at(context).call(object) }
            }
            return connect(instance, name, false, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// The same for a signal with one argument, a number.
        @discardableResult
        package static func connect(
            _ instance: UnsafeMutableRawPointer, _ name: String,
            numberHandler handler: @escaping @MainActor (UInt32) -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer, guint, gpointer) -> Void = { _, number, context in
                MainActor.assumeIsolated { Handler<UInt32>.at(context).call(number) }
            }
            return connect(instance, name, false, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// The same for `key-pressed`. The handler answers whether that is all that the key does.
        @discardableResult
        package static func connectKeyPress(
            _ controller: UnsafeMutableRawPointer, handler: @escaping @MainActor (_ key: UInt32) -> Bool
        ) -> Signal {
            let call: @convention(c) (gpointer, guint, guint, GdkModifierType, gpointer) -> gboolean = {
                _, key, _, _, context in
                MainActor.assumeIsolated { KeyHandler.at(context).call(key) ? 1 : 0 }
            }
            return connect(
                controller, "key-pressed", false, unsafeBitCast(call, to: GCallback.self), KeyHandler(handler))
        }

        package func disconnect() {
            g_signal_handler_disconnect(instance, id)
        }

        private static func connect(
            _ instance: UnsafeMutableRawPointer, _ name: String, _ after: Bool, _ callback: @escaping GCallback,
            _ handler: AnyObject
        ) -> Signal {
            let id = g_signal_connect_data(
                instance, name, callback, Unmanaged.passRetained(handler).toOpaque(),
                { context, _ in
                    guard let context else { return }
                    Unmanaged<AnyObject>.fromOpaque(context).release()
                }, after ? G_CONNECT_AFTER : GConnectFlags(rawValue: 0))
            return Signal(instance: instance, id: id)
        }
    }

    @MainActor
    private final class KeyHandler {
        let call: @MainActor (UInt32) -> Bool

        init(_ call: @escaping @MainActor (UInt32) -> Bool) {
            self.call = call
        }

        nonisolated static func at(_ context: UnsafeMutableRawPointer) -> KeyHandler {
            Unmanaged<KeyHandler>.fromOpaque(context).takeUnretainedValue()
        }
    }

    @MainActor
    private final class Handler<Argument> {
        let call: @MainActor (Argument) -> Void

        init(_ call: @escaping @MainActor (Argument) -> Void) {
            self.call = call
        }

        nonisolated static func at(_ context: UnsafeMutableRawPointer) -> Handler {
            Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        }
    }
#endif
