#if GTK
    public import CGTK4

    /// A pointer to a widget, as in GTK's functions.
    public typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// Conversions of a widget's pointer. GTK's functions for a class take a pointer of that class; C casts it with a
    /// macro that Swift cannot import.
    ///
    /// ```swift
    /// gtk_window_set_child(window.window, picture.widget)
    /// gtk_button_set_label(button.cast(), "Open")
    /// gtk_label_set_text(label.opaque, "3 images")
    /// ```
    extension UnsafeMutablePointer<GtkWidget> {
        /// The same widget for functions of a class with an opaque structure, as most classes have, such as `GtkLabel`.
        public var opaque: OpaquePointer { OpaquePointer(self) }

        /// The same widget for functions of a class with a public structure, such as `GtkButton`.
        public func cast<Subclass>() -> UnsafeMutablePointer<Subclass> {
            UnsafeMutableRawPointer(self).assumingMemoryBound(to: Subclass.self)
        }

        /// The same pointer as a `GtkWindow`, for the `gtk_window_` functions.
        public var window: UnsafeMutablePointer<GtkWindow> { cast() }

        /// The same pointer as a `GtkBox`, for the `gtk_box_` functions.
        public var box: UnsafeMutablePointer<GtkBox> { cast() }

        package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }

        /// Adds or removes a CSS class.
        package func setClass(_ name: String, _ isOn: Bool) {
            if isOn { gtk_widget_add_css_class(self, name) } else { gtk_widget_remove_css_class(self, name) }
        }
    }

    extension OpaquePointer {
        /// The same pointer as a `GtkWidget`, for the `gtk_widget_` functions.
        public var widget: Widget { Widget(self) }

        package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
    }
#endif
