/// The keys that the window of shortcuts lists.
package enum GalleryShortcuts {
    /// Keys in GTK's notation, separated by spaces; the title of their command; and the window's action, or `nil` if
    /// GTK, the grid or the viewer handles the keys.
    package typealias Shortcut = (keys: String, title: String, action: String?)

    package static let groups: [(title: String, shortcuts: [Shortcut])] = [
        (
            "Window",
            [
                ("<Control>o", "Open a folder", "win.open-folder"),
                ("<Control>l", "Open an address", "win.open-address"),
                ("<Control>r F5", "Reload", "win.reload"),
                ("F10", "Main menu", nil),
                ("F11", "Full screen", "win.full-screen"),
                ("Escape", "Leave the full screen", "win.leave-full-screen"),
                ("F12", "What happens", "win.what-happens"),
                ("<Control>question", "Keyboard shortcuts", "win.shortcuts"),
                ("<Control>w <Control>q", "Close the window", "window.close"),
            ]
        ),
        (
            "Images",
            [
                ("Left Right Up Down", "Select an image", nil),
                ("Home End", "First and last image", nil),
                ("Page_Up Page_Down", "A page up and down", nil),
                ("Return space", "Open the selected image", nil),
                ("<Control>f", "Search by name", "win.search"),
                ("Escape", "End the search", nil),
                ("<Control>plus", "Larger images, in fewer columns", "win.larger"),
                ("<Control>minus", "Smaller images, in more columns", "win.smaller"),
            ]
        ),
        (
            "One image",
            [
                ("Right Page_Down", "Next image", nil),
                ("Left Page_Up", "Previous image", nil),
                ("Home End", "First and last image", nil),
                ("plus <Control>plus", "Enlarge", nil),
                ("minus <Control>minus", "Reduce", nil),
                ("0 <Control>0", "Fit to the window", nil),
                ("1", "Original size", nil),
                ("i F9", "Details", nil),
                ("<Control>c", "Copy", nil),
                ("<Control>s", "Save a copy", nil),
                ("o", "Open in another application", nil),
                ("Escape", "Back to the images", nil),
            ]
        ),
    ]
}
