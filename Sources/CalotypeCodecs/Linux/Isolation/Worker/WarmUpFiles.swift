package import Foundation

/// Small files of each format, decoded before the worker drops its privileges, so that libraries load their modules,
/// start their threads, and read their fonts and tables while they still can.
package enum WarmUpFiles {
    static func decodeAll(_ decoders: [StandardDecoder]) {
        #if SVG
            HeldEncodings.open()
        #endif
        let registry = DecoderRegistry(decoders.map(\.decoder))
        for file in all {
            _ = try? registry.decode(file, target: ResizeTarget(width: 5))
            _ = registry.colors(of: file)
        }
    }

    package static var all: [Data] {
        base64.compactMap { Data(base64Encoded: $0) } + drawings.map { Data($0.utf8) }
    }

    /// Three SVG files. The first contains a filter, text in the usual fonts and embedded images. The others are in
    /// encodings for which the C library loads a module, as in ``HeldEncodings``.
    private static var drawings: [String] {
        let faces = ["sans-serif", "serif", "monospace"].flatMap { family in
            ["", "font-weight='bold'", "font-style='italic'"].map { style in
                "<text y='9' font-family='\(family)' \(style)>Aaé</text>"
            }
        }
        let filter =
            "<filter id='f'><feGaussianBlur stdDeviation='1'/></filter><rect width='9' height='9' filter='url(#f)'/>"
        let image = "<image width='9' height='9' href='data:image/FORMAT;base64,DATA'/>"
        let images = zip(["jpeg", "png", "gif"], [base64[0], base64[1], base64[4]]).map { format, data in
            image.replacing("FORMAT", with: format).replacing("DATA", with: data)
        }
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'>"
        return [svg + filter + faces.joined() + images.joined() + "</svg>"]
            + ["windows-1252", "iso-8859-15"].map { "<?xml version='1.0' encoding='\($0)'?>\(svg)</svg>" }
    }

    /// The files in this order: JPEG, PNG, WebP, AVIF, GIF, QOI, HEIC, JPEG XL, BMP, ICO, TIFF, TGA, PNM.
    private static let base64 = [
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/4gJcSUNDX1BST0ZJTEUAAQEAAAJMbGNtcwRAAABtbnRyUkdCIFhZWiAH0AABAAEAAAAAAABhY3NwQVBQTAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA9tYAAQAAAADTLWxjbXMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAtkZXNjAAABCAAAADZjcHJ0AAABQAAAAEx3dHB0AAABjAAAABRjaGFkAAABoAAAACxyWFlaAAABzAAAABRiWFlaAAAB4AAAABRnWFlaAAAB9AAA\
        ABRyVFJDAAACCAAAACBnVFJDAAACCAAAACBiVFJDAAACCAAAACBjaHJtAAACKAAAACRtbHVjAAAAAAAAAAEAAAAMZW5VUwAAABoAAAAcAHMAUgBH\
        AEIAIABiAHUAaQBsAHQALQBpAG4AAG1sdWMAAAAAAAAAAQAAAAxlblVTAAAAMAAAABwATgBvACAAYwBvAHAAeQByAGkAZwBoAHQALAAgAHUAcwBl\
        ACAAZgByAGUAZQBsAHlYWVogAAAAAAAA9tYAAQAAAADTLXNmMzIAAAAAAAEMQgAABd7///MlAAAHkwAA/ZD///uh///9ogAAA9wAAMBuWFlaIAAA\
        AAAAAG+gAAA49QAAA5BYWVogAAAAAAAAJJ8AAA+EAAC2w1hZWiAAAAAAAABilwAAt4cAABjZcGFyYQAAAAAAAwAAAAJmZgAA8qcAAA1ZAAAT0AAA\
        CltjaHJtAAAAAAADAAAAAKPXAABUewAATM0AAJmaAAAmZgAAD1z/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsj\
        HBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo\
        KCgoKCgoKCj/wAARCAAIAAgDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID\
        AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4\
        eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEB\
        AQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYk\
        NOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3\
        uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDSuvAX2vxTfz+VnzJi2cUUUV42MzXExqNKR25BnWLj\
        heVS2bP/2Q==
        """,
        """
        iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAAXNSR0IArs4c6QAAAGJJREFUeJx9zksOgjAABNBHWwMar2Bad9yGpfEynBoTf4gb\
        XBjESWb3JpkqbvtTK5yzusvTfcymWPBpUvBCxIjKV5IDAhKeFkmO82qDxy9QZlDj9g80uK6BgB0uax9gj2EJ3umlD3FLUwvUAAAAAElFTkSuQmCC
        """,
        """
        UklGRoQAAABXRUJQVlA4WAoAAAAQAAAABwAABwAAQUxQSBoAAAABH0CogRk81PM3ERF7A7Fg4u8zv84UIvofOlZQOCBEAAAA0AEAnQEqCAAIAAFA\
        JiWwAnQA9DGSMoAA/voMncF8MaNXO6pDnUdip8wfeH+O8vud//9o/YMmv/3xfc0j//bH/RKIAAA=
        """,
        """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAGNbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYA\
        AAAADnBpdG0AAAAAAAEAAAAsaWxvYwAAAABEAAACAAEAAAABAAAB1QAAACYAAgAAAAEAAAG1AAAAIAAAAEJpaW5mAAAAAAACAAAAGmluZmUCAAAA\
        AAEAAGF2MDFDb2xvcgAAAAAaaW5mZQIAAAAAAgAAYXYwMUFscGhhAAAAABppcmVmAAAAAAAAAA5hdXhsAAIAAQABAAAAw2lwcnAAAACdaXBjbwAA\
        ABRpc3BlAAAAAAAAAAgAAAAIAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAABAA0ABoAAAAAOcGl4aQAAAAABCAAAAAxh\
        djFDgQAcAAAAADhhdXhDAAAAAHVybjptcGVnOm1wZWdCOmNpY3A6c3lzdGVtczphdXhpbGlhcnk6YWxwaGEAAAAAHmlwbWEAAAAAAAAAAgABBAEC\
        gwQAAgQBBYYHAAAATm1kYXQSAAoFGAi/YVAyFRGAAAEAAzqMdPjkNMmR722QMFgI+BIACggYCL9ggIaDQjIYFkAGGGGEADz2FRYpH+D+ZDdm7Zqr\
        B8LA
        """,
        "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==",
        "cW9pZgAAAAIAAAABBAH/CQgHgAAAAAAAAAAAAQ==",
        """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAA\
        AAACAAAAEGlkYXQAAAAAACAAIAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAARgACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYA\
        AAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe\
        8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAAD\
        ACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAIAAAACAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAA\
        AgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAE5tZGF0AAAAQigBrxmA9wEFvRgeF6TmwiGFdjdq30RY3LCTXsTgL2YJE49n\
        f4/mQx84RR/TDVbtTd55EwCmZyHkkHsBdqPQMWKEjA==
        """,
        """
        /wpwsAEAEggBAKQBXeUSAAAVKqOMG7yc6/nyQ4fFtI3rDG21bWFJosg4NkkncEgSaYh2Xl/NMGDM90yvdCoo0gF44IIKKXCAwbvjxSOGbGMYIq9W\
        llgAgvO7pjHElAgUdpEuce6yL0aPk6mFLm7WAUjRA2sB
        """,
        """
        Qk1mAAAAAAAAADYAAAAoAAAABQAAAAMAAAABABgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAECAwQFBgcICQoLDA0OAA8QERITFBUWFxgZGhsc\
        HQAeHyAhIiMkJSYnKCkqKywA
        """,
        """
        AAABAAEABQMAAAEAGABkAAAAFgAAACgAAAAFAAAABgAAAAEAGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQIDBAUGBwgJCgsMDQ4ADxAREhMU\
        FRYXGBkaGxwdAB4fICEiIyQlJicoKSorLAAAAAAAAAAAAAAAAAA=
        """,
        """
        SUkqADUAAAAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywKAAABBAABAAAABQAAAAEBBAABAAAAAwAAAAIBAwAD\
        AAAAswAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAABAAAACAAAABIBAwABAAAABgAAABUBAwABAAAAAwAAABYBBAABAAAAAwAAABcBBAAB\
        AAAALQAAAAAAAAAIAAgACAA=
        """,
        "AAACAAAAAAAAAAAABQADABggAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKiss",
        "UDYKNSAzCjI1NQoAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKyw=",
    ]
}
