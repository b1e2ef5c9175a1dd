import Foundation

/// Checks the configuration file and the environment.
struct ConfigurationCheck {
    /// The arguments of the command line, completed by the configuration if that is valid.
    let arguments: Arguments
    let findings: [Finding]

    init(_ arguments: Arguments, _ context: Context) {
        let path = context.settingsPath
        do throws(UsageError) {
            let settings = try Settings(context)
            self.arguments = try settings.completing(arguments)
            let exists = FileManager.default.fileExists(atPath: path)
            findings = [Finding(.ok, "configuration", exists ? path : "\(path): does not exist; the defaults apply")]
        } catch {
            self.arguments = arguments
            findings = [Finding(.problem, "configuration", error.message)]
        }
    }
}
