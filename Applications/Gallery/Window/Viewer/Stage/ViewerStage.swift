#if GTK
    import CGTK4
    import CalotypeGTK
    import CalotypeUI
    import Foundation

    /// The viewer's canvas, which shows one image in a given frame and clips it at the edges.
    @MainActor
    final class ViewerStage {
        let widget: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        let picture: RemotePicture

        /// - Parameter place: Returns the image's frame on a canvas; `nil` for the whole canvas, as for an error.
        init(_ options: RemoteImageOptions, place: @escaping @MainActor (CGSize) -> CGRect?) {
            // This crops only while the image moves from or to a tile: otherwise the frame has its aspect ratio.
            var style = PictureStyle(fit: .cover, sizesToPlace: false)
            // An image that fades in over its smaller copy would let the background shine through.
            style.fadesIn = false
            // While a narrow image moves to its tile, it becomes narrower than the default minimum.
            style.leastSide = 0
            picture = RemotePicture(options, style: style)
            gtk_box_append(widget.box, picture.widget)
            gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
            gtk_widget_set_hexpand(widget, 1)
            gtk_widget_set_vexpand(widget, 1)
            CustomLayout.set(on: widget) { [child = picture.widget] orientation, _ in
                gtk_widget_measure(child, orientation, -1, nil, nil, nil, nil)
                return 0
            } allocate: { [child = picture.widget] width, height in
                let canvas = CGRect(x: 0, y: 0, width: Double(width), height: Double(height))
                let frame = place(canvas.size) ?? canvas
                // The corner lies on whole points, so that an image at its own size is not blurred.
                var corner = graphene_point_t(x: Float(frame.minX.rounded()), y: Float(frame.minY.rounded()))
                gtk_widget_allocate(
                    child, max(gint(frame.width.rounded()), 1), max(gint(frame.height.rounded()), 1), -1,
                    gsk_transform_translate(nil, &corner))
            }
        }

        func placeAgain() { gtk_widget_queue_allocate(widget) }
    }
#endif
