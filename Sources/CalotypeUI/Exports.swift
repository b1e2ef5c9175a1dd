@_exported public import Calotype
