import CalotypeBase
import Foundation

/// The places of credentials in an environment, in the order in which AWS's own tools look at them.
enum CredentialPlace: Hashable, Sendable {
    /// The variables themselves.
    case variables(SigV4.Credentials)
    /// A token in a file, for which AWS's token service has credentials.
    case webIdentity(file: String, role: ByteString, session: ByteString, service: URL)
    /// A profile in the shared files, of which later ones complete earlier ones.
    case profile(ByteString, files: [String])
    /// The URL of the credentials of a container. The token for it is a text, or the content of a file.
    case container(URL, token: ByteString?, tokenFile: String?)
    /// The metadata service of a virtual machine.
    case machine(URL)

    /// Returns the places for a bucket.
    ///
    /// - Parameter profile: The profile that the bucket names. Then only the shared files count.
    static func all(in environment: [String: String], profile: ByteString?) -> [CredentialPlace] {
        let environment = Variables(values: environment)
        let files = environment.files
        if let profile { return [.profile(profile, files: files)] }
        var places: [CredentialPlace] = []
        if let id = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] {
            let token = environment["AWS_SESSION_TOKEN"].map { ByteString($0) }
            places.append(.variables(SigV4.Credentials(id: ByteString(id), secret: ByteString(secret), token: token)))
        }
        if let place = environment.webIdentity { places.append(place) }
        places.append(.profile(ByteString(environment["AWS_PROFILE"] ?? "default"), files: files))
        if let place = environment.container { places.append(place) }
        if let place = environment.machine { places.append(place) }
        return places
    }
}

/// The variables of an environment. Empty ones count as absent.
struct Variables {
    private let values: [ByteString: String]

    init(values: [String: String]) {
        self.values = Dictionary(values.map { (ByteString($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }

    subscript(_ name: ByteString) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    var files: [String] {
        let home = self["HOME"] ?? ""
        return [
            self["AWS_SHARED_CREDENTIALS_FILE"] ?? "\(home)/.aws/credentials",
            self["AWS_CONFIG_FILE"] ?? "\(home)/.aws/config",
        ]
    }

    var webIdentity: CredentialPlace? {
        guard let file = self["AWS_WEB_IDENTITY_TOKEN_FILE"], let role = self["AWS_ROLE_ARN"] else { return nil }
        let region = self["AWS_REGION"] ?? self["AWS_DEFAULT_REGION"]
        let standard = region.map { "https://sts.\($0).amazonaws.com" } ?? "https://sts.amazonaws.com"
        guard let service = URL(string: self["AWS_ENDPOINT_URL_STS"] ?? standard) else { return nil }
        return .webIdentity(
            file: file, role: ByteString(role), session: ByteString(self["AWS_ROLE_SESSION_NAME"] ?? "calotype"),
            service: service)
    }

    var container: CredentialPlace? {
        let relative = self["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"].map { "http://169.254.170.2\($0)" }
        guard let text = relative ?? self["AWS_CONTAINER_CREDENTIALS_FULL_URI"], let url = URL(string: text) else {
            return nil
        }
        return .container(
            url, token: self["AWS_CONTAINER_AUTHORIZATION_TOKEN"].map { ByteString($0) },
            tokenFile: self["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"])
    }

    var machine: CredentialPlace? {
        guard ByteString(self["AWS_EC2_METADATA_DISABLED"] ?? "").lowercasedASCII != "true" else { return nil }
        let text = self["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "http://169.254.169.254"
        return URL(string: text).map { .machine($0) }
    }
}
