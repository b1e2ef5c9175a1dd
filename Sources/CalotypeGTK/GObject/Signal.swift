#if GTK
    import CGTK4

    /// A connection of a Swift closure to a signal. GTK emits all of its signals on the main thread.
    ///
    /// The C functions below receive the closure's context first, then the signal's arguments (`G_CONNECT_SWAPPED`).
    /// They omit the last arguments that they do not need, as C's calling conventions permit.
    @MainActor
    package struct Signal {
        private let instance: UnsafeMutableRawPointer
        private let id: gulong

        /// Calls `handler` for each emission of the signal, until disconnected or until the instance is finalized.
        ///
        /// - Parameter after: Whether to run after the class's default handler and earlier handlers.
        @discardableResult
        package static func connect(
            _ instance: UnsafeMutableRawPointer, _ name: String, after: Bool = false,
            handler: @escaping @MainActor () -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer) -> Void = { context in
                MainActor.assumeIsolated { Handler<@MainActor () -> Void>.at(context).call() }
            }
            return Signal(instance, name, after: after, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects a signal whose first argument is an object.
        package static func connect(
            _ instance: UnsafeMutableRawPointer, _ name: String,
            objectHandler handler: @escaping @MainActor (OpaquePointer) -> Void
        ) {
            let call: @convention(c) (gpointer, OpaquePointer) -> Void = { context, object in
                // The address does not leave the main thread, on which this runs.
                nonisolated(unsafe) let object = object
                MainActor.assumeIsolated { Handler<@MainActor (OpaquePointer) -> Void>.at(context).call(object) }
            }
            Signal(instance, name, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects a signal whose first argument is a number.
        package static func connect(
            _ instance: UnsafeMutableRawPointer, _ name: String,
            numberHandler handler: @escaping @MainActor (UInt32) -> Void
        ) {
            let call: @convention(c) (gpointer, guint) -> Void = { context, number in
                MainActor.assumeIsolated { Handler<@MainActor (UInt32) -> Void>.at(context).call(number) }
            }
            Signal(instance, name, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects a signal with a Boolean result, such as `close-request`.
        package static func connectQuestion(
            _ instance: UnsafeMutableRawPointer, _ name: String, handler: @escaping @MainActor () -> Bool
        ) {
            let call: @convention(c) (gpointer) -> gboolean = { context in
                MainActor.assumeIsolated { Handler<@MainActor () -> Bool>.at(context).call() ? 1 : 0 }
            }
            Signal(instance, name, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `activate` of an action. The handler receives the action's string parameter, or `nil` without a
        /// parameter.
        package static func connectAction(
            _ action: OpaquePointer, handler: @escaping @MainActor (_ parameter: String?) -> Void
        ) {
            let call: @convention(c) (gpointer, OpaquePointer?) -> Void = { context, parameter in
                let text = parameter.flatMap { g_variant_get_string($0, nil) }.map { String(cString: $0) }
                MainActor.assumeIsolated { Handler<@MainActor (String?) -> Void>.at(context).call(text) }
            }
            Signal(action.raw, "activate", unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `key-pressed`. The handler returns whether it has handled the key completely.
        package static func connectKeyPress(
            _ controller: UnsafeMutableRawPointer,
            handler: @escaping @MainActor (_ key: UInt32, _ modifiers: GdkModifierType) -> Bool
        ) {
            let call: @convention(c) (gpointer, guint, guint, GdkModifierType) -> gboolean = {
                context, key, _, modifiers in
                MainActor.assumeIsolated {
                    Handler<@MainActor (UInt32, GdkModifierType) -> Bool>.at(context).call(key, modifiers) ? 1 : 0
                }
            }
            Signal(controller, "key-pressed", unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `scroll`. The handler returns whether it has handled the scrolling completely.
        package static func connectScroll(
            _ controller: UnsafeMutableRawPointer, handler: @escaping @MainActor (_ x: Double, _ y: Double) -> Bool
        ) {
            let call: @convention(c) (gpointer, Double, Double) -> gboolean = { context, x, y in
                MainActor.assumeIsolated { Handler<@MainActor (Double, Double) -> Bool>.at(context).call(x, y) ? 1 : 0 }
            }
            Signal(controller, "scroll", unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects a signal with a point, such as `motion`.
        package static func connectPoint(
            _ instance: UnsafeMutableRawPointer, _ name: String,
            handler: @escaping @MainActor (_ x: Double, _ y: Double) -> Void
        ) {
            let call: @convention(c) (gpointer, Double, Double) -> Void = { context, x, y in
                MainActor.assumeIsolated { Handler<@MainActor (Double, Double) -> Void>.at(context).call(x, y) }
            }
            Signal(instance, name, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `pressed` or `released` of a click. The handler receives the position, and the number of the click
        /// in a series, from 1: a double click calls it with 1 and 2.
        package static func connectPress(
            _ gesture: UnsafeMutableRawPointer, _ name: String = "pressed",
            handler: @escaping @MainActor (_ count: Int, _ x: Double, _ y: Double) -> Void
        ) {
            let call: @convention(c) (gpointer, gint, Double, Double) -> Void = { context, count, x, y in
                MainActor.assumeIsolated {
                    Handler<@MainActor (Int, Double, Double) -> Void>.at(context).call(Int(count), x, y)
                }
            }
            Signal(gesture, name, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `scale-changed` of a zoom gesture.
        package static func connectScale(
            _ gesture: UnsafeMutableRawPointer, handler: @escaping @MainActor (_ scale: Double) -> Void
        ) {
            let call: @convention(c) (gpointer, Double) -> Void = { context, scale in
                MainActor.assumeIsolated { Handler<@MainActor (Double) -> Void>.at(context).call(scale) }
            }
            Signal(gesture, "scale-changed", unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `drop` of a drop target. The handler returns whether it accepts the value.
        package static func connectDrop(
            _ target: OpaquePointer, handler: @escaping @MainActor (UnsafePointer<GValue>) -> Bool
        ) {
            let call: @convention(c) (gpointer, UnsafePointer<GValue>) -> gboolean = { context, value in
                // The address does not leave the main thread, on which this runs.
                nonisolated(unsafe) let value = value
                return MainActor.assumeIsolated {
                    Handler<@MainActor (UnsafePointer<GValue>) -> Bool>.at(context).call(value) ? 1 : 0
                }
            }
            Signal(target.raw, "drop", unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        package func disconnect() {
            g_signal_handler_disconnect(instance, id)
        }

        @discardableResult
        private init(
            _ instance: UnsafeMutableRawPointer, _ name: String, after: Bool = false, _ callback: @escaping GCallback,
            _ handler: AnyObject
        ) {
            self.instance = instance
            id = g_signal_connect_data(
                instance, name, callback, Unmanaged.passRetained(handler).toOpaque(),
                { context, _ in Attachment.release(context) },
                GConnectFlags(rawValue: G_CONNECT_SWAPPED.rawValue | (after ? G_CONNECT_AFTER.rawValue : 0)))
        }
    }

    /// The context of a connection: a closure of the type `Function`.
    private final class Handler<Function> {
        let call: Function

        init(_ call: Function) {
            self.call = call
        }

        static func at(_ context: UnsafeMutableRawPointer) -> Handler {
            Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        }
    }
#endif
