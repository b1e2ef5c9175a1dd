#if GTK
    import CGTK4

    /// A layout manager that calls closures to place a widget's children. The closures live as long as the widget.
    @MainActor
    package final class CustomLayout {
        package typealias Measure = @MainActor (_ orientation: GtkOrientation, _ available: Int) -> Int
        package typealias Allocate = @MainActor (_ width: Int, _ height: Int) -> Void

        private static let name = "calotype-custom-layout"
        private let measure: Measure
        private let allocate: Allocate

        private init(_ measure: @escaping Measure, _ allocate: @escaping Allocate) {
            self.measure = measure
            self.allocate = allocate
        }

        /// - Parameters:
        ///   - heightFollowsWidth: Whether the height depends on the width. The default is `false`.
        ///   - measure: Returns the minimum size in one direction, which is also the natural size, in points.
        ///     `available` is the size in the other direction, or -1 if it is unknown. The closure must measure each
        ///     child: GTK warns about a child that is allocated without having been measured.
        ///   - allocate: Allocates the children of a widget of this size, in points.
        package static func set(
            on widget: Widget, heightFollowsWidth: Bool = false, measure: @escaping Measure,
            allocate: @escaping Allocate
        ) {
            Attachment.set(CustomLayout(measure, allocate), named: name, on: widget.raw)
            let requestMode: GtkCustomRequestModeFunc? =
                heightFollowsWidth ? { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH } : nil
            gtk_widget_set_layout_manager(widget, gtk_custom_layout_new(requestMode, measureWidget, allocateWidget))
        }

        // `nonisolated(unsafe)`: GTK calls these functions on the main thread, which their arguments never leave.

        private static let measureWidget: GtkCustomMeasureFunc = {
            widget, orientation, available, minimum, natural, _, _ in
            nonisolated(unsafe) let (widget, minimum, natural) = (widget, minimum, natural)
            MainActor.assumeIsolated {
                let size = gint(clamping: layout(of: widget)?.measure(orientation, Int(available)) ?? 0)
                minimum?.pointee = size
                natural?.pointee = size
            }
        }

        private static let allocateWidget: GtkCustomAllocateFunc = { widget, width, height, _ in
            nonisolated(unsafe) let widget = widget
            MainActor.assumeIsolated { layout(of: widget)?.allocate(Int(width), Int(height)) }
        }

        private static func layout(of widget: Widget?) -> CustomLayout? {
            widget.flatMap { Attachment.get(CustomLayout.self, named: name, on: $0.raw) }
        }
    }
#endif
