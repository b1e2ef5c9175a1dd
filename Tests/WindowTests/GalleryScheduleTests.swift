#if GTK
    import CAdwaita
    import Calotype
    import CalotypeTesting
    import Foundation
    import Testing

    @testable import CalotypeGTK
    @testable import CalotypeGallery

    /// Search, Escape, scrolling, opening and closing, with a check of each frame.
    @MainActor
    @Suite(.timeLimit(.minutes(60))) struct GalleryScheduleTests {
        /// The number of random schedules: 12, or the value of `CALOTYPE_SCHEDULES`.
        private nonisolated static let rounds =
            ProcessInfo.processInfo.environment["CALOTYPE_SCHEDULES"].flatMap { Int($0) } ?? 12

        private static var settings: GallerySettings {
            var settings = GallerySettings()
            settings.theme = .light
            return settings
        }

        @Test func `after a search, its end and an empty one, images that were seen are there in the first frame`()
            async throws
        {
            calotype_set_animations(1)
            defer { calotype_set_animations(0) }
            let stage = try GalleryStage(settings: GalleryScheduleTests.settings)
            stage.window.open(
                try stage.folder((0..<12).map { TileWatch.name($0) + ".png" }, color: { Palette.vivid($0) }))
            await stage.showsImages()
            let watch = TileWatch(stage)
            await stage.frames.frames { watch.isComplete }
            watch.forget()
            for search in ["red", "", "blue", "zebra", "", "1007", "10", "green", "", "zebra", "magenta", ""] {
                stage.model.search = search
                for _ in 0..<4 { await stage.frames.nextFrame() }
                #expect(watch.incomplete == [], "\(search)")
                watch.forget()
            }
            watch.stop()
            stage.close()
        }

        @Test(arguments: 0..<rounds)
        func `in any order of search, Escape, scrolling, opening and closing, each tile shows its own image`(
            seed: Int
        ) async throws {
            calotype_set_animations(1)
            defer { calotype_set_animations(0) }
            var random = SplitMix(seed: UInt64(seed))
            // In every third schedule memory holds only a few images.
            let isSmall = random.number(below: 3) == 0
            let stage = try GalleryStage(settings: GalleryScheduleTests.settings) { options in
                if isSmall { options.memory.costLimit = 2 << 20 }
            }
            let gates = Gates()
            let side = random.number(below: 2) == 0 ? 8 : 1200
            if random.number(below: 2) == 0 {
                let names = (0..<90).map { TileWatch.name($0) + ".png" }
                stage.window.open(try stage.folder(names, side: side, color: { Palette.vivid($0) }))
            } else {
                stage.serve(
                    90, side: side, name: { TileWatch.name($0) }, color: { Palette.vivid($0) }, gates: gates)
                stage.window.open(stage.origin.url("/").absoluteString)
            }
            await stage.frames.frames { stage.model.phase == .images }
            let watch = TileWatch(stage)
            for _ in 0..<24 {
                step(stage, gates, &random)
                for _ in 0..<random.number(below: 4) { await stage.frames.nextFrame() }
            }
            gates.openAll()
            stage.window.closeViewer()
            stage.window.actions.activate("show-all")
            // A busy machine takes long for all, but not for one: a frame is a sixtieth of a second or more.
            var (last, unchanged) = (-1, 0)
            await stage.frames.frames {
                let complete = watch.tiles.count(where: \.isComplete)
                unchanged = complete == last ? unchanged + 1 : 0
                last = complete
                return watch.isComplete || unchanged > 900
            }
            #expect(watch.isComplete, "\(watch.tiles.filter { !$0.isComplete }.map(\.text)) \(states(stage))")
            #expect(watch.wrong == [])
            watch.stop()
            stage.close()
        }

        private func step(_ stage: GalleryStage, _ gates: Gates, _ random: inout SplitMix) {
            let window = stage.window
            switch random.number(below: 16) {
            case 0...3:
                let words = ["red", "yellow", "green", "cyan", "blue", "magenta", "photo", "10", "7", "zebra", "zebra"]
                window.model.search = words[random.number(below: words.count)]
            case 4...6: window.actions.activate("show-all")
            case 7...9:
                guard let adjustment = stage.grid?.controller.adjustment else { return }
                let limit = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
                gtk_adjustment_set_value(adjustment, (random.unit() * max(limit, 0)).rounded())
            case 10:
                let count = window.model.items.count
                if count > 0 { window.showViewer(at: random.number(below: count)) }
            case 11: window.viewer?.perform(.next)
            case 12: window.viewer?.perform(.close)
            case 13: window.actions.activate(["larger", "smaller", "reload"][random.number(below: 3)])
            default:
                let waiting = gates.waiting
                if !waiting.isEmpty { gates[waiting[random.number(below: waiting.count)]].open() }
            }
        }

        private func states(_ stage: GalleryStage) -> [String] {
            stage.grid?.controller.visibleCells.map { "\($0.id ?? "-"): \(String(describing: $0.view.binder?.state))" }
                ?? []
        }
    }
#endif
