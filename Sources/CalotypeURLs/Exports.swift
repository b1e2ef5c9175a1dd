// Paths and signatures: users of this module need no second import for them.
@_exported public import struct CalotypeBase.ByteString
