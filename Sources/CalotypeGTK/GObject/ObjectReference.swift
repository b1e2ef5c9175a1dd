#if GTK
    import CGTK4

    /// A strong reference to a GObject.
    ///
    /// Any thread may hold this reference, because GObject counts references atomically. It is released on the main
    /// thread, as GTK requires.
    package final class ObjectReference: Sendable {
        // `nonisolated(unsafe)`, because the address never changes, and only the main thread uses the object.
        package nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

        /// Takes ownership of a new object, whether or not its first reference is floating.
        package init(adopting object: UnsafeMutableRawPointer) {
            pointer = g_object_is_floating(object) != 0 ? g_object_ref_sink(object) : object
        }

        /// Retains an object that has another owner.
        package init(sharing object: UnsafeMutableRawPointer) {
            pointer = g_object_ref(object)
        }

        deinit { calotype_unref_on_main(pointer) }

        package var opaque: OpaquePointer { OpaquePointer(pointer) }
    }
#endif
