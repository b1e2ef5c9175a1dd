#if HEIF
    import Foundation

    /// A HEIC as phones store photographs.
    enum SampleHEIC {
        /// A grid of four tiles with 80 × 120 pixels, which its irot property turns by 90° against the clock, and its EXIF, which
        /// readers ignore, by 90° with it.
        ///
        /// What is seen has 120 × 80 pixels: green, white, red and blue quarters, row by row. Made by `HEIFGridFile` of the format
        /// tests, because this target has no encoder of HEIC.
        static let turned =
            Data(
                base64Encoded: """
                    AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAACf21ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG0A\
                    AAAAAAUAAABwaWxvYwEAAABEAAAGAAEAAAAAAAEAAAKfAAABxAACAAAAAAABAAAEYwAAAOsAAwAAAAAAAQAABU4AAAFMAAQAAAAAAAEA\
                    AAaaAAAAFgAFAAEAAAABAAAAAAAAAAgABgAAAAAAAQAABrAAAAAeAAAAjGlpbmYAAAAAAAYAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAV\
                    aW5mZQIAAAEAAgAAaHZjMQAAAAAVaW5mZQIAAAEAAwAAaHZjMQAAAAAVaW5mZQIAAAEABAAAaHZjMQAAAAAVaW5mZQIAAAAABQAAZ3Jp\
                    ZAAAAAAVaW5mZQIAAAAABgAARXhpZgAAAAEKaXBycAAAAMRpcGNvAAAAeGh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEM\
                    Af//A3AAAAMAkAAAAwAAAwAeugJAIQABACtCAQEDcAAAAwCQAAADAAADAB6gIIEFlupJKa5uBAQMCAAAAwAIAAADAAhAIgABAAdEAcFy\
                    sCJAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAATY29scm5jbHgAAgACAAaAAAAAFGlzcGUAAAAAAAAAUAAAAHgAAAAJaXJvdAEAAAA+aXBt\
                    YQAAAAEAAAAGAAEDAAEAAgADAAIDAAEAAgADAAMDAAEAAgADAAQDAAEAAgADAAUCAAQABQAGAAAAAC5pcmVmAAAAAAAAABRkaW1nAAUA\
                    BAABAAIAAwAEAAAADmNkc2MABgABAAUAAAAQaWRhdAAAAQEAUAB4AAAEN21kYXQAAAHAKAGvBrjyQ9Ybn/quR///4C0fQ/3sBpRfTvZz\
                    3bAv/yTb//4AWyHn8h1JDcDO9MaRBbQOihyAXT8j4H4Ebfng/mW1XQBdPyPgfgRt+eD+ZfjxDmVKv1SAPKqgnAXrsO4AB+wdTFK04Ff6\
                    3Z0e5AAszVY83Iwg1w8aOuHFXeOcg46JDX+nNIHCACcoA5DE6twubfrTidACLJDeI/AqcGt27nAGCN0NeUxOEyTP+7tkiefQvhvyfXZD\
                    ZZOOQ+Kf+sj+xxYLG8Sl9HSdW43UCIZLp+KQr1lj2GDmXq3RqQLrc6e7M2mBJejjQ8faGLSP267Q32JMvPi7/kjoC1PfqGH9uruyasZe\
                    R8z/K/X6vovBqrzjMSROI1hDRzzZ9kYyPl8er4Yf6Tok7oS+GaVRYyKJVy491akd0589r/LQ3ZISZFlhcHaJngAAAwDcuzutoUoAu4LO\
                    NIAAmnBp918bRqNNKFtsSpaqJbl2KL73we/d8gFayBIjVJEdBavqBiiOtmFmYvhREQbSvVgfk5n5kzGfPyX/WP9liiwer/8K/8TgPYqa\
                    sl8LPnTWwW62x8uCfOMdPoWZ31YWh2HHJvbvr3aFYAAAAOcoAa8GuPGPrDQf6DI///9/KH//+xw6n+Cp8Z1mtk0IwOpj3sqeAo++a6T5\
                    6v753/CmhSu+7y88h01ThQPSm9sety7QOwqFVQpk3/qSn+qSfYeP8qPYeb0A/C12ga+aUZ/+OuXJcanh6Y120/3qr8JsvDAXNk0BN0X8\
                    NwAMI9Za5UaerymEJyXx3RZeQrZ6V+L0W+pr4vCVAl12Zw0XMElipUNXjn6vD/A89FgaeQRNnVB0uF/FFlgY+eu7zN5qTy+FLzDSKCdc\
                    nQ71ZV9F2KAnRnXTznigdU5v57kEftoX+BRXjVTUNfAAAAFIKAGvBrjxWKw3P/p9Qf3v+io7//6P3yi+nezn6HUp//Y87WdbPkOjrSD9\
                    8RAMhXVi2uATHbtRMiJY7TehF0TyRIXl8qogoZRMbVEQfNufoObIUoWNe7MYRLUHYnMGq6b81rfU4Prv6x/RO3E+RCIjZgcWztcj8OaP\
                    AWuOxDdL7xSqF/3q2OiA+f9HfnZWq6b81rfU4Prv6x8dCT8FOsw/rzi7iWfP+U8yQJeeyl4809/kf5wIq5gu391SmMADDdFQbCpV/BLb\
                    03+P6fX//JV5tGjvQ5yz2J1d7OLIrSQq+vZnF8wjHIz9aHs02yCCzJ5cVtVQ2VqZD/dsOq3k3Ie2BfOOeVptmIQQOY43v7lLKMCb/bV8\
                    d3kkm7ynKR52WiVdzanwl7YpakJAVFI5w/H9PrIpty8RORgueyM5V7T9m1tCnyMk9d9qNwAAABIoAa8GuGPimxT/tRRZHxEWg/gAAAAA\
                    TU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAA=
                    """) ?? Data()
    }
#endif
