/// The transport of this platform for single exchanges over the web.
package typealias SystemTransport = CurlTransport
