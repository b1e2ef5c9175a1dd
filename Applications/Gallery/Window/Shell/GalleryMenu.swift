#if GTK
    import CAdwaita
    import CalotypeGTK

    @MainActor
    final class GalleryMenu {
        private let menu = ObjectReference(adopting: g_menu_new().raw)
        private let recent = ObjectReference(adopting: g_menu_new().raw)

        var model: UnsafeMutablePointer<GMenuModel>? { GalleryMenu.model(menu.opaque) }

        init() {
            addSection {
                g_menu_append($0, GalleryTexts.openFolder, "win.open-folder")
                g_menu_append($0, GalleryTexts.openAddress, "win.open-address")
                g_menu_append_submenu($0, GalleryTexts.recentPlaces, GalleryMenu.model(recent.opaque))
                g_menu_append($0, GalleryTexts.reload, "win.reload")
            }
            addSection {
                let columns = GallerySettings.columnRange.map { ("\($0)", "\($0)") }
                addChoice(
                    to: $0, GalleryTexts.columns, "win.columns", [(GalleryTexts.columnsAutomatic, "")] + columns)
                addChoice(
                    to: $0, GalleryTexts.groupBy, "win.group-by",
                    [
                        (GalleryTexts.groupByNothing, GalleryGrouping.nothing.rawValue),
                        (GalleryTexts.groupByFolder, GalleryGrouping.folder.rawValue),
                        (GalleryTexts.groupByDate, GalleryGrouping.date.rawValue),
                    ])
                addChoice(
                    to: $0, GalleryTexts.theme, "win.theme",
                    [
                        (GalleryTexts.themeSystem, GalleryTheme.system.rawValue),
                        (GalleryTexts.themeLight, GalleryTheme.light.rawValue),
                        (GalleryTexts.themeDark, GalleryTheme.dark.rawValue),
                    ])
            }
            addSection {
                g_menu_append($0, GalleryTexts.fullScreen, "win.full-screen")
                g_menu_append($0, GalleryTexts.whatHappens, "win.what-happens")
                g_menu_append($0, GalleryTexts.shortcuts, "win.shortcuts")
                g_menu_append($0, GalleryTexts.about, "win.about")
            }
        }

        func showRecent(_ places: [String]) {
            g_menu_remove_all(recent.opaque)
            for place in places {
                // Underscores are doubled, because a single underscore would mark a mnemonic.
                let item = g_menu_item_new(place.replacing("_", with: "__"), nil)
                g_menu_item_set_action_and_target_value(item, "win.open-place", g_variant_new_string(place))
                g_menu_append_item(recent.opaque, item)
                g_object_unref(item?.raw)
            }
        }

        private func addSection(_ fill: (OpaquePointer?) -> Void) {
            let section = g_menu_new()
            fill(section)
            g_menu_append_section(menu.opaque, nil, GalleryMenu.model(section))
            g_object_unref(section?.raw)
        }

        private func addChoice(
            to section: OpaquePointer?, _ label: String, _ action: String, _ values: [(label: String, value: String)]
        ) {
            let choice = g_menu_new()
            for value in values { g_menu_append(choice, value.label, "\(action)::\(value.value)") }
            g_menu_append_submenu(section, label, GalleryMenu.model(choice))
            g_object_unref(choice?.raw)
        }

        private static func model(_ menu: OpaquePointer?) -> UnsafeMutablePointer<GMenuModel>? {
            menu.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GMenuModel.self) }
        }
    }
#endif
