#if GTK
    import CGTK4
    import CalotypeGTK

    /// The controls over the image: buttons for the neighbours, and the scale.
    @MainActor
    final class ViewerControls {
        let previous: Widget
        let next: Widget
        let scale: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        let percent: Widget = gtk_button_new()
        private let zoomOut: Widget

        init(perform: @escaping @MainActor (ViewerCommand) -> Void) {
            previous = IconButton.make("go-previous-symbolic", ViewerTexts.previous) { perform(.previous) }
            next = IconButton.make("go-next-symbolic", ViewerTexts.next) { perform(.next) }
            zoomOut = IconButton.make("zoom-out-symbolic", ViewerTexts.zoomOut) { perform(.zoomOut) }
            let zoomIn = IconButton.make("zoom-in-symbolic", ViewerTexts.zoomIn) { perform(.zoomIn) }
            Signal.connect(percent.raw, "clicked") { perform(.fit) }
            gtk_widget_set_tooltip_text(percent, ViewerTexts.fit)
            gtk_widget_set_focus_on_click(percent, 0)
            for part in [zoomOut, percent, zoomIn] { gtk_box_append(scale.box, part) }
            arrange()
        }

        private func arrange() {
            for (button, side) in [(previous, GTK_ALIGN_START), (next, GTK_ALIGN_END)] {
                gtk_widget_set_halign(button, side)
                gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
                for name in ["osd", "circular", "calotype-neighbour"] { gtk_widget_add_css_class(button, name) }
            }
            gtk_widget_set_halign(scale, GTK_ALIGN_CENTER)
            gtk_widget_set_valign(scale, GTK_ALIGN_END)
            for name in ["osd", "toolbar", "calotype-scale"] { gtk_widget_add_css_class(scale, name) }
            gtk_widget_add_css_class(percent, "numeric")
        }

        var widgets: [Widget] { [previous, next, scale] }

        /// Moves the arrows up, to the middle of the height that this many points at the bottom leave.
        func liftArrows(above height: Int) {
            for arrow in [previous, next] { gtk_widget_set_margin_bottom(arrow, gint(height)) }
        }

        /// Shows the scale, and the buttons for the neighbours that exist.
        ///
        /// - Parameters:
        ///   - zoom: The zoom, or `nil` if there is no image to zoom.
        ///   - isKnown: Whether the image's own size, and therefore the scale, is known.
        func show(_ zoom: Zoom?, isKnown: Bool, hasPrevious: Bool, hasNext: Bool) {
            let scale = isKnown ? zoom?.scale : nil
            let text = scale.map { "\(Int(($0 * 100).rounded())) %" } ?? "–"
            gtk_button_set_label(percent.cast(), text)
            gtk_widget_set_visible(self.scale, zoom == nil ? 0 : 1)
            gtk_widget_set_sensitive(zoomOut, zoom?.isFitted == false ? 1 : 0)
            gtk_widget_set_visible(previous, hasPrevious ? 1 : 0)
            gtk_widget_set_visible(next, hasNext ? 1 : 0)
        }
    }
#endif
