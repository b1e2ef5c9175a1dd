import CalotypeURLs

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
    static let key = Option("key", nil, "HEX", help: "The keys of signatures, in hexadecimal, with commas.")
    static let salt = Option("salt", nil, "HEX", help: "The salts of signatures, one for each key.")
    static let signatureSize = Option(
        "signature-size", nil, "BYTES", help: "The length of signatures before their encoding. The default is 32.")
}
