#if GTK
    import CGTK4

    /// Swift objects that live as long as a GObject.
    package enum Attachment {
        /// Attaches an object to a GObject, which releases the object when finalized. Releases any earlier object of
        /// the same name.
        package static func set(_ object: AnyObject?, named name: String, on owner: UnsafeMutableRawPointer) {
            let pointer = object.map { Unmanaged.passRetained($0).toOpaque() }
            g_object_set_data_full(owner.assumingMemoryBound(to: GObject.self), name, pointer, release)
        }

        /// Returns the object attached under the name. Does not check its type: use each name for one type.
        package static func get<Object: AnyObject>(
            _ type: Object.Type, named name: String, on owner: UnsafeMutableRawPointer
        ) -> Object? {
            guard let pointer = g_object_get_data(owner.assumingMemoryBound(to: GObject.self), name) else { return nil }
            return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
        }

        /// Releases a Swift object that `Unmanaged.passRetained` has retained for C.
        package static let release: GDestroyNotify = { pointer in
            if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        }
    }
#endif
