import Foundation

/// All texts of the gallery, in English. A translation replaces this file.
package enum GalleryTexts {
    package static let applicationName = "Calotype"
    package static let summary = "Browse photographs on this computer and on the web."

    // Header bar and menu.
    package static let mainMenu = "Main menu"
    package static let openFolder = "Open Folder…"
    package static let openAddress = "Open Address…"
    package static let recentPlaces = "Recent"
    package static let columns = "Columns"
    package static let columnsAutomatic = "Automatic"
    package static let groupBy = "Group By"
    package static let groupByNothing = "Nothing"
    package static let groupByFolder = "Folder"
    package static let groupByDate = "Date"
    package static let theme = "Theme"
    package static let themeSystem = "Follow System"
    package static let themeLight = "Light"
    package static let themeDark = "Dark"
    package static let reload = "Reload"
    package static let whatHappens = "What Happens"
    package static let fullScreen = "Full Screen"
    package static let shortcuts = "Keyboard Shortcuts"
    package static let about = "About Calotype"
    package static let search = "Search"
    package static let searchHint = "Search by name"
    package static let images = "Images"
    package static let withoutDate = "Without a Date"

    // Pages in place of the grid.
    package static let welcome = "Open Your Photographs"
    package static let welcomeSentence = "Choose a folder or an address, or drop one here."
    package static let loading = "Looking for Images…"
    package static let empty = "No Images Here"
    package static let noMatches = "No Matches"
    package static func noMatchesSentence(_ search: String) -> String { "No image has “\(search)” in its name." }
    package static let missing = "There Is No Such Folder"
    package static let offline = "The Server Cannot Be Reached"
    package static func nobodyAnswers(at place: String) -> String { "Nothing answers at \(place)." }
    package static func noSuchHost(_ host: String) -> String {
        "No server has the name “\(host)”, or this computer is offline."
    }
    package static func answersTooLate(_ place: String) -> String { "\(place) takes too long to answer." }
    package static let offlineBar = "The server cannot be reached. These are the images that you have seen before."
    package static let failed = "This Place Cannot Be Shown"
    package static let invalid = "This Is Not a Place with Images"
    package static let tryAgain = "Try Again"
    package static let openOther = "Open Another Folder…"
    package static let showAll = "Show All Images"
    package static let details = "Details"

    // Problems.
    package static let addressMissing = "Type the address of a server, or the path of a folder."
    package static func unsupportedScheme(_ scheme: String) -> String {
        "An address starts with http:// or https://, not with \(scheme)://."
    }
    package static func noSuchPlace(_ text: String) -> String {
        "“\(text)” is neither a folder nor an address. An address starts with http://."
    }
    package static let folderMissing = "The folder has been moved or deleted."
    package static let folderEmpty = "The folder has no images in it."
    package static let subfolderUnreadable = "A folder in it cannot be read, and the others have no images."
    package static func foldersUnread(_ folders: [String]) -> String {
        let names = folders.prefix(3).map { $0.count > 60 ? "\($0.prefix(60))…" : $0 }.joined(separator: ", ")
        if folders.count == 1 { return "The folder \(names) cannot be read." }
        return "\(folders.count) folders cannot be read: \(names)\(folders.count > 3 ? ", …" : ".")"
    }
    package static let folderUnreadable = "You have no permission to read this folder."
    package static func notAnImage(_ name: String) -> String { "“\(name)” is neither a folder nor an image." }
    package static let severalPlaces = "Several images can be opened together, but only one folder or server."
    package static let folderSlow = "The folder takes too long to read."
    package static let serverEmpty = "The server has no images."
    package static let serverUnusable = "The server answered with something other than a list of images."
    package static func serverAnswered(_ status: Int) -> String {
        "The server answered with status \(status), not with a list of images."
    }
    package static let serverUnreachable = "The server cannot be reached."

    // Dialogs.
    package static let addressHeading = "Open Address"
    package static let addressBody = "The address of a server with photographs, or of one image."
    package static let addressHint = "https://example.org/photos"
    package static let cancel = "Cancel"
    package static let open = "Open"

    package static func imageCount(_ count: Int) -> String { count == 1 ? "1 image" : "\(count.formatted()) images" }
    package static func matchCount(_ count: Int, of total: Int) -> String {
        "\(count.formatted()) of \(imageCount(total))"
    }
}
