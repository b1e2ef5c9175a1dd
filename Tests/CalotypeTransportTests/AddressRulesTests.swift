import CalotypeBase
import Foundation
import Requirements
import Testing

@testable import CalotypeTransport

/// The table of addresses to which a server that loads other people's URLs connects.
struct AddressRulesTests {
    @Test func `rules that follow a source are those of the source at the time`() throws {
        let current = Locked(AddressRules.internet)
        let rules = AddressRules.following(AddressRulesSource { current.withLock { $0 } })
        let address = try #require(IPAddress("127.0.0.1"))
        #expect(!rules.allows(address) && !rules.allows("127.0.0.1"))
        current.withLock { $0.exceptions = [AddressBlock("127.0.0.0/8")].compactMap(\.self) }
        #expect(rules.allows(address) && rules.allows("127.0.0.1") && !rules.allows("no address"))
        current.withLock { $0 = .all }
        #expect(rules.allows(address) && rules.allows("no address"))
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1", "2001:200::1",
        "::ffff:8.8.8.8", "::8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
        "2606:4700::5efe:808:808", "2606:4700::200:5efe:808:808",
    ])
    func `addresses of the internet are allowed`(_ text: String) throws {
        #expect(AddressRules.internet.allows(try #require(IPAddress(text))))
    }

    @Test(
        .requirement("V8", "V9"),
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
            "127.255.255.255", "169.254.169.254", "168.63.129.16", "172.16.0.0", "172.31.255.255", "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1", "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1", "255.255.255.255", "::", "::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
            "100::1", "64:ff9b:1::1", "2001::1", "2001:1ff::1", "2001:db8::1", "3fff::1", "5f00::1", "4000::1",
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:10.0.0.1", "::127.0.0.1", "64:ff9b::169.254.169.254",
            "64:ff9b::a00:1", "2002:a00:1::1", "2002:7f00:1::", "2606:4700::5efe:a00:1", "2606:4700::200:5efe:7f00:1",
            "fe80::5efe:808:808",
        ])
    func `special-purpose addresses are refused, in every form`(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!AddressRules.internet.allows(address) && AddressRules.all.allows(address))
    }

    @Test(arguments: [
        ("127.0.0.1", ["127.0.0.1", "::ffff:127.0.0.1"], ["127.0.0.2", "::1"]),
        ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "64:ff9b::a01:203"], ["192.168.0.1", "172.16.0.1"]),
        ("fd00::/8", ["fd00::1", "fdff::1"], ["fc00::1"]), ("::1", ["::1"], ["::", "127.0.0.1"]),
        ("fd00:1:2:3:4::/80", ["fd00:1:2:3:4::9"], ["fd00:1:2:3:5::9"]),
        ("0.0.0.0/0", ["10.0.0.1", "::ffff:10.0.0.1"], ["fd00::1"]),
        ("::/0", ["fd00::1", "::ffff:10.0.0.1"], ["10.0.0.1"]),
    ])
    func `an exception allows its block alone`(_ block: String, _ inside: [String], _ outside: [String]) throws {
        var rules = AddressRules.internet
        rules.exceptions = [try #require(AddressBlock(block))]
        for text in inside { #expect(rules.allows(text), "\(text)") }
        for text in outside { #expect(!rules.allows(text), "\(text)") }
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/8/8", "10.0.0/8", "10.0.0.0/-1",
        "fd00::/129",
        "fd00::1/64", "example.com", "10.0.0.0/a", "0x7f000001",
    ])
    func `a text that is no block is refused`(_ text: String) { #expect(AddressBlock(text) == nil) }
}
