import CalotypeBase
import CalotypeHTTP
import Foundation

/// Credentials and their end, in seconds since 1970; `nil` for permanent ones.
struct TimedCredentials: Hashable, Sendable {
    let credentials: SigV4.Credentials
    let end: Double?
}

/// The reason why a place gave no credentials. It contains no secret.
struct CredentialError: Error, Hashable, CustomStringConvertible {
    let description: String
}

/// Reads the credentials of a place: from a file, or by requests.
struct CredentialReader: Sendable {
    let transport: any Transport

    private static let limit = 64 << 10
    private static let timeouts = HTTPRequest.Timeouts(connect: .seconds(2), idle: .seconds(5), total: .seconds(5))

    /// Returns the credentials, or `nil` if the place has none, so that the next one is asked.
    func credentials(at place: CredentialPlace) async throws(CredentialError) -> TimedCredentials? {
        switch place {
        case .variables(let credentials): return TimedCredentials(credentials: credentials, end: nil)
        case .profile(let name, let files): return Self.credentials(of: name, in: files)
        case .webIdentity(let file, let role, let session, let service):
            return try await webIdentity(Self.secret(in: file), role, session: session, at: service)
        case .container(let url, let token, let file):
            var fields: HTTPFields = ["Accept": "application/json"]
            if let token {
                fields["Authorization"] = token
            } else if let file {
                fields["Authorization"] = try Self.secret(in: file)
            }
            return try StoredCredentials(json: await body(of: HTTPRequest(url, fields: fields))).timed
        case .machine(let url): return try await machine(url)
        }
    }

    // MARK: Files

    private static func credentials(of profile: ByteString, in files: [String]) -> TimedCredentials? {
        for path in files {
            guard let text = content(of: path) else { continue }
            if let found = CredentialsFile(ByteString(bytes: text)).credentials(of: profile) {
                return TimedCredentials(credentials: found, end: nil)
            }
        }
        return nil
    }

    private static func secret(in path: String) throws(CredentialError) -> ByteString {
        guard let text = content(of: path), !text.isEmpty else {
            throw CredentialError(description: "the token in \(path) cannot be read")
        }
        return ByteString(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Returns the bytes of a file, or `nil` if it cannot be read or has more than 64 KiB.
    private static func content(of path: String) -> Data? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let text = try? file.read(upToCount: limit + 1), text.count <= limit else { return nil }
        return text
    }

    // MARK: Requests

    private func webIdentity(
        _ token: ByteString, _ role: ByteString, session: ByteString, at service: URL
    ) async throws(CredentialError) -> TimedCredentials? {
        let values: [(ByteString, ByteString)] = [
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
            ("RoleSessionName", session), ("WebIdentityToken", token),
        ]
        let form = values.map { name, value in "\(name)=\(value.percentEncoded { $0.isUnreserved })" as ByteString }
        let request = HTTPRequest(
            service, method: .post, fields: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Data(form.joined(separator: "&").bytes))
        return try StoredCredentials(xml: await body(of: request)).timed
    }

    /// Asks the metadata service (IMDSv2): for a token, for the name of the role, and for its credentials.
    private func machine(_ service: URL) async throws(CredentialError) -> TimedCredentials? {
        let lifetime: HTTPFields = ["X-aws-ec2-metadata-token-ttl-seconds": "21600"]
        let put = HTTPRequest(
            service.appending(path: "latest/api/token"), method: .put, fields: lifetime,
            body: Data())
        // A machine elsewhere has no such service.
        guard let token = try? await body(of: put) else { return nil }
        let fields: HTTPFields = ["X-aws-ec2-metadata-token": ByteString(bytes: token)]
        let roles = service.appending(path: "latest/meta-data/iam/security-credentials/")
        guard let names = try? await body(of: HTTPRequest(roles, fields: fields)) else { return nil }
        let lines = String(decoding: names, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let name = lines.first.map(String.init), !ByteString(name).contains(UInt8(ascii: "/")) else { return nil }
        return try StoredCredentials(json: await body(of: HTTPRequest(roles.appending(path: name), fields: fields)))
            .timed
    }

    private func body(of request: HTTPRequest) async throws(CredentialError) -> Data {
        var request = request
        request.timeouts = Self.timeouts
        request.trustsHost = true
        let place = "\(request.url.host ?? "")\(request.url.path)"
        do throws(TransportError) {
            let response = try await transport.send(request)
            let body = try await response.body.collect(limit: Self.limit)
            guard (200..<300).contains(response.status) else {
                let code = S3Failure(body).code.map { ": \($0)" } ?? ""
                throw TransportError(.badStatus, "status \(response.status)\(code)")
            }
            return body
        } catch {
            throw CredentialError(description: "no credentials from \(place): \(error.message)")
        }
    }
}

/// Credentials in the answer of a service.
private struct StoredCredentials: Decodable {
    private let id: String
    private let secret: String
    private let token: String?
    private let end: String?

    private enum CodingKeys: String, CodingKey {
        case id = "AccessKeyId"
        case secret = "SecretAccessKey"
        case token = "Token"
        case end = "Expiration"
    }

    init(json: Data) throws(CredentialError) {
        do {
            self = try JSONDecoder().decode(StoredCredentials.self, from: json)
        } catch {
            // The error of the decoder may contain the secret.
            throw CredentialError(description: "the answer has no credentials")
        }
    }

    init(xml: Data) throws(CredentialError) {
        let text = Array(xml)
        guard let id = S3Failure.text(of: "AccessKeyId", in: text),
            let end = S3Failure.text(of: "Expiration", in: text),
            let secret = S3Failure.text(of: "SecretAccessKey", in: text)
        else { throw CredentialError(description: "the answer has no credentials") }
        (self.id, self.secret, self.end) = (id.string, secret.string, end.string)
        token = S3Failure.text(of: "SessionToken", in: text)?.string
    }

    var timed: TimedCredentials {
        let credentials = SigV4.Credentials(
            id: ByteString(id), secret: ByteString(secret), token: token.map { ByteString($0) })
        let style = Date.ISO8601FormatStyle(), precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = end.flatMap { (try? style.parse($0)) ?? (try? precise.parse($0)) }
        return TimedCredentials(credentials: credentials, end: date?.timeIntervalSince1970)
    }
}
