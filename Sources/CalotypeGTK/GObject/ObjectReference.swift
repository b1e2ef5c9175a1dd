#if GTK
    import CGTK4

    /// Keeps a GObject alive as long as it lives itself.
    ///
    /// GObject counts atomically. The last reference goes on the main thread, where GTK's objects have to be taken apart.
    package final class ObjectReference: Sendable {
        // Unsafe: the address never changes, and the object behind it is only used on the main thread.
        package nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

        /// Takes over a new object, whether its first reference floats or not.
        package init(adopting object: UnsafeMutableRawPointer) {
            pointer = g_object_is_floating(object) != 0 ? g_object_ref_sink(object) : object
        }

        /// Keeps an object that belongs to somebody else already.
        package init(sharing object: UnsafeMutableRawPointer) {
            pointer = g_object_ref(object)
        }

        deinit { calotype_unref_on_main(pointer) }

        package var opaque: OpaquePointer { OpaquePointer(pointer) }
    }
#endif
