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

        init() {
            widget = calotype_box_new(GTK_ACCESSIBLE_ROLE_LIST)
            gtk_widget_set_focusable(widget, 1)
            gtk_widget_add_css_class(widget, "calotype-canvas")
            CustomLayout.set(on: widget, heightFollowsWidth: true) { [self] orientation, available in
                guard orientation == GTK_ORIENTATION_VERTICAL, available > 0 else { return 0 }
                return onMeasure?(available) ?? 0
            } allocate: { [self] width, _ in
                onAllocate?(width)
            }
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
    }
#endif
