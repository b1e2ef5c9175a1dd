import CalotypeServer

/// The keys in the environment, under imgproxy's names.
enum SigningKeys {
    /// Returns a signer, or `nil` without keys.
    static func signer(_ context: Context, _ arguments: Arguments) throws(UsageError) -> URLSigner? {
        guard let keys = context.environment["IMGPROXY_KEY"]?.nonEmpty else { return nil }
        let size = context.environment["IMGPROXY_SIGNATURE_SIZE"]?.nonEmpty
        guard let length = size.map({ Int($0) }) ?? 32 else {
            throw arguments.error("IMGPROXY_SIGNATURE_SIZE is not a number")
        }
        do throws(URLSigner.InvalidKey) {
            return try URLSigner(keys: keys, salts: context.environment["IMGPROXY_SALT"] ?? "", length: length)
        } catch {
            throw arguments.error("IMGPROXY_KEY and IMGPROXY_SALT: \(error)")
        }
    }
}
