#if GTK
    import CAdwaita
    import Calotype
    package import CalotypeGTK
    import CalotypeUI

    /// One image, above the whole window.
    @MainActor
    package final class Viewer {
        /// The layer above the window. Takes the keyboard's focus.
        package let widget: Widget
        /// The position in the model's items of the image that is shown.
        package private(set) var index: Int

        private weak var host: (any ViewerHost)?
        private let picture: RemotePicture

        package init(host: any ViewerHost, at index: Int, from frame: ViewerFrame?) {
            self.host = host
            self.index = index
            picture = RemotePicture(RemoteImageOptions(loader: host.model.loader))
            widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            gtk_widget_set_focusable(widget, 1)
            gtk_widget_add_css_class(widget, "background")
            gtk_widget_set_vexpand(picture.widget, 1)
            let bar = adw_header_bar_new()
            let back = gtk_button_new_from_icon_name("go-previous-symbolic")
            adw_header_bar_pack_start(bar?.opaque, back)
            for part in [bar, picture.widget] { gtk_box_append(widget.box, part) }
            if let back { Signal.connect(back.raw, "clicked") { [weak self] in self?.host?.closeViewer() } }
            listenToKeys()
            show(index)
        }

        private func listenToKeys() {
            guard let keys = gtk_event_controller_key_new() else { return }
            gtk_widget_add_controller(widget, keys)
            Signal.connectKeyPress(keys.raw) { [weak self] key, _ in
                guard let self else { return false }
                switch Int32(bitPattern: key) {
                case GDK_KEY_Escape: host?.closeViewer()
                case GDK_KEY_Left: show(index - 1)
                case GDK_KEY_Right: show(index + 1)
                default: return false
                }
                return true
            }
        }

        private func show(_ index: Int) {
            guard let host, host.model.items.indices.contains(index) else { return }
            let item = host.model.items[index]
            self.index = index
            let tile = host.tileRequest(at: index)
            if let tile { picture.show(tile, label: item.name) }
            host.viewerMoved(to: index)
            Task { [weak self, policy = host.model.policy] in
                guard let request = await item.largeRequest(policy: policy), let self, self.index == index else {
                    return
                }
                picture.show(request, preview: tile, label: item.name)
            }
        }
    }
#endif
