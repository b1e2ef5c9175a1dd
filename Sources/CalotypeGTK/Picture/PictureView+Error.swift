#if GTK
    import CGTK4
    import Calotype

    /// The view of a failure: the application's own, or the error page.
    extension PictureView {
        /// Whether a failure is visible.
        var showsError: Bool { ownErrorView != nil || errorPage?.isVisible == true }

        func showError(_ error: ImageError) {
            hideError()
            if let errorView { showOwn(errorView(error)) } else { showPage(error) }
        }

        func hideError() {
            errorPage?.hide()
            guard let view = ownErrorView else { return }
            ownErrorView = nil
            gtk_box_remove(widget.box, view)
            countFillers()
        }

        func errorViewChanged() {
            if showsError, let error = binder?.state.error { showError(error) }
        }

        /// Shows a widget that fills the view, in front of the picture.
        private func showOwn(_ view: Widget) {
            gtk_widget_add_css_class(view, "calotype-page")
            gtk_box_insert_child_after(widget.box, view, picture)
            ownErrorView = view
            countFillers()
        }

        // The page is created when it is first needed, because most cells never fail.
        private func showPage(_ error: ImageError) {
            let page = errorPage ?? ErrorPage(texts) { [weak self] in self?.retry() }
            if errorPage == nil { add(page.widget) }
            errorPage = page
            page.show(error)
            fitError()
        }

        /// Fits the error page to the view. Does nothing before the first layout, which gives the view its size.
        func fitError() {
            let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
            if width > 0, height > 0 { errorPage?.fit(width: Int(width), height: Int(height)) }
        }
    }
#endif
