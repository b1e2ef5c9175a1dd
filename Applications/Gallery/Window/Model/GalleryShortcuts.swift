/// The keys that the window of shortcuts lists.
package enum GalleryShortcuts {
    /// The keys in GTK's notation, separated by spaces, and their action.
    package struct Shortcut: Hashable, Sendable {
        package let keys: String
        package let title: String

        init(_ keys: String, _ title: String) {
            (self.keys, self.title) = (keys, title)
        }
    }

    package static let groups: [(title: String, shortcuts: [Shortcut])] = [
        (
            "Window",
            [
                Shortcut("<Control>o", "Open a folder"),
                Shortcut("<Control>l", "Open an address"),
                Shortcut("<Control>r F5", "Reload"),
                Shortcut("F11", "Full screen"),
                Shortcut("F12", "What happens"),
                Shortcut("<Control>question", "Keyboard shortcuts"),
                Shortcut("<Control>w", "Close the window"),
            ]
        ),
        (
            "Photos",
            [
                Shortcut("Left Right Up Down", "Select a photo"),
                Shortcut("Return space", "Open the selected photo"),
                Shortcut("<Control>f", "Search by name"),
                Shortcut("<Control>plus", "Larger photos, in fewer columns"),
                Shortcut("<Control>minus", "Smaller photos, in more columns"),
            ]
        ),
        (
            "One photo",
            [
                Shortcut("Right", "Next photo"),
                Shortcut("Left", "Previous photo"),
                Shortcut("plus", "Enlarge"),
                Shortcut("minus", "Reduce"),
                Shortcut("0", "Fit to the window"),
                Shortcut("1", "Original size"),
                Shortcut("i F9", "Details"),
                Shortcut("<Control>c", "Copy"),
                Shortcut("<Control>s", "Save a copy"),
                Shortcut("o", "Open in another application"),
                Shortcut("Escape", "Back to the photos"),
            ]
        ),
    ]
}
