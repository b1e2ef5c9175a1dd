// `import Calotype` is enough: these modules, which are also products, declare the types that callers use.

@_exported public import CalotypeCodecs
@_exported public import CalotypeHTTP
@_exported public import CalotypeHTTPCache
@_exported public import CalotypeMemory
@_exported public import CalotypeStore
@_exported public import CalotypeTransport
@_exported public import ResourceProvider
@_exported public import ResourceProviderParts
// Every request needs a URL.
@_exported public import Foundation
