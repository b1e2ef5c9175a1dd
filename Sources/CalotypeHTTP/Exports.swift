// The types of field names, values and error codes: users of this module need no second import for them.
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.CaselessString
@_exported public import struct CalotypeBase.ErrorCode
