import CalotypeBase
import CalotypeURLs
import Foundation

// The values of variables that are more than a setting in another place.

extension ImgproxyVariables {
    static let logLevels = ["error": ["errors"], "warn": ["errors"], "info": ["all"], "debug": ["all"]]

    static func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }
}

extension ImgproxyVariables.Equal {
    /// The formats that imgproxy knows and that the server does not write.
    private static let otherFormats = Set([
        "jxl", "gif", "heic", "heif", "tiff", "bmp", "ico", "svg", "psd", "pdf", "mp4", "raw",
    ]).subtracting(RenditionFormat.allCases.map(\.rawValue))

    /// The default qualities of formats, without those of formats that the server does not write.
    static let qualities = Self(
        option: "defaults", wanted: "qualities such as jpeg=70,avif=40",
        values: { text, _ in
            let pairs = pairs(text)
            guard pairs.allSatisfy({ $0.count == 2 }) else { return nil }
            let written = pairs.filter { !otherFormats.contains($0[0]) }.joined()
            return written.isEmpty ? [] : ["fq:\(written.joined(separator: ":"))"]
        },
        leftOut: { text, _ in
            pairs(text).map { $0[0] }.filter(otherFormats.contains).map { "\($0) is left out: the server writes none" }
        })

    private static func pairs(_ text: String) -> [[String]] {
        ImgproxyVariables.list(text).map { ByteString($0).split(separator: UInt8(ascii: "=")).map(\.string) }
    }

    /// The formats of sources that are sent unchanged, without those that the server does not send so.
    static let unprocessed = Self(
        option: "defaults",
        values: { text, _ in
            let formats = ImgproxyVariables.list(text).filter { !unsent.contains($0) }
            return formats.isEmpty ? [] : ["skp:\(formats.joined(separator: ":"))"]
        },
        leftOut: { text, _ in
            ImgproxyVariables.list(text).filter(unsent.contains).map {
                "\($0) is left out: the server sends no such source unchanged"
            }
        })

    private static let unsent = otherFormats.subtracting(["gif", "svg"])

    static let presets = Self(option: "preset") { text, environment in
        ImgproxyVariables.list(text, separator: environment["IMGPROXY_PRESETS_SEPARATOR"]?.nonEmpty ?? ",")
    }

    /// Prefixes of URLs, without those that cannot apply.
    static let sources = Self(
        option: "allow-source",
        values: { _, environment in ImgproxySources(environment).permitted },
        leftOut: { _, environment in ImgproxySources(environment).leftOut })

    /// The buckets, if no prefixes name them.
    static let buckets = Self(
        option: "allow-source", wanted: "true or false",
        values: { text, environment in
            guard ImgproxyVariables.isOn(text) != nil else { return nil }
            return environment["IMGPROXY_ALLOWED_SOURCES"]?.nonEmpty == nil
                ? ImgproxySources(environment).permitted : []
        })

    /// The root, unless the prefixes permit no local sources.
    static let root = Self(
        option: "root",
        values: { text, environment in ImgproxySources.permitsFiles(environment) ? [text] : [] },
        leftOut: { text, environment in
            ImgproxySources.permitsFiles(environment)
                ? [] : ["\(text) is left out: IMGPROXY_ALLOWED_SOURCES lacks local://"]
        })
}
