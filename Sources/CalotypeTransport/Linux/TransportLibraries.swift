import CCurl
import CZlib

/// The transport's libraries, for a diagnostic report.
package enum TransportLibraries {
    package static var versions: [(name: String, version: String)] {
        // The text is, for example, "libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …".
        let all = String(cString: curl_version()).utf8.split(separator: UInt8(ascii: " ")).prefix(2).map { part in
            let words = part.split(separator: UInt8(ascii: "/"), maxSplits: 1).map { String(Substring($0)) }
            return (words[0], words.count > 1 ? words[1] : "")
        }
        return all + [("zlib", String(cString: zlibVersion()))]
    }
}
