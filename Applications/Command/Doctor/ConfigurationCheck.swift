import Foundation

/// Checks the configuration file and the environment.
struct ConfigurationCheck {
    /// The arguments of the command line, completed as far as the configuration is valid.
    let arguments: Arguments
    let findings: [Finding]

    init(_ arguments: Arguments, _ context: Context) {
        let path = context.settingsPath
        do throws(UsageError) {
            let settings = try Settings(context)
            self.arguments = try settings.completing(arguments)
            let isThere = FileManager.default.fileExists(atPath: path)
            findings = [Finding(.ok, "configuration", isThere ? path : "\(path): not there, nothing is set")]
        } catch {
            self.arguments = arguments
            findings = [Finding(.problem, "configuration", error.message)]
        }
    }
}
