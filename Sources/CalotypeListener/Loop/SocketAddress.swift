import Foundation
import Glibc

struct SocketAddress {
    private enum Address {
        case v4(sockaddr_in)
        case v6(sockaddr_in6)
    }

    let host: String
    let port: Int
    private let address: Address

    init(host: String, port: Int) throws(ListenerError) {
        self.host = host == "localhost" ? "127.0.0.1" : host
        self.port = port
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET, self.host, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = in_port_t(port).bigEndian
            address = .v4(v4)
        } else if inet_pton(AF_INET6, self.host, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = in_port_t(port).bigEndian
            address = .v6(v6)
        } else {
            throw ListenerError(.invalidOption, "host is \"\(host)\", but must be an IPv4 or IPv6 address")
        }
    }

    var family: Int32 { if case .v4 = address { AF_INET } else { AF_INET6 } }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        func call<Address>(_ address: Address) -> Result {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        return switch address {
        case .v4(let address): call(address)
        case .v6(let address): call(address)
        }
    }

    func url(port: Int) throws(ListenerError) -> URL {
        let name = if case .v6 = address { "[\(host)]" } else { host }
        guard let url = URL(string: "http://\(name):\(port)") else {
            throw ListenerError(.invalidOption, "host is \"\(host)\", which cannot be part of a URL")
        }
        return url
    }
}
