// Error codes use this type: importing this module imports it, too.
@_exported public import struct CalotypeBase.ErrorCode
