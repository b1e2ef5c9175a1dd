#if GTK
    public import CGTK4

    /// A widget as GTK's functions take it.
    public typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// The classes of a widget. GTK's functions for one class take a pointer of that class; C casts it by a macro, which
    /// Swift does not see.
    ///
    /// ```swift
    /// gtk_window_set_child(window.window, picture.widget)
    /// gtk_button_set_label(button.cast(), "Open")
    /// gtk_label_set_text(label.opaque, "3 images")
    /// ```
    extension UnsafeMutablePointer<GtkWidget> {
        /// The same widget for functions of a class whose structure GTK's headers hide: most of them, such as `GtkLabel`.
        public var opaque: OpaquePointer { OpaquePointer(self) }

        /// The same widget for functions of a class whose structure GTK's headers show, such as `GtkButton`.
        public func cast<Subclass>() -> UnsafeMutablePointer<Subclass> {
            UnsafeMutableRawPointer(self).assumingMemoryBound(to: Subclass.self)
        }

        /// The same widget for functions of windows.
        public var window: UnsafeMutablePointer<GtkWindow> { cast() }

        /// The same widget for functions of boxes.
        public var box: UnsafeMutablePointer<GtkBox> { cast() }

        package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
    }

    extension OpaquePointer {
        /// The widget, for functions of all widgets.
        public var widget: Widget { Widget(self) }

        package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
    }
#endif
