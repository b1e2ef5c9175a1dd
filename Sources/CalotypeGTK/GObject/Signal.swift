#if GTK
    import CGTK4

    /// A connection of a Swift closure to a signal. GTK emits all of its signals on the main thread.
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
            let call: @convention(c) (gpointer, gpointer) -> Void = { _, context in
                MainActor.assumeIsolated { Handler<Void, Void>.at(context).call(()) }
            }
            return connect(instance, name, after, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects a signal with one argument, an object.
        @discardableResult
        package static func connect(
            _ instance: UnsafeMutableRawPointer, _ name: String,
            objectHandler handler: @escaping @MainActor (OpaquePointer) -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer, OpaquePointer, gpointer) -> Void = { _, object, context in
                // The address does not leave the main thread, on which this runs.
                nonisolated(unsafe) let object = object
                MainActor.assumeIsolated { Handler<OpaquePointer, Void>.at(context).call(object) }
            }
            return connect(instance, name, false, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects a signal with one argument, a number.
        @discardableResult
        package static func connect(
            _ instance: UnsafeMutableRawPointer, _ name: String,
            numberHandler handler: @escaping @MainActor (UInt32) -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer, guint, gpointer) -> Void = { _, number, context in
                MainActor.assumeIsolated { Handler<UInt32, Void>.at(context).call(number) }
            }
            return connect(instance, name, false, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects a signal with a Boolean result, such as `close-request`.
        @discardableResult
        package static func connectQuestion(
            _ instance: UnsafeMutableRawPointer, _ name: String, handler: @escaping @MainActor () -> Bool
        ) -> Signal {
            let call: @convention(c) (gpointer, gpointer) -> gboolean = { _, context in
                MainActor.assumeIsolated { Handler<Void, Bool>.at(context).call(()) ? 1 : 0 }
            }
            return connect(instance, name, false, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `activate` of an action. The handler receives the action's string parameter, or `nil` without a
        /// parameter.
        @discardableResult
        package static func connectAction(
            _ action: OpaquePointer, handler: @escaping @MainActor (_ parameter: String?) -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer, OpaquePointer?, gpointer) -> Void = { _, parameter, context in
                let text = parameter.flatMap { g_variant_get_string($0, nil) }.map { String(cString: $0) }
                MainActor.assumeIsolated { Handler<String?, Void>.at(context).call(text) }
            }
            return connect(action.raw, "activate", false, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `key-pressed`. The handler returns whether it has handled the key completely.
        @discardableResult
        package static func connectKeyPress(
            _ controller: UnsafeMutableRawPointer,
            handler: @escaping @MainActor (_ key: UInt32, _ modifiers: GdkModifierType) -> Bool
        ) -> Signal {
            let call: @convention(c) (gpointer, guint, guint, GdkModifierType, gpointer) -> gboolean = {
                _, key, _, modifiers, context in
                MainActor.assumeIsolated {
                    Handler<(UInt32, GdkModifierType), Bool>.at(context).call((key, modifiers)) ? 1 : 0
                }
            }
            return connect(
                controller, "key-pressed", false, unsafeBitCast(call, to: GCallback.self),
                Handler<(UInt32, GdkModifierType), Bool> { handler($0.0, $0.1) })
        }

        /// Connects `scroll`. The handler returns whether it has handled the scrolling completely.
        @discardableResult
        package static func connectScroll(
            _ controller: UnsafeMutableRawPointer, handler: @escaping @MainActor (_ x: Double, _ y: Double) -> Bool
        ) -> Signal {
            let call: @convention(c) (gpointer, Double, Double, gpointer) -> gboolean = { _, x, y, context in
                MainActor.assumeIsolated { Handler<(Double, Double), Bool>.at(context).call((x, y)) ? 1 : 0 }
            }
            return connect(
                controller, "scroll", false, unsafeBitCast(call, to: GCallback.self),
                Handler<(Double, Double), Bool> { handler($0.0, $0.1) })
        }

        /// Connects a signal with a point, such as `motion`.
        @discardableResult
        package static func connectPoint(
            _ instance: UnsafeMutableRawPointer, _ name: String,
            handler: @escaping @MainActor (_ x: Double, _ y: Double) -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer, Double, Double, gpointer) -> Void = { _, x, y, context in
                MainActor.assumeIsolated { Handler<(Double, Double), Void>.at(context).call((x, y)) }
            }
            return connect(
                instance, name, false, unsafeBitCast(call, to: GCallback.self),
                Handler<(Double, Double), Void> { handler($0.0, $0.1) })
        }

        /// Connects `begin` of a gesture.
        @discardableResult
        package static func connectBegin(
            _ gesture: UnsafeMutableRawPointer, handler: @escaping @MainActor () -> Void
        ) -> Signal {
            // The second argument is the touch sequence that began, or NULL.
            let call: @convention(c) (gpointer, OpaquePointer?, gpointer) -> Void = { _, _, context in
                MainActor.assumeIsolated { Handler<Void, Void>.at(context).call(()) }
            }
            return connect(gesture, "begin", false, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `pressed` or `released` of a click. The handler receives the position, and the number of the click
        /// in a series, from 1: a double click calls it with 1 and 2.
        @discardableResult
        package static func connectPress(
            _ gesture: UnsafeMutableRawPointer, _ name: String = "pressed",
            handler: @escaping @MainActor (_ count: Int, _ x: Double, _ y: Double) -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer, gint, Double, Double, gpointer) -> Void = { _, count, x, y, context in
                MainActor.assumeIsolated {
                    Handler<(Int, Double, Double), Void>.at(context).call((Int(count), x, y))
                }
            }
            return connect(
                gesture, name, false, unsafeBitCast(call, to: GCallback.self),
                Handler<(Int, Double, Double), Void> { handler($0.0, $0.1, $0.2) })
        }

        /// Connects `scale-changed` of a zoom gesture.
        @discardableResult
        package static func connectScale(
            _ gesture: UnsafeMutableRawPointer, handler: @escaping @MainActor (_ scale: Double) -> Void
        ) -> Signal {
            let call: @convention(c) (gpointer, Double, gpointer) -> Void = { _, scale, context in
                MainActor.assumeIsolated { Handler<Double, Void>.at(context).call(scale) }
            }
            return connect(gesture, "scale-changed", false, unsafeBitCast(call, to: GCallback.self), Handler(handler))
        }

        /// Connects `drop` of a drop target. The handler returns whether it accepts the value.
        @discardableResult
        package static func connectDrop(
            _ target: OpaquePointer, handler: @escaping @MainActor (UnsafePointer<GValue>) -> Bool
        ) -> Signal {
            let call: @convention(c) (gpointer, UnsafePointer<GValue>, Double, Double, gpointer) -> gboolean = {
                _, value, _, _, context in
                // The address does not leave the main thread, on which this runs.
                nonisolated(unsafe) let value = value
                return MainActor.assumeIsolated {
                    Handler<UnsafePointer<GValue>, Bool>.at(context).call(value) ? 1 : 0
                }
            }
            return connect(target.raw, "drop", false, unsafeBitCast(call, to: GCallback.self), Handler(handler))
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
    private final class Handler<Argument, Answer> {
        let call: @MainActor (Argument) -> Answer

        init(_ call: @escaping @MainActor (Argument) -> Answer) {
            self.call = call
        }

        nonisolated static func at(_ context: UnsafeMutableRawPointer) -> Handler {
            Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        }
    }
#endif
