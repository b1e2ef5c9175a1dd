#if GTK
    import CAdwaita
    import CalotypeGTK

    extension UnsafeMutablePointer<GtkWidget> {
        var window: UnsafeMutablePointer<GtkWindow> { cast() }
        var box: UnsafeMutablePointer<GtkBox> { cast() }

        /// The same widget as one of its classes whose structure C shows.
        func cast<Subclass>() -> UnsafeMutablePointer<Subclass> {
            UnsafeMutableRawPointer(self).assumingMemoryBound(to: Subclass.self)
        }

        func setMargins(_ size: gint) {
            for side in [
                gtk_widget_set_margin_top, gtk_widget_set_margin_bottom, gtk_widget_set_margin_start,
                gtk_widget_set_margin_end,
            ] { side(self, size) }
        }
    }
#endif
