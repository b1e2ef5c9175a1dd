#if GTK
    import CGTK4
    import Calotype
    import CalotypeBase
    import CalotypeGTK
    import Foundation

    /// A panel about the loader: the number of requests that each layer answered, the loads in flight, and a timeline.
    ///
    /// The panel lies over the photographs in a corner of the window, and starts hidden.
    @MainActor
    final class ActivityPanel {
        let widget: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 7)
        private let reference: ObjectReference
        private let loader: ImageLoader
        private let recorder: LoadRecorder
        private let sleep: @Sendable (Duration) async throws -> Void

        private(set) var counts: [LoadKind: Widget] = [:]
        let decodes = Label.make("count")
        private let shares = ShareBar()
        let underWay = Label.make("dim")
        private let memory = Label.make("dim")
        private let axis = Label.make("dim")
        private(set) var rows: [TimelineRow] = []
        private var refreshing: Task<Void, Never>?

        /// Whether the panel lies beside the viewer's arrow to the previous image, which it would cover in a low window.
        /// The default is `false`.
        var isBesideArrow = false {
            didSet { widget.setClass("calotype-beside-arrow", isBesideArrow) }
        }

        /// Returns the height of the panel, with its margins, in a window of this width.
        func height(inWidth width: gint) -> Int {
            var (natural, height): (gint, gint) = (0, 0)
            gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural, nil, nil)
            gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, min(natural, width), nil, &height, nil, nil)
            return Int(height)
        }

        static let rowCount = 12
        static let interval = Duration.milliseconds(200)

        init(_ loader: ImageLoader, _ recorder: LoadRecorder, clock: any Clock<Duration> = ContinuousClock()) {
            self.loader = loader
            self.recorder = recorder
            sleep = { try await clock.sleep(for: $0) }
            GalleryStyle.load()
            reference = ObjectReference(adopting: widget.raw)
            arrange()
        }

        deinit { refreshing?.cancel() }

        var isShown: Bool {
            get { gtk_widget_get_visible(widget) != 0 }
            set {
                guard newValue != isShown else { return }
                gtk_widget_set_visible(widget, newValue ? 1 : 0)
                refreshing?.cancel()
                refreshing = nil
                guard newValue else { return }
                refreshing = Task { [weak self, sleep] in
                    // The task does not retain the panel between two updates.
                    while !Task.isCancelled, self != nil {
                        self?.refresh()
                        guard (try? await sleep(ActivityPanel.interval)) != nil else { return }
                    }
                }
            }
        }
    }

    // MARK: Contents

    extension ActivityPanel {
        func refresh() {
            let (tally, statistics) = (recorder.tally, loader.statistics)
            for (kind, label) in counts { Label.set(label, "\(tally[kind])") }
            Label.set(decodes, "\(tally.decodes)")
            shares.show(LoadKind.allCases.map { Double(tally[$0]) })
            Label.set(
                underWay,
                ViewerTexts.underWay(
                    loads: statistics.sources, waiting: statistics.downloadQueue, decodes: statistics.codecs))
            Label.set(
                memory,
                ViewerTexts.memory(
                    statistics.memory.count, Amount.bytes(statistics.memory.cost), hitRatio: statistics.memory.hitRatio)
            )
            show(LoadTimeline(recorder.latest(ActivityPanel.rowCount)))
        }

        private func show(_ timeline: LoadTimeline) {
            Label.set(
                axis, timeline.rows.isEmpty ? ViewerTexts.nothingYet : ViewerTexts.axis(Amount.duration(timeline.span)))
            for (index, row) in rows.enumerated() {
                row.show(index < timeline.rows.count ? timeline.rows[index] : nil)
            }
        }
    }

    // MARK: Layout

    extension ActivityPanel {
        private func arrange() {
            gtk_widget_set_visible(widget, 0)
            gtk_widget_add_css_class(widget, "calotype-what-happens")
            gtk_widget_set_halign(widget, GTK_ALIGN_START)
            gtk_widget_set_valign(widget, GTK_ALIGN_END)
            // Clicks reach the photographs below.
            gtk_widget_set_can_target(widget, 0)
            calotype_set_accessible_label(widget, GalleryTexts.whatHappens)
            let heading = Label.make("heading")
            Label.set(heading, GalleryTexts.whatHappens)
            for label in [underWay, memory, axis] { gtk_label_set_wrap(label.opaque, 1) }
            for part in [heading, countGrid(), shares.widget, underWay, memory, axis] { append(part) }
            for _ in 0..<ActivityPanel.rowCount {
                let row = TimelineRow()
                rows.append(row)
                append(row.widget)
            }
        }

        private func countGrid() -> Widget {
            // Two rows, because six counts in one row are too wide for a phone.
            let grid: Widget = gtk_grid_new()
            gtk_grid_set_column_spacing(grid.cast(), 12)
            gtk_grid_set_column_homogeneous(grid.cast(), 1)
            var columns: [Widget] = []
            for kind in LoadKind.allCases {
                let count = Label.make("count")
                counts[kind] = count
                columns.append(column(count, ViewerTexts.name(of: kind), kind.color))
            }
            columns.append(column(decodes, ViewerTexts.decoded, LoadColor.decoding))
            for (index, column) in columns.enumerated() {
                gtk_grid_attach(grid.cast(), column, gint(index % 3), gint(index / 3), 1, 1)
            }
            return grid
        }

        private func column(_ count: Widget, _ name: String, _ color: LoadColor) -> Widget {
            let column: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            let caption: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 5)
            let label = Label.make("dim")
            Label.set(label, name)
            let swatch = Drawing.make(width: 9, height: 9) { color.fill($0, x: 0, y: 0, width: $1, height: $2) }
            gtk_widget_set_valign(swatch, GTK_ALIGN_CENTER)
            for part in [swatch, label] { gtk_box_append(caption.box, part) }
            for part in [count, caption] { gtk_box_append(column.box, part) }
            return column
        }

        private func append(_ part: Widget) { gtk_box_append(widget.box, part) }
    }

    @MainActor
    enum Label {
        static func make(_ style: String) -> Widget {
            let label: Widget = gtk_label_new(nil)
            gtk_label_set_xalign(label.opaque, 0)
            gtk_widget_add_css_class(label, style)
            return label
        }

        /// Sets a text if it differs: GTK would redraw the window even for an equal text.
        static func set(_ label: Widget, _ text: String) {
            if Label.text(label) != text { gtk_label_set_text(label.opaque, text) }
        }

        static func text(_ label: Widget) -> String {
            gtk_label_get_text(label.opaque).map { String(cString: $0) } ?? ""
        }
    }
#endif
