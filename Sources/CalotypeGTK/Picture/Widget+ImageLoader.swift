#if GTK
    import CGTK4
    public import Calotype

    extension UnsafeMutablePointer<GtkWidget> {
        /// The loader of the remote images in this widget and below it, unless their own options set another loader.
        ///
        /// ```swift
        /// window.imageLoader = ImageLoader(options)
        /// ```
        ///
        /// If `nil` (the default), the loader of the nearest ancestor that has one, or else ``ImageLoader/shared``.
        /// Pictures and grids apply a change when they are next mapped.
        @MainActor public var imageLoader: ImageLoader? {
            get { Attachment.get(ImageLoader.self, named: "calotype-image-loader", on: raw) }
            nonmutating set { Attachment.set(newValue, named: "calotype-image-loader", on: raw) }
        }

        /// The loader of the widget, or of its nearest ancestor that has one.
        @MainActor var nearestImageLoader: ImageLoader {
            var widget: Widget? = self
            while let current = widget {
                if let loader = current.imageLoader { return loader }
                widget = gtk_widget_get_parent(current)
            }
            return .shared
        }
    }
#endif
