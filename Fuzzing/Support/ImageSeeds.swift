import CalotypeCodecs
public import Foundation
import TestSupport

/// The seeds of the targets that decode images: small files of every format, made by code or by other programs.
public enum ImageSeeds {
    /// The files. Each target skips those that are not in its format.
    public static var all: [Data] {
        get throws {
            let formats: [EncodingFormat] = [
                .jpeg(quality: 30), .jpeg(quality: 95), .png, .webp(quality: 50), .webpLossless, .avif(quality: 50),
                .avif(quality: 95),
            ]
            let encoded = try Decoding.bitmaps().flatMap { bitmap in try formats.map { try bitmap.encoded(as: $0) } }
            return try encoded + WarmUpFiles.all + gif + qoi + RowFileSeeds.all + svg
                + others.compactMap { Data(base64Encoded: $0) }
                + JPEGFault.files + GainMapSeeds.all + GainMapItemSeeds.all + cameraRaws + jpegXL
        }
    }

    /// The first tile of the HEIC of four tiles, as the only image of a file.
    static var tileOfHEVC: GainMapItems.Image? {
        guard let file = Data(base64Encoded: others[1]), let configuration = file.boxContent("hvcC"),
            let tiles = file.boxContent("mdat")
        else { return nil }
        let tile = GainMapItems.box("hvcC", configuration) + GainMapItems.box("mdat", tiles.prefix(71))
        return GainMapItems.Image(tile, width: 64, height: 64)
    }

    /// A raw file of each kind, and those with other makers' notes.
    public static var cameraRaws: [Data] {
        get throws {
            let previews = try Decoding.bitmaps().suffix(2).map { try $0.encoded(as: .jpeg(quality: 30)) }
            let raw = RawFile(preview: previews[1], thumbnail: previews[0], orientation: 6)
            return RawFile.Kind.allCases.map { raw.data($0) }
                + [
                    raw.orf(note: RawFile.note("OM SYSTEM\0\0\0II\u{4}\0", previews[1])),
                    raw.orf(note: RawFile.note("OLYMP\0\u{1}\0", previews[1])),
                    raw.orf(note: RawFile.pentaxNote("AOC\0II", previews[1])),
                ]
        }
    }

    /// An image of 2 × 2 pixels in two colors, and two such frames, the second with a transparent color.
    private static var gif: [Data] {
        let header: [UInt8] = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0xFF, 0x80, 0x20, 0x10, 0x20, 0x30]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 3, 0x44, 0x02, 0x05, 0]
        let transparency: [UInt8] = [0x21, 0xF9, 4, 0x05, 10, 0, 1, 0]
        return [Data(header + frame + [0x3B]), Data(header + frame + transparency + frame + [0x3B])]
    }

    /// 9 × 2 pixels with each kind of QOI chunk for opaque pixels, and 2 × 1 pixels with alpha.
    private static var qoi: [Data] {
        let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
        let opaque: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 2, 3, 0, 0xFE, 200, 100, 50, 0x6D, 0xA5, 0x88, 0x05, 0xCD]
        let linear: [UInt8] = [0, 0, 0, 2, 0, 0, 0, 1, 4, 1, 0xFF, 9, 8, 7, 128, 0x00]
        return [opaque, linear].map { Data(Array("qoif".utf8) + $0 + end) }
    }

    /// Animations: lossless, and with parts of the canvas that build on one another; and ``inSteps``.
    private static var jpegXL: [Data] {
        get throws {
            #if JPEGXL
                var parts = JPEGXLFile(width: 9, height: 7)
                (parts.hasAlpha, parts.isAnimated) = (true, true)
                var frames = [63, 6, 6].map { count in
                    JPEGXLFile.Frame((0..<4 * count).map { UInt8(truncatingIfNeeded: 37 * $0) })
                }
                frames[0].isKept = true
                for number in 1...2 {
                    frames[number].crop = (x: Int32(number), y: 2, width: 3, height: 2)
                    (frames[number].blends, frames[number].isKept) = (true, number == 1)
                }
                return try [
                    JPEGXLFile.animation(width: 5, height: 3, colors: [0, 0x80FF, 0xFF0000]), parts.encoded(frames),
                ] + inSteps
            #else
                return []
            #endif
        }
    }

    /// A JPEG XL of two parts, in several passes, in a build with JPEG XL.
    public static var inSteps: [Data] {
        get throws {
            #if JPEGXL
                var file = JPEGXLFile(width: 300, height: 20)
                file.isProgressive = true
                let samples = (0..<18_000).map { UInt8(truncatingIfNeeded: $0 / 20 &* ($0 % 7)) }
                return try [file.encoded([JPEGXLFile.Frame(samples)])]
            #else
                return []
            #endif
        }
    }

    private static var svg: [Data] {
        let bodies = [
            "<path d='M1 1h3v.5-2zC1 2 3 4 5 6S1 2 3 4A3 4 0 01 5 6' stroke='red' stroke-dasharray='1 2'/>",
            "<g id='a' transform='scale(2) rotate(9)'><rect width='3' height='3' opacity='.5'/></g><use href='#a' x='2'/>",
            "<pattern id='p' width='2' height='2'><circle r='1'/></pattern><rect width='9' height='9' fill='url(#p)'/>",
            "<filter id='f'><feGaussianBlur stdDeviation='1'/></filter><text y='5' filter='url(#f)'>a&#98;</text>",
            "<style>.a{opacity:.5}/* b */line{stroke:#000}</style><mask id='m'><ellipse rx='3' ry='2'/></mask>"
                + "<line class='a' x2='9' y2='9' mask='url(#m)'/>",
        ]
        return bodies.map { Data("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>\($0)</svg>".utf8) }
    }

    /// In order: HEIC with transparency, and as a turned grid of four tiles, lossless JPEG XL, TGA with run lengths, PNM as text.
    private static let others = [
        """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAvxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRt\
        AAAAAAACAAAAGGlkYXQAAAAAACAAIAAAAAAAIAAgAAAAYGlsb2MBAAAAREAABAABAAAAAAAAAyAAAQAAAAAAAABKAAIAAQAAAAAAAAABAAAA\
        AAAAAAgAAwAAAAAAAANqAAEAAAAAAAAARQAEAAEAAAAAAAAAAQAAAAgAAAAIAAAAYmlpbmYAAAAAAAQAAAAVaW5mZQIAAAEAAQAAaHZjMQAA\
        AAAVaW5mZQIAAAAAAgAAZ3JpZAAAAAAVaW5mZQIAAAEAAwAAaHZjMQAAAAAVaW5mZQIAAAAABAAAZ3JpZAAAAAGxaXBycAAAAYRpcGNvAAAA\
        dmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6g\
        IIEFlurkprm4EBAwIAAAAwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAIAAAACAAAAAQcGl4\
        aQAAAAADCAgIAAAAcWh2Y0MBBAgAAAAAAAAAAAAe8AD8/Pj4AAAPAyAAAQAXQAEMAf//BAgAAAMAn/gAAAMAAB66AkAhAAEAJkIBAQQIAAAD\
        AJ/4AAADAAAewIIEFlurkprmwIAAAAMAgAAAAwCEIgABAAZEAcFzwIkAAAAUaXNwZQAAAAAAAABAAAAAQAAAABRpc3BlAAAAAAAAACAAAAAg\
        AAAADnBpeGkAAAAAAQgAAAAnYXV4QwAAAAB1cm46bXBlZzpoZXZjOjIwMTU6YXV4aWQ6MQAAAAAlaXBtYQAAAAAAAAAEAAECgQIAAgIDhAAD\
        AoUGAAQDB4iJAAAANmlyZWYAAAAAAAAADmRpbWcAAgABAAEAAAAOZGltZwAEAAEAAwAAAA5hdXhsAAQAAQACAAAAl21kYXQAAABGKAGvGYD3\
        AQW9O6ZgeBfVYhAPctHsyNUV/TjEsxEkKxXCCg4hUnVyeubd8AqD9IASza5GXSpByVRQuqic+j23CO7EyIy1qwAAAEEoAa4z4qwL57pl3WNr\
        BsmkduZuZZZvzCz2ZwONmjS/rj6GOEP3KeAEjQmniK9I2iwea674WvMtLrAnOosehJit8A==
        """,
        """
        AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAACRm1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG0AAAAAAAUAAABg\
        aWxvYwEAAABEAAAFAAEAAAAAAAEAAAJmAAAARwACAAAAAAABAAACrQAAAEEAAwAAAAAAAQAAAu4AAABIAAQAAAAAAAEAAAM2AAAAQwAFAAEAAAABAAAA\
        AAAAAAgAAAB3aWluZgAAAAAABQAAABVpbmZlAgAAAQABAABodmMxAAAAABVpbmZlAgAAAQACAABodmMxAAAAABVpbmZlAgAAAQADAABodmMxAAAAABVp\
        bmZlAgAAAQAEAABodmMxAAAAABVpbmZlAgAAAAAFAABncmlkAAAAAQRpcHJwAAAAwWlwY28AAAB4aHZjQwEDcAAAAAAAAAAAAB7wAPz9+PgAAA8DIAAB\
        ABhAAQwB//8DcAAAAwCQAAADAAADAB66AkAhAAEAK0IBAQNwAAADAJAAAAMAAAMAHqAggQWW6kkprm4EBAwIAAADAAgAAAMACEAiAAEAB0QBwXKwIkAA\
        AAAUaXNwZQAAAAAAAABAAAAAQAAAABBwaXhpAAAAAAMICAgAAAAUaXNwZQAAAAAAAAB4AAAAZAAAAAlpcm90AQAAADtpcG1hAAAAAQAAAAUAAQMAAQAC\
        AAMAAgMAAQACAAMAAwMAAQACAAMABAMAAQACAAMABQIABAAFAAAAIGlyZWYAAAAAAAAAFGRpbWcABQAEAAEAAgADAAQAAAAQaWRhdAAAAQEAeABkAAAB\
        G21kYXQAAABDKAGvWHcoHPg02aGI+BVmi1Ad1CQS85Nqg7lqzwAZoeNgpPacQGMxm1xbHOFUWmc5aWiib6UXjuZyRJBq0r6vRNl/qwAAAD0oAa9Y+Rz4\
        NNom7l1wad/r5lL3OkUyuf8MVRUp0b5S4/6EG7PH44chfI2OgJ99X4/9dO0tuMZqYtcv2veXAAAARCgBr1h3KBz4NNmhiPgVYnyQHdSbhIDoe8q7juWr\
        PABmh42Cm+uNQcfr+17f7m9DgZUpUDHTXVT0PWd0yNkfP02XrntnAAAAPygBr1j5HPg02ibuXXBmm6vmUxjOkUyukHgsVRUp0b5S4/6EG7PH44bRvI2O\
        gKFKsBF/rp2ltxjNTFrm969dsA==
        """,
        """
        /wpwMLASCAgQALwLSxIJEhg4BMEkBQWSbNd1Xdey4EpM5Ni2Xde13NqS7gDkbCEFJBbU+DBJyqhTUbAt8WCJRSV1CICqAA2fikzgAJ4QiTaA\
        TQBo1IOInEBhY0RNWo4GaJFBKR7LniHBqSuyIZUrIumYIGiabIK/RYcR6hbzU3BcNPpFAN1AgUM3B6qKmQMIlhq5z+ez57hRMpTswIIV0ACr\
        db0NHqlMrkA38sqA+MVX6hOQZxPS9LX8o6bchc8dzAwA3hAZQIAXGQKeDCnqegtAwCuK92prS/d+QDfxj9siO7h7Y0r40KTLcR3MTwDpVtW/\
        cupShwiOZeQEyBqD3tuTF9U3DrkH0eLFFJb4jb+SE9wNomVGf34EN7VbnEU3Dwf+N5dYVvGqwE8mQW9Gj3bsWB2lSoAlqKl9qLpdv0+GsuAi\
        5/4vMzqDjCsAgJAt0I+TbkkB5PfK6fqctaK2w293t3c2fn5gQK8RSxZ6gGs5ifAE9iosdj8VDJcQppKIDG82FLyHqixTiWaD8sPOKUYn5X3s\
        CJvt/1jxj1Lot/oYq2GY1KXI4I8P3CK+1YVLDCSb+cHdVBhAg5cLSYWyCbj3Tpgt+QMaJfvIPPeycfIB6/dQv4vrR1ElTPswsNGOeEFfyHQZ\
        JMoW80GCGoDISg3J+7HpCKtNXs1Jbw5u10494Sd6h8BzYAFefVHfwJwB5cyfhsTHmc/ur62omlqCuuZ+oMbOPTmMcQX7qFIgVLda5sGfiO2S\
        M1zSI581OIe2FyloFI+Cs7Nl2o7ScknUQSbAVy/b2QV/BDv746BxVljrN/1yfe7sI/sXjM8Xn3g5xP2wedX95pwVPGqtE6ZDsAy/ig3c5chJ\
        aB9aqLcEsPYaMU8X0UYjFvnePYPfexT+h6MA9/COo6i9Y2PBp+cqtC3+V/WBUv2jhc96qk9WBvb1dIFdguidfOMx7zqlRQdKVOeWwVZMsZO9\
        72JueFNAIAkywRvOIC4iL8J/egxn2PVOH6UB4p7kOIk3nQ==
        """,
        """
        AAAKAAAAAAAAAAAABQADABgAjgkIBw==
        """,
        """
        UDEKIyBjCjUgMwoxIDAgMSAwIDEgMCAxIDAgMSAwIDEgMSAxIDAgMAo=
        """,
    ]
}
