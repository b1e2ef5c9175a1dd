/// The transport for single HTTP exchanges on this platform.
package typealias SystemTransport = CurlTransport

extension CurlTransport {
    /// Creates a transport whose queue enforces a loader's limits, or returns `nil` if the platform's transport cannot.
    ///
    /// The queue is fair between hosts, like that of a forward proxy. A request whose server is silent lends its slot.
    package static func queueing(_ limits: TransferLimits) -> CurlTransport? {
        var options = Options()
        // With fewer slots, half of them would be less than the number of connections to one host.
        options.sharesPlaces = limits.transfers >= 2 * options.connectionsPerHost
        options.idleLimit = options.transferLimit
        options.transferLimit = limits.transfers
        options.queueLimit = limits.queue
        options.silentLimit = limits.silent
        options.silence = limits.silence
        options.keepsPlaces = true
        options.admission = limits
        options.addresses = limits.addresses
        return CurlTransport(options: options)
    }
}
