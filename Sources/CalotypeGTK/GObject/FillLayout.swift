#if GTK
    import CGTK4

    /// A layout in which some children fill the widget, and others are centered without affecting its size.
    @MainActor
    enum FillLayout {
        /// The parameters of a widget's layout, and the closure that it calls after each allocation.
        @MainActor
        final class Owner {
            /// The requested ratio of height to width, or `nil` to request only the minimum size.
            let ratio: Double?
            /// The minimum width and height, in points.
            var leastSide = 0
            /// The number of leading children that fill the widget.
            var fillers = 1
            var onAllocate: (@MainActor (_ width: Int, _ height: Int) -> Void)?

            init(ratio: Double?) {
                self.ratio = ratio
            }
        }

        private static let name = "calotype-fill-layout"

        static func set(_ owner: Owner, on widget: Widget) {
            Attachment.set(owner, named: name, on: widget.raw)
            gtk_widget_set_layout_manager(widget, gtk_custom_layout_new(requestMode, measure, allocate))
        }

        // `nonisolated(unsafe)`: GTK calls these functions on the main thread, which their arguments never leave.

        private static let requestMode: GtkCustomRequestModeFunc = { widget in
            nonisolated(unsafe) let widget = widget
            return MainActor.assumeIsolated {
                owner(of: widget)?.ratio == nil ? GTK_SIZE_REQUEST_CONSTANT_SIZE : GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH
            }
        }

        private static let measure: GtkCustomMeasureFunc = { widget, orientation, available, minimum, natural, _, _ in
            nonisolated(unsafe) let (widget, minimum, natural) = (widget, minimum, natural)
            MainActor.assumeIsolated {
                guard let widget else { return }
                for child in Children(of: widget) { gtk_widget_measure(child, orientation, -1, nil, nil, nil, nil) }
                let owner = owner(of: widget)
                var size = gint(clamping: owner?.leastSide ?? 0)
                if orientation == GTK_ORIENTATION_VERTICAL, let ratio = owner?.ratio {
                    size = gint(Double(available > 0 ? available : size) * ratio)
                }
                minimum?.pointee = size
                natural?.pointee = size
            }
        }

        private static let allocate: GtkCustomAllocateFunc = { widget, width, height, _ in
            nonisolated(unsafe) let widget = widget
            MainActor.assumeIsolated {
                guard let widget else { return }
                let fillers = owner(of: widget)?.fillers ?? 1
                for (index, child) in Children(of: widget).enumerated() {
                    if index < fillers {
                        gtk_widget_allocate(child, width, height, -1, nil)
                    } else {
                        center(child, width, height)
                    }
                }
                owner(of: widget)?.onAllocate?(Int(width), Int(height))
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

        private static func owner(of widget: Widget?) -> Owner? {
            widget.flatMap { Attachment.get(Owner.self, named: name, on: $0.raw) }
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
