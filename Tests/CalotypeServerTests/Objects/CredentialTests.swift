import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

@Suite struct CredentialTests {
    private let clock = ManualClock()
    private let origin: OriginServer
    private let folder = TemporaryFolder()

    init() throws {
        origin = try OriginServer()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    }

    private func write(_ text: String, _ name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func credentials(_ environment: [String: String], profile: ByteString? = nil) -> RenewedCredentials {
        var environment = environment
        environment["HOME"] = environment["HOME"] ?? folder.path
        // The metadata service of this machine, if it has one, is no part of the test.
        environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] =
            environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "\(origin.url.absoluteString)/none"
        return RenewedCredentials(
            CredentialPlace.all(in: environment, profile: profile), CredentialReader(transport: CurlTransport()),
            clock.wall)
    }

    private func json(id: String, minutes: Double) -> OriginReply {
        let end = Date(timeIntervalSince1970: clock.wall.now + 60 * minutes).formatted(.iso8601)
        return .ok(
            Data(#"{"AccessKeyId":"\#(id)","SecretAccessKey":"s","Token":"t","Expiration":"\#(end)"}"#.utf8),
            type: "application/json")
    }

    @Test func `the variables come first, then the files`() async throws {
        let file = try write(
            "[default]\naws_access_key_id=FILE\naws_secret_access_key=s\n[web]\naws_access_key_id=WEB\naws_secret_access_key=s\n",
            "credentials")
        var environment = ["AWS_SHARED_CREDENTIALS_FILE": file]
        #expect(try await credentials(environment).current().id == "FILE")
        #expect(try await credentials(environment, profile: "web").current().id == "WEB")
        environment["AWS_PROFILE"] = "web"
        #expect(try await credentials(environment).current().id == "WEB")
        environment["AWS_ACCESS_KEY_ID"] = "VARIABLE"
        environment["AWS_SECRET_ACCESS_KEY"] = "s"
        #expect(try await credentials(environment).current().id == "VARIABLE")
        #expect(try await credentials(environment, profile: "web").current().id == "WEB")
    }

    @Test func `a container's credentials need its token, which is read at each renewal`() async throws {
        origin.onAny { [clock] request in
            let end = Date(timeIntervalSince1970: clock.wall.now + 600).formatted(.iso8601)
            let id = request.fields["Authorization"] ?? "none"
            return .ok(Data(#"{"AccessKeyId":"\#(id)","SecretAccessKey":"s","Expiration":"\#(end)"}"#.utf8))
        }
        let token = try write("one\n", "token")
        let renewed = credentials([
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(origin.url.absoluteString)/container",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token,
        ])
        #expect(try await renewed.current().id == "one")
        _ = try write("two\n", "token")
        clock.advance(by: .seconds(600))
        #expect(try await renewed.current().id == "two")
    }

    @Test func `the metadata service gives a token, the role and its credentials`() async throws {
        origin.on("/latest/api/token", .ok(Data("token".utf8)))
        origin.on("/latest/meta-data/iam/security-credentials/", .ok(Data("web\n".utf8)))
        origin.on("/latest/meta-data/iam/security-credentials/web", json(id: "ROLE", minutes: 60))
        let renewed = credentials(["AWS_EC2_METADATA_SERVICE_ENDPOINT": origin.url.absoluteString])
        #expect(try await renewed.current() == SigV4.Credentials(id: "ROLE", secret: "s", token: "t"))
        #expect(origin.requests.map(\.method) == ["PUT", "GET", "GET"])
        #expect(origin.requests.dropFirst().allSatisfy { $0.fields["X-aws-ec2-metadata-token"] == "token" })
    }

    @Test func `a web identity is exchanged for credentials`() async throws {
        let end = Date(timeIntervalSince1970: clock.wall.now + 3600).formatted(.iso8601)
        origin.on(
            "/",
            .ok(
                Data(
                    """
                    <R><Credentials><AccessKeyId>STS</AccessKeyId><SecretAccessKey>s</SecretAccessKey>\
                    <SessionToken>t</SessionToken><Expiration>\(end)</Expiration></Credentials></R>
                    """.utf8)))
        let token = try write("a.b=c\n", "identity")
        let renewed = credentials([
            "AWS_WEB_IDENTITY_TOKEN_FILE": token, "AWS_ROLE_ARN": "arn:aws:iam::1:role/web",
            "AWS_ENDPOINT_URL_STS": origin.url.absoluteString,
        ])
        #expect(try await renewed.current() == SigV4.Credentials(id: "STS", secret: "s", token: "t"))
        let form = String(decoding: try #require(origin.requests.first).body, as: UTF8.self)
        #expect(
            form.contains("RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fweb") && form.contains("WebIdentityToken=a.b%3Dc"))
    }

    @Test func `a place that is configured and fails gives way to no other one`() async throws {
        origin.on("/container", json(id: "OTHER", minutes: 60))
        let renewed = credentials([
            "AWS_WEB_IDENTITY_TOKEN_FILE": "/nonexistent/token", "AWS_ROLE_ARN": "arn:aws:iam::1:role/web",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(origin.url.absoluteString)/container",
        ])
        await #expect(throws: TransportError.self) { try await renewed.current() }
        #expect(origin.requestCount("/container") == 0)
    }

    @Test func `two hundred requests share one renewal`() async throws {
        let gate = Gate()
        origin.on("/container", json(id: "ID", minutes: 60).held(by: gate))
        let renewed = credentials(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(origin.url.absoluteString)/container"])
        let ids = try await withThrowingTaskGroup(of: ByteString.self) { group in
            for _ in 0..<200 { group.addTask { try await renewed.current().id } }
            await origin.waitForRequests(1)
            gate.open()
            return try await group.reduce(into: Set<ByteString>()) { $0.insert($1) }
        }
        #expect(ids == ["ID"] && origin.requestCount() == 1)
    }

    @Test func `a request that saw none, and asks when the renewal has ended, begins no other`() async throws {
        origin.on("/container", json(id: "ID", minutes: 60))
        let renewed = credentials(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(origin.url.absoluteString)/container"])
        #expect(try await renewed.current().id == "ID")
        #expect(try await renewed.renewed(insteadOf: nil).credentials.id == "ID")
        #expect(origin.requestCount() == 1)
    }

    @Test func `credentials serve until their end while the renewal fails`() async throws {
        origin.on("/container", replies: [json(id: "OLD", minutes: 10), .status(500), json(id: "NEW", minutes: 60)])
        let renewed = credentials(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(origin.url.absoluteString)/container"])
        #expect(try await renewed.current().id == "OLD")
        clock.advance(by: .seconds(301))
        #expect(try await renewed.current().id == "OLD")
        await origin.waitForRequests(2)
        await waitUntil { !renewed.isRenewing }
        clock.advance(by: .seconds(290))
        #expect(try await renewed.current().id == "OLD")
        await origin.waitForRequests(3)
        await waitUntil { !renewed.isRenewing }
        #expect(try await renewed.current().id == "NEW")
    }

    @Test func `places without credentials are asked once in ten seconds`() async throws {
        origin.on("/container", replies: [.status(500), .status(500), json(id: "ID", minutes: 60)])
        let renewed = credentials(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(origin.url.absoluteString)/container"])
        for _ in 0..<10 { _ = await #expect(throws: TransportError.self) { try await renewed.current() } }
        #expect(origin.requestCount("/container") == 1)
        clock.advance(by: .seconds(10))
        _ = await #expect(throws: TransportError.self) { try await renewed.current() }
        clock.advance(by: .seconds(10))
        #expect(try await renewed.current().id == "ID")
    }

    // Each request would otherwise begin a renewal, as the end is always near.
    @Test func `credentials with a short life are renewed at most every ten seconds`() async throws {
        origin.on("/container", json(id: "ID", minutes: 2))
        let renewed = credentials(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(origin.url.absoluteString)/container"])
        for _ in 0..<10 {
            _ = try await renewed.current()
            await waitUntil { !renewed.isRenewing }
        }
        #expect(origin.requestCount("/container") == 1)
        clock.advance(by: .seconds(10))
        _ = try await renewed.current()
        await origin.waitForRequests(2, path: "/container")
    }

    // As on a machine whose clock is ahead: the store decides whether they have ended.
    @Test func `credentials that have ended when they arrive are used`() async throws {
        origin.on("/container", json(id: "ID", minutes: -30))
        let renewed = credentials(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(origin.url.absoluteString)/container"])
        for _ in 0..<10 { #expect(try await renewed.current().id == "ID") }
        #expect(origin.requestCount("/container") == 1)
        clock.advance(by: .seconds(10))
        #expect(try await renewed.current().id == "ID")
        #expect(origin.requestCount("/container") == 2)
    }

    @Test func `a file that is too large has no credentials`() async throws {
        let keys = "[default]\naws_access_key_id=FILE\naws_secret_access_key=s\n"
        let file = try write(keys + String(repeating: "# comment\n", count: 7000), "credentials")
        let renewed = credentials(["AWS_SHARED_CREDENTIALS_FILE": file])
        _ = await #expect(throws: TransportError.self) { try await renewed.current() }
    }

    @Test func `an error names the places and no secret`() async throws {
        origin.on("/container", .ok(Data(#"{"AccessKeyId":"ID","SecretAccessKey":7}"#.utf8)))
        let renewed = credentials(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(origin.url.absoluteString)/container"])
        let error = await #expect(throws: TransportError.self) { try await renewed.current() }
        #expect(error?.message.contains("there are no credentials for the bucket") == true)
        let none = await #expect(throws: TransportError.self) { try await credentials([:]).current() }
        #expect(none?.message.contains("neither variables nor files") == true)
    }
}
