#if GTK
    import CAdwaita
    import Calotype
    package import CalotypeGTK
    package import Foundation

    /// The window: a header bar, the grid or a page that replaces it, and the viewer above both.
    @MainActor
    package final class GalleryWindow {
        package let model: GalleryModel
        package private(set) var settings: GallerySettings
        package var onClose: (@MainActor () -> Void)?

        /// The GTK window. It lives until it is closed.
        package let widget: Widget
        let actions: GalleryActions
        let header = GalleryHeader()
        let offlineBar = NoticeBar(icon: "network-offline-symbolic")
        let missingBar = NoticeBar(icon: "dialog-warning-symbolic")
        let pages: Widget = gtk_stack_new()
        private(set) var searchBar: SearchBar!  // Set in `init`, with a closure that needs this window.
        private(set) var dropTarget: DropTarget!  // Set in `init`, like the search bar.
        private(set) var gridPage: GridPage?
        private(set) var statusPage: StatusPage?
        /// The viewer, or `nil` while the grid is shown.
        package private(set) var viewer: Viewer?
        let whatHappens: ActivityPanel

        private let application: ObjectReference
        private let file: GallerySettingsFile
        private let toasts: Widget = adw_toast_overlay_new()
        private let layers: Widget = gtk_overlay_new()
        private let main: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)

        package init(_ application: ObjectReference, _ model: GalleryModel, settings file: GallerySettingsFile) {
            self.application = application
            self.model = model
            self.file = file
            settings = file.read()
            widget = adw_application_window_new(application.pointer.assumingMemoryBound(to: GtkApplication.self))
            actions = GalleryActions(window: widget)
            whatHappens = ActivityPanel(model.loader, model.log)
            model.grouping = settings.grouping
            build()
            addActions()
            addFullScreen()
            model.onChange = { [weak self] in self?.modelChanged($0) }
            // These closures retain this object for as long as GTK keeps the window.
            Signal.connectQuestion(widget.raw, "close-request") { self.closes() }
            Signal.connect(widget.raw, "destroy") { self.closed() }
            modelChanged(.items)
            gtk_window_present(widget.window)
        }

        private func build() {
            gtk_window_set_title(widget.window, GalleryTexts.applicationName)
            gtk_window_set_default_size(widget.window, gint(settings.width), gint(settings.height))
            if settings.isMaximized { gtk_window_maximize(widget.window) }
            searchBar = SearchBar(header.searchButton) { [weak self] in
                self?.model.search = $0
            } onClose: { [weak self] in
                self?.focusGrid()
            }
            searchBar.catchKeys(of: widget)
            gtk_widget_set_vexpand(pages, 1)
            let parts = [header.widget, searchBar.widget, offlineBar.widget, missingBar.widget, pages]
            for part in parts { gtk_box_append(main.box, part) }
            gtk_overlay_set_child(layers.opaque, main)
            let all: Widget = gtk_overlay_new()
            gtk_overlay_set_child(all.opaque, layers)
            // The panel also lies above the viewer.
            gtk_overlay_add_overlay(all.opaque, whatHappens.widget)
            adw_toast_overlay_set_child(toasts.opaque, all)
            adw_application_window_set_content(widget.cast(), toasts)
            dropTarget = DropTarget(on: main) { [weak self] in self?.open($0) }
            header.menu.showRecent(settings.recent)
            showTheme()
        }

        /// Opens a location by its address or path. With `nil`, only closes the viewer.
        package func open(_ place: String?) {
            if let place { open([place]) } else { closeViewer() }
        }

        /// Opens one location, or several images, by their addresses or paths.
        package func open(_ places: [String]) {
            closeViewer()
            endSearch()
            model.open(places)
            guard let text = model.place?.text else { return }
            settings.visit(text)
            header.menu.showRecent(settings.recent)
        }

        private func closes() -> Bool {
            settings.isMaximized = gtk_window_is_maximized(widget.window) != 0
            // GTK tracks the user's changes to this size, without the shadow and without the maximized size.
            var (width, height): (gint, gint) = (0, 0)
            gtk_window_get_default_size(widget.window, &width, &height)
            if width > 0, height > 0 { (settings.width, settings.height) = (Int(width), Int(height)) }
            file.write(settings)
            return false
        }

        private func closed() {
            model.onChange = nil
            whatHappens.isShown = false
            (viewer, gridPage) = (nil, nil)
            onClose?()
        }
    }

    // MARK: Changes of the model

    extension GalleryWindow {
        private func modelChanged(_ change: GalleryModel.Change) {
            offlineBar.show(model.isOffline && model.phase == .images ? GalleryTexts.offlineBar : nil)
            missingBar.show(model.phase == .images ? model.notice : nil)
            if change == .status, let problem = model.pageProblem { showToast(problem.sentence) }
            actions.setEnabled("reload", model.place != nil)
            showTitle()
            gtk_widget_set_sensitive(header.searchButton, model.phase == .images ? 1 : 0)
            viewer?.listChanged()
            switch model.phase {
            case .images where model.items.isEmpty: show(noMatches)
            case .images: showGrid(change)
            case .welcome: show(welcome)
            case .loading: show(.loading())
            case .problem(let problem): show(page(of: problem))
            }
        }

        private func showTitle() {
            let title = model.place?.title ?? GalleryTexts.applicationName
            let count =
                model.search.isEmpty
                ? GalleryTexts.imageCount(model.total)
                : GalleryTexts.matchCount(model.items.count, of: model.total)
            header.show(title: title, subtitle: model.phase == .images ? count : "")
            gtk_window_set_title(widget.window, viewer?.shown?.item.name ?? title)
        }

        private func showGrid(_ change: GalleryModel.Change) {
            if gridPage == nil { makeGrid() }
            gridPage?.show(change)
            if let gridPage { gtk_stack_set_visible_child(pages.opaque, gridPage.widget) }
            if let statusPage {
                gtk_stack_remove(pages.opaque, statusPage.widget)
                // A button of the removed page may have had the focus.
                if !searchBar.isOpen { focusGrid() }
            }
            statusPage = nil
            // A single image opens in the viewer.
            if change == .items, model.place?.kind == .image { showViewer(at: 0) }
        }

        private func focusGrid() {
            if viewer == nil, let gridPage, gtk_widget_get_mapped(gridPage.widget) != 0 { gridPage.grid.focus() }
        }

        private func makeGrid() {
            let page = GridPage(model, columns: settings.columns)
            page.onOpen = { [weak self] in self?.showViewer(at: $0) }
            page.grid.onColumnsChange = { [weak self] in self?.columnsChanged($0) }
            gtk_stack_add_named(pages.opaque, page.widget, "grid")
            gridPage = page
        }

        private func show(_ page: StatusPage) {
            gtk_stack_add_named(pages.opaque, page.widget, nil)
            gtk_stack_set_visible_child(pages.opaque, page.widget)
            if let statusPage { gtk_stack_remove(pages.opaque, statusPage.widget) }
            statusPage = page
        }

        private var welcome: StatusPage {
            StatusPage(
                icon: "image-x-generic-symbolic", title: GalleryTexts.welcome, sentence: GalleryTexts.welcomeSentence,
                actions: [.openFolder(GalleryTexts.openFolder), .openAddress])
        }

        private var noMatches: StatusPage {
            StatusPage(
                icon: "system-search-symbolic", title: GalleryTexts.noMatches,
                sentence: GalleryTexts.noMatchesSentence(model.search),
                actions: [StatusPage.Action(label: GalleryTexts.showAll, name: "win.show-all")])
        }

        private func page(of problem: GalleryProblem) -> StatusPage {
            let again = StatusPage.Action(label: GalleryTexts.tryAgain, name: "win.reload", isSuggested: true)
            let other = StatusPage.Action.openFolder(GalleryTexts.openOther)
            let (icon, title, actions) =
                switch problem.kind {
                case .invalid: ("dialog-question-symbolic", GalleryTexts.invalid, [.openAddress, other])
                case .missing: ("folder-symbolic", GalleryTexts.missing, [other])
                case .empty: ("image-x-generic-symbolic", GalleryTexts.empty, [other])
                case .unreachable: ("network-offline-symbolic", GalleryTexts.offline, [again])
                case .failed: ("dialog-warning-symbolic", GalleryTexts.failed, [again, other])
                }
            return StatusPage(
                icon: icon, title: title, sentence: problem.sentence, actions: actions, details: problem.details)
        }
    }

    extension StatusPage.Action {
        fileprivate static func openFolder(_ label: String) -> Self { Self(label: label, name: "win.open-folder") }

        fileprivate static var openAddress: Self { Self(label: GalleryTexts.openAddress, name: "win.open-address") }
    }

    // MARK: Actions

    extension GalleryWindow {
        private func addActions() {
            actions.add("open-folder") { [weak self, widget] in
                Dialogs.chooseFolder(above: widget) { self?.open($0) }
            }
            actions.add("open-address") { [weak self, widget] in
                Dialogs.askAddress(above: widget) { self?.open($0) }
            }
            actions.addTaking("open-place") { [weak self] in self?.open($0) }
            actions.add("reload") { [weak self] in self?.model.reload() }
            actions.add("search") { [weak self] in self?.searchBar.isOpen = true }
            actions.add("show-all") { [weak self] in self?.endSearch() }
            actions.addTaking("columns", choice: settings.columns.map { "\($0)" } ?? "") { [weak self] in
                self?.setColumns(Int($0))
            }
            actions.add("larger") { [weak self] in self?.addColumns(-1) }
            actions.add("smaller") { [weak self] in self?.addColumns(1) }
            actions.addTaking("group-by", choice: settings.grouping.rawValue) { [weak self] in
                if let grouping = GalleryGrouping(rawValue: $0) { self?.setGrouping(grouping) }
            }
            actions.addTaking("theme", choice: settings.theme.rawValue) { [weak self] in
                if let theme = GalleryTheme(rawValue: $0) { self?.setTheme(theme) }
            }
            actions.add("what-happens") { [weak self] in
                self?.whatHappens.isShown.toggle()
                self?.arrangePanel()
            }
            actions.add("shortcuts") { [widget] in ShortcutsWindow.show(above: widget) }
            actions.add("about") { [widget] in Dialogs.showAbout(above: widget) }
        }

        private func endSearch() {
            searchBar.text = ""
            searchBar.isOpen = false
            model.search = ""
        }

        private func addColumns(_ count: Int) {
            guard let gridPage else { return }
            let range = GallerySettings.columnRange
            setColumns(min(max(gridPage.grid.columns + count, range.lowerBound), range.upperBound))
        }

        private func setColumns(_ columns: Int?) {
            gridPage?.setColumns(columns)
            columnsChanged(columns)
        }

        private func columnsChanged(_ columns: Int?) {
            settings.columns = columns
            actions.setChoice("columns", columns.map { "\($0)" } ?? "")
        }

        private func setGrouping(_ grouping: GalleryGrouping) {
            settings.grouping = grouping
            actions.setChoice("group-by", grouping.rawValue)
            model.grouping = grouping
        }

        private func setTheme(_ theme: GalleryTheme) {
            settings.theme = theme
            actions.setChoice("theme", theme.rawValue)
            showTheme()
        }

        private func showTheme() {
            let scheme =
                switch settings.theme {
                case .system: ADW_COLOR_SCHEME_DEFAULT
                case .light: ADW_COLOR_SCHEME_FORCE_LIGHT
                case .dark: ADW_COLOR_SCHEME_FORCE_DARK
                }
            adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme)
        }
    }

    // MARK: The viewer

    extension GalleryWindow: ViewerHost {
        /// Shows one image in the viewer, which covers the window's contents.
        ///
        /// - Parameters:
        ///   - index: A position in the model's items.
        ///   - frame: The rectangle in the window from which the image opens. The default is the rectangle of the
        ///     image's tile.
        package func showViewer(at index: Int, from frame: CGRect? = nil) {
            guard viewer == nil, model.items.indices.contains(index) else { return }
            let viewer = Viewer(host: self, at: index, from: frame ?? tileFrame(at: index))
            self.viewer = viewer
            gtk_overlay_add_overlay(layers.opaque, viewer.widget)
            viewer.isFullScreen = isFullScreen
            arrangePanel()
            setMainReachable(false)
            gtk_widget_grab_focus(viewer.widget)
        }

        /// Sets whether Tab, the pointer, letters and shortcuts reach the widgets below the viewer.
        private func setMainReachable(_ isReachable: Bool) {
            gtk_widget_set_can_focus(main, isReachable ? 1 : 0)
            gtk_widget_set_can_target(main, isReachable ? 1 : 0)
            searchBar.catchKeys(of: isReachable ? widget : nil)
            for action in ["search", "larger", "smaller", "reload"] { actions.setEnabled(action, isReachable) }
        }

        /// Lays the panel beside the viewer's arrow or, in a narrow window, the arrows above the panel.
        private func arrangePanel() {
            whatHappens.isBesideArrow = viewer?.isNarrow == false
            let isBelow = whatHappens.isShown && viewer?.isNarrow == true
            let height = isBelow ? whatHappens.height(inWidth: gtk_widget_get_width(layers)) : 0
            viewer?.controls.liftArrows(above: height)
        }

        package func viewerChangedWidth() { arrangePanel() }

        package func closeViewer() {
            guard let viewer else { return }
            self.viewer = nil
            gtk_overlay_remove_overlay(layers.opaque, viewer.widget)
            arrangePanel()
            setMainReachable(true)
            showTitle()
            gridPage?.grid.focus()
        }

        package func tileFrame(at index: Int) -> CGRect? { gridPage?.frame(at: index, in: layers) }

        package func tileRequest(at index: Int) -> ImageRequest? { gridPage?.tileRequest(at: index) }

        package func viewerMoved(to index: Int) {
            gridPage?.grid.selectedPosition = index
            gtk_window_set_title(widget.window, model.items[index].name)
        }

        package func showToast(_ text: String) {
            adw_toast_overlay_add_toast(toasts.opaque, adw_toast_new(text))
        }
    }
#endif
