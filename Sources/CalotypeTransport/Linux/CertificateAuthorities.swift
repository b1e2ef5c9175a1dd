import CCurl
import Foundation

/// The certificates of the authorities that vouch for https servers: a file, or a folder with a file for each.
package struct CertificateAuthorities: Sendable {
    package let file: String?
    package let folder: String?

    package init(file: String?, folder: String?) { (self.file, self.folder) = (file, folder) }

    /// The places where this machine's libcurl looks.
    package static let standard: CertificateAuthorities = {
        guard let version = calotype_curl_version() else { return CertificateAuthorities(file: nil, folder: nil) }
        func text(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }
        return CertificateAuthorities(file: text(version.pointee.cainfo), folder: text(version.pointee.capath))
    }()

    /// The place that has certificates, or `nil` if neither has one.
    package var place: String? {
        if let file, FileManager.default.isReadableFile(atPath: file) { return file }
        if let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder), !names.isEmpty {
            return folder
        }
        return nil
    }

    /// The remedy if libcurl looks somewhere and finds nothing, so that every https request fails.
    package var advice: String? {
        guard place == nil, let expected = file ?? folder else { return nil }
        return "this machine has no certificate authorities (\(expected)): sudo apt-get install ca-certificates"
    }
}
