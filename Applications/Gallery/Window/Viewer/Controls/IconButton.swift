#if GTK
    import CGTK4
    import CalotypeGTK

    /// Buttons with an icon, and a text for tooltips and assistive technologies.
    @MainActor
    enum IconButton {
        static func make(_ icon: String, _ label: String, onClick: @escaping @MainActor () -> Void) -> Widget {
            let button: Widget = gtk_button_new_from_icon_name(icon)
            describe(button, label)
            Signal.connect(button.raw, "clicked", handler: onClick)
            return button
        }

        static func makeToggle(
            _ icon: String, _ label: String, onChange: @escaping @MainActor (Bool) -> Void
        ) -> Widget {
            let button: Widget = gtk_toggle_button_new()
            gtk_button_set_icon_name(button.cast(), icon)
            describe(button, label)
            Signal.connect(button.raw, "toggled") {
                onChange(gtk_toggle_button_get_active(button.cast()) != 0)
            }
            return button
        }

        private static func describe(_ button: Widget, _ label: String) {
            gtk_widget_set_tooltip_text(button, label)
            calotype_set_accessible_label(button, label)
            // The keyboard focus stays on the viewer, which handles the keys.
            gtk_widget_set_focus_on_click(button, 0)
        }
    }
#endif
