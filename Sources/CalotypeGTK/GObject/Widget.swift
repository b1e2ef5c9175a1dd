#if GTK
    public import CGTK4

    /// A widget as GTK's functions take it.
    public typealias Widget = UnsafeMutablePointer<GtkWidget>

    extension UnsafeMutablePointer<GtkWidget> {
        /// The same widget for functions of types whose structure C does not show.
        package var opaque: OpaquePointer { OpaquePointer(self) }

        package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
    }

    extension OpaquePointer {
        /// An object of a class below GtkWidget.
        package var widget: Widget { Widget(self) }

        package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
    }
#endif
