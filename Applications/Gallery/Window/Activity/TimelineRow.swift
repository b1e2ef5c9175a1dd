#if GTK
    import CGTK4
    import Calotype
    import CalotypeGTK
    import Foundation

    /// One request of the timeline: the end of its image's path, its bar, and the layer that supplied the image.
    @MainActor
    final class TimelineRow {
        let widget: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 10)
        let name = Label.make("calotype-timeline-name")
        let answer = Label.make("dim")
        private lazy var bar = Drawing.make(width: 64, height: 9) { [weak self] in self?.draw($0, $1, $2) }
        private var row: LoadTimeline.Row?

        init() {
            // Images differ in the end of their paths.
            gtk_label_set_ellipsize(name.opaque, PANGO_ELLIPSIZE_START)
            gtk_label_set_width_chars(name.opaque, 14)
            gtk_label_set_max_width_chars(name.opaque, 14)
            gtk_label_set_width_chars(answer.opaque, 16)
            gtk_widget_set_valign(bar, GTK_ALIGN_CENTER)
            for part in [name, bar, answer] { gtk_box_append(widget.box, part) }
        }

        func show(_ row: LoadTimeline.Row?) {
            gtk_widget_set_opacity(widget, row == nil ? 0 : 1)
            guard let row, row.id != self.row?.id || row.bar != self.row?.bar else { return }
            self.row = row
            Label.set(name, row.entry.metrics.url.map { ViewerTexts.name(of: $0) } ?? "–")
            Label.set(answer, "\(ViewerTexts.name(of: row.entry.kind)), \(Amount.duration(row.entry.duration))")
            gtk_widget_queue_draw(bar)
        }

        private func draw(_ cairo: OpaquePointer, _ width: Double, _ height: Double) {
            LoadColor.track.fill(cairo, x: 0, y: height / 2 - 0.5, width: width, height: 1)
            guard let row else { return }
            let bar = row.bar
            // A request that took no measurable time gets a visible bar, too.
            let least = 3.0
            let start = min(bar.start * width, width - least)
            let loading = bar.loading * width
            let decoding = bar.decoding * width
            row.entry.kind.color.fill(
                cairo, x: start, y: 0, width: max(loading, decoding < least ? least : 0), height: height)
            if decoding > 0 {
                LoadColor.decoding.fill(cairo, x: start + loading, y: 0, width: max(decoding, 1), height: height)
            }
        }
    }

    /// A bar that shows the share of each kind among all requests.
    @MainActor
    final class ShareBar {
        private(set) lazy var widget = Drawing.make(width: 200, height: 7) { [weak self] in self?.draw($0, $1, $2) }
        private var shares: [Double] = []

        func show(_ shares: [Double]) {
            guard shares != self.shares else { return }
            self.shares = shares
            gtk_widget_queue_draw(widget)
        }

        private func draw(_ cairo: OpaquePointer, _ width: Double, _ height: Double) {
            LoadColor.track.fill(cairo, x: 0, y: 0, width: width, height: height)
            let total = shares.reduce(0, +)
            guard total > 0 else { return }
            var x = 0.0
            for (kind, share) in zip(LoadKind.allCases, shares) {
                kind.color.fill(cairo, x: x, y: 0, width: width * share / total, height: height)
                x += width * share / total
            }
        }
    }
#endif
