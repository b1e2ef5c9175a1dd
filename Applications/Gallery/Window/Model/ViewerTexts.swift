import Calotype
import CalotypeBase
import CalotypeHTTP
import Foundation

/// All texts of the viewer and the panel "What Happens", in English. A translation replaces this file.
enum ViewerTexts {
    static let back = "Back to the photos"
    static let previous = "Previous photo"
    static let next = "Next photo"
    static let zoomIn = "Enlarge"
    static let zoomOut = "Reduce"
    static let fit = "Fit to the window"
    static let details = "Details"
    static let more = "More"
    static let copy = "Copy"
    static let save = "Save a copy"
    static let openWith = "Open in another application"
    static let canvas = "Photo"

    static let file = "File"
    static let name = "Name"
    static let address = "Address"
    static let format = "Format"
    static let size = "Size"
    static let fileSize = "File size"
    static let profile = "Color profile"
    static let noProfile = "None, taken as sRGB"
    static let depth = "Depth"
    static let animation = "Animation"
    static let transparency = "Transparency"
    static let progressive = "progressive"
    static let yes = "Yes"
    static let loading = "How it was loaded"
    static let source = "Shown from"
    static let firstLoaded = "Loaded from"
    static let total = "Time"
    static let download = "Reading"
    static let decode = "Decoding"
    static let notLoaded = "Not loaded yet"

    static let copied = "The photo is in the clipboard."
    static let notCopied = "The photo could not be copied."
    static let notSaved = "The photo could not be saved."
    static let notOpened = "No application could open the photo."

    static let nothingYet = "Nothing has been loaded yet."

    static func saved(_ name: String) -> String { "Saved as “\(name)”." }
    static func position(_ position: Int, of count: Int) -> String { "\(position.formatted()) of \(count.formatted())" }
    static func bits(_ count: Int) -> String { "\(count) bits a channel" }
    static func frames(_ count: Int, _ duration: String) -> String { "\(count) frames, \(duration)" }

    /// Returns the layer that an image came from, in words for people.
    static func name(of origin: ImageResponse.Origin?) -> String {
        switch origin {
        case nil: "Failed"
        case .memory: "Memory"
        case .disk: "Disk"
        case .revalidated: "Disk, confirmed by the server"
        case .stale: "Disk, not confirmed"
        case .network: "Network"
        default: "A file"
        }
    }

    static func name(of kind: LoadKind) -> String {
        switch kind {
        case .memory: "memory"
        case .disk: "disk"
        case .revalidated: "revalidated"
        case .network: "network"
        case .failed: "failed"
        }
    }

    /// Returns the last two parts of the path: the last part of a server's addresses may be the same for all images, as
    /// in "17/medium".
    static func name(of url: URL) -> String {
        let parts = LocalPath(fileURL: url).map { [$0.folder.name.displayed, $0.name.displayed] } ?? url.pathComponents
        let names = parts.filter { !$0.isEmpty && $0 != "/" }.suffix(2)
        return names.isEmpty ? url.host() ?? url.absoluteString : names.joined(separator: "/")
    }

    static let decoded = "decoded"

    static func underWay(loads: Int, waiting: Int, decodes: Int) -> String {
        if loads + waiting + decodes == 0 { return "At rest" }
        return "\(loads) loading  ·  \(waiting) waiting  ·  \(decodes) decoding"
    }

    static func memory(_ images: Int, _ bytes: String, hitRatio: Double) -> String {
        "Memory holds \(images) images, \(bytes); \(Int((hitRatio * 100).rounded())) % hits"
    }

    static func axis(_ span: String) -> String { "The latest requests, over \(span)" }
}
