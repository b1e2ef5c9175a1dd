import CalotypeBase
import CalotypeHTTP
import Foundation

/// The gallery's command line: the locations to open, or a request for help.
package struct GalleryArguments: Hashable, Sendable {
    package static let help = """
        usage: calotype-gallery [ADDRESS | FOLDER | FILE ...]

        Shows photographs in a window: those of a folder and the folders below it, one file or several, or those of a
        server with a JSON API (see 'calotype demo --serve').

        Without an argument it opens the place that was open last; the first time, the photographs of Debian's package
        mate-backgrounds.
        """

    /// The words of the command line. A path that is not UTF-8 becomes its `file:` URL, which is text.
    package static var words: [String] {
        UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().compactMap {
            guard let word = $0 else { return nil }
            return text(of: LocalPath(ByteString(bytes: UnsafeRawBufferPointer(start: word, count: strlen(word)))))
        }
    }

    static func text(of word: LocalPath) -> String { word.text ?? word.url.absoluteString }

    package private(set) var places: [String] = []
    package private(set) var wantsHelp = false

    package init(_ words: some Sequence<String>) throws(GalleryProblem) {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": wantsHelp = true
            case "--photos":
                guard let folder = rest.popFirst() else { throw GalleryProblem(.invalid, "--photos takes a folder") }
                places = [folder]
            case _ where word.hasPrefix("-"):
                throw GalleryProblem(.invalid, "unknown option \(word) (see calotype-gallery --help)")
            default: places.append(word)
            }
        }
    }
}
