#if GTK
    import CGTK4

    /// The widget that contains the tiles. It is as high as all rows together. The controller positions the tiles.
    @MainActor
    final class GridCanvas {
        let widget: Widget
        /// Returns the height of all rows in a canvas of this width.
        var onMeasure: (@MainActor (_ width: Int) -> Int)?
        /// Called to allocate the children.
        var onAllocate: (@MainActor (_ width: Int) -> Void)?

        private static let name = "calotype-grid-canvas"

        init() {
            widget = calotype_box_new(GTK_ACCESSIBLE_ROLE_LIST)
            gtk_widget_set_layout_manager(
                widget, gtk_custom_layout_new(GridCanvas.requestMode, GridCanvas.measure, GridCanvas.allocate))
            gtk_widget_set_focusable(widget, 1)
            gtk_widget_add_css_class(widget, "calotype-canvas")
            Attachment.set(self, named: GridCanvas.name, on: widget.raw)
        }

        /// Adds a child below `last`, or above all other children if `last` is `nil`.
        func add(_ child: Widget, below last: Widget?) { gtk_widget_insert_before(child, widget, last) }

        static func place(_ child: Widget, _ frame: GridGeometry.Frame) {
            // GTK warns about children that were not measured before.
            gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, nil, nil, nil, nil)
            var place = GtkAllocation(
                x: gint(frame.x), y: gint(frame.y), width: gint(frame.width), height: gint(frame.height))
            gtk_widget_size_allocate(child, &place, -1)
        }

        // `nonisolated(unsafe)`: GTK calls these functions on the main thread, which their arguments never leave.

        private static let requestMode: GtkCustomRequestModeFunc = { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH }

        private static let measure: GtkCustomMeasureFunc = { widget, orientation, available, minimum, natural, _, _ in
            nonisolated(unsafe) let (widget, minimum, natural) = (widget, minimum, natural)
            MainActor.assumeIsolated {
                var size: gint = 0
                if orientation == GTK_ORIENTATION_VERTICAL, available > 0, let canvas = canvas(of: widget) {
                    size = gint(clamping: canvas.onMeasure?(Int(available)) ?? 0)
                }
                minimum?.pointee = size
                natural?.pointee = size
            }
        }

        private static let allocate: GtkCustomAllocateFunc = { widget, width, _, _ in
            nonisolated(unsafe) let widget = widget
            MainActor.assumeIsolated { canvas(of: widget)?.onAllocate?(Int(width)) }
        }

        private static func canvas(of widget: Widget?) -> GridCanvas? {
            widget.flatMap { Attachment.get(GridCanvas.self, named: name, on: $0.raw) }
        }
    }
#endif
