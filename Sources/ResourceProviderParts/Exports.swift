// `import ResourceProviderParts` is enough: these modules declare the types of its signatures.

@_exported public import CalotypeHTTP
@_exported public import CalotypeTransport
@_exported public import ResourceProvider
