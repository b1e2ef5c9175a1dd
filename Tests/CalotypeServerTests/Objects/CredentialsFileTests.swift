import CalotypeBase
import Testing

@testable import CalotypeServer

@Suite struct CredentialsFileTests {
    private static let file = CredentialsFile(
        """
        # A comment
        ; another one
        aws_access_key_id = outside
        [default]
        aws_access_key_id = AKIA1
        AWS_Secret_Access_Key=abc=/+
        [profile web]\r
        aws_access_key_id = AKIA2\r
        aws_secret_access_key = def\r
        aws_session_token =  token \r
        region = eu-central-1\r
        s3 =
            addressing_style = path
        [ empty ]
        aws_access_key_id =
        aws_secret_access_key = ghi
        no pair
        """)

    @Test func `a profile has its own credentials`() {
        #expect(Self.file.credentials(of: "default") == SigV4.Credentials(id: "AKIA1", secret: "abc=/+"))
        #expect(Self.file.credentials(of: "web") == SigV4.Credentials(id: "AKIA2", secret: "def", token: "token"))
        #expect(Self.file["web", "region"] == "eu-central-1")
    }

    @Test(arguments: ["empty", "absent", "profile web", ""] as [ByteString])
    func `an incomplete profile has none`(name: ByteString) { #expect(Self.file.credentials(of: name) == nil) }

    @Test func `an indented line is no setting of its profile`() {
        #expect(Self.file["web", "addressing_style"] == nil && Self.file["web", "s3"] == nil)
    }

    @Test func `a section may be indented as a whole`() {
        let file = CredentialsFile("[a]\n  aws_access_key_id = 1\n  aws_secret_access_key = s\n    more\n[b]\nx = 1\n")
        #expect(file.credentials(of: "a") == SigV4.Credentials(id: "1", secret: "s"))
        #expect(file["b", "x"] == "1")
    }

    @Test(arguments: ["", "\0", "[", "]", "[]", "=", "[a]\n=", "[a]\naws_access_key_id", "\u{FEFF}[a]", "[a\n]=1"])
    func `a broken file has no credentials`(text: String) {
        #expect(CredentialsFile(ByteString(text)).credentials(of: "a") == nil)
    }

    @Test func `the last of two values counts`() {
        let file = CredentialsFile("[a]\naws_access_key_id=1\naws_access_key_id=2\naws_secret_access_key=s\n")
        #expect(file.credentials(of: "a")?.id == "2")
    }
}
