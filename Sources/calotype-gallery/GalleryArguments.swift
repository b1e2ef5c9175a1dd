#if GTK
    import CalotypeDemo

    /// Something that a person is told.
    struct GalleryMessage: Error, Hashable, Sendable {
        let text: String
    }

    /// The command line: an address or a folder, or nothing.
    struct GalleryArguments {
        static let help = """
            usage: calotype-gallery [ADDRESS | --photos DIR]

            Shows photos in a window: of a JSON API at ADDRESS (see 'calotype demo --serve'), or the pictures of a folder.
            Without arguments those of Debian's package mate-backgrounds.
            """

        /// As it stands in the window's text field.
        private(set) var place = PhotoFolder.standardPath + "/nature"
        private(set) var wantsHelp = false

        init(_ words: some Sequence<String>) throws(GalleryMessage) {
            var rest = Array(words)[...]
            while let word = rest.popFirst() {
                switch word {
                case "--help", "-h": wantsHelp = true
                case "--photos":
                    guard let directory = rest.popFirst() else { throw GalleryMessage(text: "--photos takes a folder") }
                    place = directory
                case _ where word.hasPrefix("-"):
                    throw GalleryMessage(text: "unknown option \(word) (see calotype-gallery --help)")
                default: place = word
                }
            }
        }
    }
#endif
