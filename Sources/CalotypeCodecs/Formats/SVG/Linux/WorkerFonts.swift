#if SVG
    import CRsvg

    /// The fonts of a worker: for `sans-serif`, `serif` and `monospace` a regular, a bold and an italic face.
    ///
    /// These are at most nine faces. cairo keeps ten open and closes any of them to open another, which a worker that
    /// has dropped its privileges could not open again.
    enum WorkerFonts {
        /// Restricts fontconfig to the system's rules and these faces, so that every text is drawn with one of them.
        ///
        /// Must run before pango's first use of fontconfig, because pango copies the list of fonts. Keeps the system's
        /// configuration if there are no fonts, or none of them can be selected.
        static func select() {
            guard let system = FcInitLoadConfigAndFonts() else { return }
            defer { FcConfigDestroy(system) }
            let faces = faces(of: system)
            guard let own = FcConfigCreate() else { return }
            defer { FcConfigDestroy(own) }
            guard FcConfigParseAndLoad(own, nil, FcBool(FcTrue)) != 0,
                FcConfigParseAndLoadFromMemory(own, selection(of: faces), FcBool(FcFalse)) != 0,
                // The files cannot be examined again after the lock.
                FcConfigSetRescanInterval(own, 0) != 0, FcConfigBuildFonts(own) != 0,
                let selected = FcConfigGetFonts(own, FcSetSystem), selected.pointee.nfont > 0
            else { return }
            FcConfigSetCurrent(own)
        }

        private struct Face: Hashable {
            let file: String
            /// The number of the face in its file, with the number of a variable font's instance.
            let index: Int32
        }

        private static let families = ["sans-serif", "serif", "monospace"]
        private static let styles = [
            (FC_WEIGHT_REGULAR, FC_SLANT_ROMAN), (FC_WEIGHT_BOLD, FC_SLANT_ROMAN), (FC_WEIGHT_REGULAR, FC_SLANT_ITALIC),
        ]

        /// Returns the faces with which pango draws the families and styles.
        private static func faces(of config: OpaquePointer) -> Set<Face> {
            guard let fonts = outlines(of: config) else { return [] }
            defer { FcFontSetDestroy(fonts) }
            return Set(families.flatMap { family in styles.compactMap { face(family, $0, config, fonts) } })
        }

        /// Returns the fonts that pango can draw. It ignores bitmaps and Type 1, which fontconfig may prefer.
        private static func outlines(of config: OpaquePointer) -> UnsafeMutablePointer<FcFontSet>? {
            guard let all = FcConfigGetFonts(config, FcSetSystem), let fonts = FcFontSetCreate() else { return nil }
            for font in UnsafeBufferPointer(start: all.pointee.fonts, count: Int(all.pointee.nfont)) {
                var format: UnsafeMutablePointer<FcChar8>?
                guard FcPatternGetString(font, FC_FONTFORMAT, 0, &format) == FcResultMatch, let format,
                    ["TrueType", "CFF"].contains(String(cString: format))
                else { continue }
                FcPatternReference(font)
                FcFontSetAdd(fonts, font)
            }
            return fonts
        }

        private static func face(
            _ family: String, _ style: (weight: Int32, slant: Int32), _ config: OpaquePointer,
            _ fonts: UnsafeMutablePointer<FcFontSet>
        ) -> Face? {
            guard let pattern = FcPatternCreate() else { return nil }
            defer { FcPatternDestroy(pattern) }
            FcPatternAddString(pattern, FC_FAMILY, family)
            FcPatternAddInteger(pattern, FC_WEIGHT, style.weight)
            FcPatternAddInteger(pattern, FC_SLANT, style.slant)
            FcConfigSubstitute(config, pattern, FcMatchPattern)
            FcDefaultSubstitute(pattern)
            var (sets, result): (UnsafeMutablePointer<FcFontSet>?, FcResult) = (fonts, FcResultMatch)
            guard let match = FcFontSetMatch(config, &sets, 1, pattern, &result) else { return nil }
            defer { FcPatternDestroy(match) }
            var (file, index): (UnsafeMutablePointer<FcChar8>?, Int32) = (nil, 0)
            guard FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch, let file,
                FcPatternGetInteger(match, FC_INDEX, 0, &index) == FcResultMatch
            else { return nil }
            return Face(file: String(cString: file), index: index)
        }

        /// Returns rules that reject all fonts but these: an empty pattern matches each.
        private static func selection(of faces: Set<Face>) -> String {
            let accepted = faces.map { face in
                let file = face.file.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                return "<pattern><patelt name='file'><string>\(file)</string></patelt>"
                    + "<patelt name='index'><int>\(face.index)</int></patelt></pattern>"
            }
            return "<fontconfig><selectfont><rejectfont><pattern/></rejectfont><acceptfont>"
                + accepted.joined() + "</acceptfont></selectfont></fontconfig>"
        }
    }
#else
    /// Without SVG, no decoder draws text.
    enum WorkerFonts {
        static func select() {}
    }
#endif
