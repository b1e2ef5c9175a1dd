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
                Shortcut("<Control>w <Control>q", "Close the window"),
            ]
        ),
        (
            "Images",
            [
                Shortcut("Left Right Up Down", "Select an image"),
                Shortcut("Return space", "Open the selected image"),
                Shortcut("<Control>f", "Search by name"),
                Shortcut("<Control>plus", "Larger images, in fewer columns"),
                Shortcut("<Control>minus", "Smaller images, in more columns"),
            ]
        ),
        (
            "One image",
            [
                Shortcut("Right", "Next image"),
                Shortcut("Left", "Previous image"),
                Shortcut("plus", "Enlarge"),
                Shortcut("minus", "Reduce"),
                Shortcut("0", "Fit to the window"),
                Shortcut("1", "Original size"),
                Shortcut("i F9", "Details"),
                Shortcut("<Control>c", "Copy"),
                Shortcut("<Control>s", "Save a copy"),
                Shortcut("o", "Open in another application"),
                Shortcut("Escape", "Back to the images"),
            ]
        ),
    ]
}
