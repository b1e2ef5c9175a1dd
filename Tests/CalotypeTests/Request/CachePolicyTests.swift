import Calotype
import Testing

@Suite struct CachePolicyTests {
    @Test(arguments: [
        (CachePolicy.useProtocol, "useProtocol"), (.revalidate, "revalidate"),
        (.reloadIgnoringCache, "reloadIgnoringCache"), (.returnCacheElseLoad, "returnCacheElseLoad"),
        (.returnCacheDontLoad, "returnCacheDontLoad"),
    ])
    func `a policy describes itself by its name`(_ policy: CachePolicy, _ name: String) {
        #expect("\(policy)" == name)
    }
}
