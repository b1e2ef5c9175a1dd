#if GTK
    import CGTK4

    /// Two labels over the tiles: one for the tile under the pointer, one for the tile selected with the keyboard.
    @MainActor
    final class GridCaptions {
        private struct Caption {
            let label: Widget
            var position: Int?
        }

        private let isEnabled: Bool
        /// Called when a label has to be allocated again.
        private var onChange: (@MainActor () -> Void)?
        private var hovered: Caption
        private var selected: Caption

        init(_ style: GridStyle) {
            isEnabled = style.showsCaptions
            hovered = Caption(label: GridCaptions.makeLabel(style))
            selected = Caption(label: GridCaptions.makeLabel(style))
        }

        private static func makeLabel(_ style: GridStyle) -> Widget {
            let label: Widget = gtk_label_new(nil)
            gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_MIDDLE)
            gtk_label_set_xalign(label.opaque, 0)
            gtk_widget_set_can_target(label, 0)
            gtk_widget_add_css_class(label, "calotype-caption")
            if style.cornerRadius > 0 { gtk_widget_add_css_class(label, StyleSheet.rounded(style.cornerRadius)) }
            gtk_widget_set_child_visible(label, 0)
            return label
        }

        func add(to canvas: GridCanvas) {
            onChange = { [unowned canvas] in gtk_widget_queue_allocate(canvas.widget) }
            for caption in [hovered, selected] { canvas.add(caption.label, below: nil) }
        }

        /// The lowest label: tiles are inserted below it.
        var lowest: Widget { hovered.label }

        var hoveredText: String? {
            hovered.position == nil ? nil : String(cString: gtk_label_get_text(hovered.label.opaque))
        }

        func hover(_ tile: (position: Int, text: String?)?) {
            if tile?.position != hovered.position { show(tile, &hovered) }
        }

        func select(_ tile: (position: Int, text: String?)?) { show(tile, &selected) }

        func hide() {
            hover(nil)
            select(nil)
        }

        func allocate(_ frame: (Int) -> GridGeometry.Frame?) {
            for caption in [selected, hovered] {
                // Show only one label if both belong to the same tile.
                let isDouble = caption.label == hovered.label && hovered.position == selected.position
                guard let position = caption.position, !isDouble, let tile = frame(position) else {
                    gtk_widget_set_child_visible(caption.label, 0)
                    continue
                }
                var height: gint = 0
                gtk_widget_measure(caption.label, GTK_ORIENTATION_VERTICAL, -1, nil, &height, nil, nil)
                var place = tile
                place.height = min(Int(height), tile.height)
                place.y = tile.y + tile.height - place.height
                GridCanvas.place(caption.label, place)
                gtk_widget_set_child_visible(caption.label, 1)
            }
        }

        private func show(_ tile: (position: Int, text: String?)?, _ caption: inout Caption) {
            guard isEnabled, let tile, let text = tile.text, !text.isEmpty else {
                caption.position = nil
                gtk_widget_set_child_visible(caption.label, 0)
                return
            }
            caption.position = tile.position
            gtk_label_set_text(caption.label.opaque, text)
            onChange?()
        }
    }
#endif
