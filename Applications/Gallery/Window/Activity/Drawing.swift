#if GTK
    import CGTK4
    import CalotypeGTK

    /// A closure that draws a widget's contents into a Cairo context, given the width and the height of the widget.
    @MainActor
    final class Drawing {
        private let draw: @MainActor (_ cairo: OpaquePointer, _ width: Double, _ height: Double) -> Void

        private init(_ draw: @escaping @MainActor (OpaquePointer, Double, Double) -> Void) { self.draw = draw }

        /// Returns a widget that a closure draws.
        ///
        /// - Parameters:
        ///   - width: The minimum width, in points.
        ///   - height: The height, in points.
        static func make(
            width: Int, height: Int, _ draw: @escaping @MainActor (OpaquePointer, Double, Double) -> Void
        ) -> Widget {
            let widget: Widget = gtk_drawing_area_new()
            let area: UnsafeMutablePointer<GtkDrawingArea> = widget.cast()
            gtk_drawing_area_set_content_width(area, gint(width))
            gtk_drawing_area_set_content_height(area, gint(height))
            gtk_drawing_area_set_draw_func(
                area,
                { _, cairo, width, height, context in
                    // GTK draws on the main thread; the addresses do not escape.
                    nonisolated(unsafe) let (cairo, context) = (cairo, context)
                    MainActor.assumeIsolated {
                        guard let cairo, let context else { return }
                        let drawing = Unmanaged<Drawing>.fromOpaque(context).takeUnretainedValue()
                        drawing.draw(cairo, Double(width), Double(height))
                    }
                }, Unmanaged.passRetained(Drawing(draw)).toOpaque(), Attachment.release)
            return widget
        }
    }

    /// A color of the panel. The colors differ in hue and lightness, and contrast with the dark background.
    struct LoadColor {
        let red: Double
        let green: Double
        let blue: Double
        var alpha = 1.0

        static let decoding = LoadColor(red: 1, green: 1, blue: 1, alpha: 0.92)
        static let track = LoadColor(red: 1, green: 1, blue: 1, alpha: 0.16)

        func fill(_ cairo: OpaquePointer, x: Double, y: Double, width: Double, height: Double) {
            cairo_set_source_rgba(cairo, red, green, blue, alpha)
            cairo_rectangle(cairo, x, y, width, height)
            cairo_fill(cairo)
        }
    }

    extension LoadKind {
        var color: LoadColor {
            switch self {
            case .memory: LoadColor(red: 0.34, green: 0.89, blue: 0.54)
            case .disk: LoadColor(red: 0.38, green: 0.63, blue: 0.92)
            case .revalidated: LoadColor(red: 0.78, green: 0.56, blue: 0.92)
            case .network: LoadColor(red: 1, green: 0.64, blue: 0.28)
            case .failed: LoadColor(red: 0.96, green: 0.38, blue: 0.32)
            }
        }
    }
#endif
