#if GTK
    import CGTK4

    /// A layout in which some children fill the widget, and others are centered without affecting its size.
    @MainActor
    final class FillLayout {
        /// The minimum width and height, in points.
        var leastSide = 0
        /// The number of leading children that fill the widget.
        var fillers = 1
        /// Called after each allocation.
        var onAllocate: (@MainActor (_ width: Int, _ height: Int) -> Void)?

        /// - Parameter ratio: The requested ratio of height to width, or `nil` to request only the minimum size.
        init(of widget: Widget, ratio: Double?) {
            CustomLayout.set(on: widget, heightFollowsWidth: ratio != nil) { [self] orientation, available in
                for child in Children(of: widget) { gtk_widget_measure(child, orientation, -1, nil, nil, nil, nil) }
                guard orientation == GTK_ORIENTATION_VERTICAL, let ratio else { return leastSide }
                return Int(Double(available > 0 ? available : leastSide) * ratio)
            } allocate: { [self] width, height in
                for (index, child) in Children(of: widget).enumerated() {
                    if index < fillers {
                        gtk_widget_allocate(child, gint(width), gint(height), -1, nil)
                    } else {
                        FillLayout.center(child, gint(width), gint(height))
                    }
                }
                onAllocate?(width, height)
            }
        }

        private static func center(_ child: Widget, _ width: gint, _ height: gint) {
            guard gtk_widget_should_layout(child) != 0 else { return }
            var (minimum, natural): (gint, gint) = (0, 0)
            var place = GtkAllocation()
            // Allocate at least the minimum; the overflow is clipped.
            gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
            place.width = max(minimum, min(natural, width))
            // Measure for that width, because a narrow text takes more lines.
            gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, place.width, &minimum, &natural, nil, nil)
            place.height = max(minimum, min(natural, height))
            place.x = (width - place.width) / 2
            // If a text is too tall, clip only its end.
            place.y = max(0, (height - place.height) / 2)
            gtk_widget_size_allocate(child, &place, -1)
        }
    }

    struct Children: Sequence, IteratorProtocol {
        private var child: Widget?

        init(of widget: Widget) {
            child = gtk_widget_get_first_child(widget)
        }

        mutating func next() -> Widget? {
            defer { child = child.flatMap { gtk_widget_get_next_sibling($0) } }
            return child
        }
    }
#endif
