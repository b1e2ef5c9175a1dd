import CalotypeURLs

extension URLSigner {
    /// The flags of signatures, in the order of the help, besides the secret ones. A reload takes all of them.
    static let flags: [Option] = [.insecure, .allowAnyHost, .signatureSize]
    static let secretFlags: [Option] = [.key, .salt]
}

extension Arguments {
    /// Returns a signer with the given keys and salts; `nil` without keys.
    func signer() throws(UsageError) -> URLSigner? {
        let length = try integer(.signatureSize, in: 1...32) ?? 32
        guard has(.key) else {
            if has(.salt) { throw error(.salt, "a salt needs a key") }
            return nil
        }
        do throws(RenditionError) {
            // Each line of a file is a value.
            return try URLSigner(
                keys: all(.key).joined(separator: ","), salts: all(.salt).joined(separator: ","), length: length)
        } catch {
            let given = [Option.key, .salt].compactMap { option in self.given(option)?.written(as: option) }
            throw self.error("\(given.joined(separator: " and ")): \(error.message)")
        }
    }
}

extension Option {
    static let key = Option(
        "key", nil, "HEX", isReloaded: true, help: "The keys of signatures, in hexadecimal, with commas.")
    static let salt = Option("salt", nil, "HEX", isReloaded: true, help: "The salts of signatures, one for each key.")
    static let signatureSize = Option(
        "signature-size", nil, "BYTES", isReloaded: true,
        help: "The length of signatures before their encoding. The default is 32.")
    static let insecure = Option("insecure", isReloaded: true, help: "Start without a key: any signature is accepted.")
    static let allowAnyHost = Option(
        "allow-remote", isReloaded: true,
        help: "Permit --insecure together with --allow-source https://* or https://*.com, for sources of any host, or "
            + "with a --listen that other machines can reach. Permit such an --admin.")
}
