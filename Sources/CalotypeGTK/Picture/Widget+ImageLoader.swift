#if GTK
    import CGTK4
    public import Calotype

    extension UnsafeMutablePointer<GtkWidget> {
        /// The loader of the remote images in this widget and below it, unless one of their own options names another.
        ///
        /// ```swift
        /// window.imageLoader = ImageLoader(options)
        /// ```
        ///
        /// If `nil` (the default), that of the nearest widget above counts, and ``ImageLoader/shared`` where none has one. A change
        /// counts for pictures and grids from when they are next mapped.
        @MainActor public var imageLoader: ImageLoader? {
            get { Attachment.get(ImageLoader.self, named: "calotype-image-loader", on: raw) }
            nonmutating set { Attachment.set(newValue, named: "calotype-image-loader", on: raw) }
        }

        /// That of the widget, or of the nearest above it that has one.
        @MainActor package var nearestImageLoader: ImageLoader {
            var widget: Widget? = self
            while let current = widget {
                if let loader = current.imageLoader { return loader }
                widget = gtk_widget_get_parent(current)
            }
            return .shared
        }
    }
#endif
