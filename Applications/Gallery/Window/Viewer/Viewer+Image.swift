#if GTK
    import CGTK4
    import Calotype
    import CalotypeBase
    import CalotypeCodecs
    import CalotypeGTK
    import CalotypeHTTP
    import CalotypeUI
    import Foundation

    // The image on the stage, and the size at which it is requested.

    extension Viewer {
        /// Requests the image at the size that its zoom and canvas require.
        func present() {
            guard let shown, let request = shown.request, zoom.canvas.width > 0 else { return }
            let rendition = Rendition.choose(
                zoom, deviceScale: deviceScale, current: shown.rendition, ownSize: ownSize)
            if rendition != shown.rendition {
                // The visible rendition stays until the new rendition arrives.
                let standIn = shown.rendition?.request(request) ?? shown.tile
                self.shown?.rendition = rendition
                stage.picture.show(rendition.request(request), preview: standIn, label: shown.item.name)
                take(stage.picture.state)
            }
            loadNeighbours(of: shown)
            update()
        }

        private func loadNeighbours(of shown: Shown) {
            guard case .fitted? = self.shown?.rendition, let rendition = self.shown?.rendition else { return }
            let items = model.items
            neighbours.move(to: shown.position, of: items.count) { [policy = model.policy] position in
                let item = items[position]
                let base =
                    item.findLarge == nil ? item.tileRequest(policy: policy) : await item.largeRequest(policy: policy)
                return base.map(rendition.request)
            }
        }

        func take(_ state: RemoteImageState) {
            guard shown != nil else { return }
            switch state {
            case .loading(_, let preview):
                if let preview { place(preview.bitmap) }
                shown?.isVisible = preview != nil
            case .image(let image):
                if shown?.request != nil { arrived(image) }
                place(image.bitmap)
                shown?.isVisible = true
            case .error:
                shown?.isVisible = false
            }
            stage.placeAgain()
            update()
        }

        private func arrived(_ image: LoadedImage) {
            if shown?.origin == nil { shown?.origin = image.origin }
            let bitmap = image.bitmap
            // An image smaller than the canvas in both directions has not been scaled down, so this is its own size.
            if case .fitted(let canvas)? = shown?.rendition, bitmap.width < canvas.width, bitmap.height < canvas.height
            {
                shown?.size = PixelSize(width: bitmap.width, height: bitmap.height)
            }
            if reading == nil { readFacts() }
        }

        private func place(_ bitmap: Bitmap) {
            let size = ownSize ?? PixelSize(width: bitmap.width, height: bitmap.height)
            let scale = Double(deviceScale)
            zoom.show(
                CGSize(width: Double(size.width) / scale, height: Double(size.height) / scale),
                isStandIn: ownSize == nil)
        }

        /// The image's own size in pixels, if it is known.
        var ownSize: PixelSize? { shown?.facts.size ?? shown?.size }

        var deviceScale: Int { Int(gtk_widget_get_scale_factor(stage.widget)) }
    }

    // MARK: Zoom

    extension Viewer {
        /// Changes the zoom, and requests another size of the image if necessary.
        func change(_ body: (inout Zoom) -> Void) {
            let old = zoom
            body(&zoom)
            guard zoom != old else { return }
            stage.placeAgain()
            if !zoom.isFitted, ownSize == nil { readFacts() }
            present()
        }

        /// Shows the image at one image pixel per device pixel, as soon as its size is known.
        func showActualSize(at point: CGPoint?) {
            guard ownSize == nil else { return change { $0.zoom(to: 1, at: point) } }
            shown?.actualSizePoint = point ?? CGPoint(x: zoom.canvas.width / 2, y: zoom.canvas.height / 2)
            readFacts()
        }
    }

    // MARK: Facts

    extension Viewer {
        /// Reads the file's header from the cache, and over the network only if the details or the scale need it.
        func readFacts() {
            guard let shown, shown.facts.header == nil, var request = shown.request else { return }
            let isAskedFor = details.isShown || !zoom.isFitted || shown.actualSizePoint != nil
            request.policy = isAskedFor ? .returnCacheElseLoad : .returnCacheDontLoad
            reading?.cancel()
            reading = Task { [weak self, request, loader, readers, decoders = loader.options.decoders] in
                // Do not record this load, which shows no image.
                await LoadRecorder.$isPaused.withValue(true) {
                    guard let file = try? await loader.data(for: request) else { return }
                    let facts = try? await readers.run { () throws(CodecError) in try ImageFacts.read(file, decoders) }
                    guard let facts, !Task.isCancelled else { return }
                    self?.know(facts)
                }
            }
        }

        private func know(_ facts: ImageFacts) {
            guard shown != nil else { return }
            shown?.facts = facts
            if let image = stage.picture.state.image { place(image.bitmap) }
            if let point = shown?.actualSizePoint {
                shown?.actualSizePoint = nil
                zoom.zoom(to: 1, at: point)
            }
            stage.placeAgain()
            present()
        }

        func update() {
            guard let shown else { return }
            bar.show(title: shown.item.name, subtitle: ViewerTexts.position(shown.position + 1, of: model.count))
            controls.show(
                shown.isVisible ? zoom : nil, isKnown: ownSize != nil, hasPrevious: shown.position > 0,
                hasNext: shown.position + 1 < model.items.count)
            if details.isShown { details.show(sections(shown)) }
        }

        private func sections(_ shown: Shown) -> [DetailsPanel.Section] {
            let url = shown.request?.source.url
            var file = [ImageFacts.Line(title: ViewerTexts.name, text: shown.item.name)] + shown.facts.lines
            if let url {
                let address = LocalPath(fileURL: url)?.description ?? url.withoutUserInfo.absoluteString
                file.append(ImageFacts.Line(title: ViewerTexts.address, text: address))
            }
            let account = LoadAccount(origin: shown.origin, work: url.flatMap { model.log.lastLoad(of: $0) })
            return [
                DetailsPanel.Section(title: ViewerTexts.file, lines: file),
                DetailsPanel.Section(title: ViewerTexts.loading, lines: account.lines),
            ]
        }
    }
#endif
