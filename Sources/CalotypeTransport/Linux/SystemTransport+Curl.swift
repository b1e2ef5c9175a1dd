/// The transport for single HTTP exchanges on this platform.
package typealias SystemTransport = CurlTransport
