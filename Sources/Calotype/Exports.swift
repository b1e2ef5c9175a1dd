// `import Calotype` is enough: these modules declare the types that callers use. The product `Calotype` lists them, so that
// each can be imported alone.

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
