import CalotypeBase

// The table of imgproxy's free variables, in the order of its documentation, and older names.

extension ImgproxyVariables {
    static let rows: [Row] = [
        signatures, server, limits, results, presets, sources, buckets, otherStores, monitoring, memory, olderNames,
    ].flatMap(\.self)

    private static let signatures: [Row] = [
        Row("KEY", .setting("key")),
        Row("SALT", .setting("salt")),
        Row("SIGNATURE_SIZE", .setting("signature-size")),
        Row("TRUSTED_SIGNATURES", .setting("trusted-signatures")),
        Row("SECRET", .setting("token")),
    ]

    private static let server: [Row] = [
        Row("BIND", .setting("listen") { [$0.hasPrefix(":") ? "0.0.0.0\($0)" : $0] }),
        Row(
            "NETWORK",
            .refusal(
                "the server listens on TCP: remove the variable, and name the address in IMGPROXY_BIND", unless: "tcp",
                "tcp4", "tcp6")),
        Row("TIMEOUT", .setting("time-limit")),
        Row("GRACEFUL_STOP_TIMEOUT", .setting("drain")),
        Row("READ_REQUEST_TIMEOUT", .setting("request-timeout")),
        Row("WRITE_RESPONSE_TIMEOUT", .ignored("a client has to read 500 bytes a second, over any minute")),
        Row("KEEP_ALIVE_TIMEOUT", .setting("keep-alive") { [$0 == "0" ? "1" : $0] }),
        Row(
            "CLIENT_KEEP_ALIVE_TIMEOUT",
            .ignored("the server keeps connections with origins as long as they are of use")),
        Row("DOWNLOAD_TIMEOUT", .setting("source-timeout")),
        Row("WORKERS", .limit("workers")),
        Row("REQUESTS_QUEUE_SIZE", .limit("queue")),
        Row("MAX_CLIENTS", .limit("max-clients")),
        Row("TTL", .setting("ttl")),
        Row("CACHE_CONTROL_PASSTHROUGH", .flag("freshness", on: ["obey"], off: ["ignore"])),
        Row("SET_CANONICAL_HEADER", .flag("canonical", on: ["yes"])),
        Row("SO_REUSEPORT", .flag("reuse-port", on: ["yes"])),
        Row("PATH_PREFIX", .setting("path-prefix")),
        Row("HEALTH_CHECK_PATH", .setting("health-path")),
        Row("USER_AGENT", .setting("user-agent") { [$0.replacing("%current_version", with: "4")] }),
        Row("USE_ETAG", .alwaysFlag("answers always have an entity tag", unless: true)),
        Row("ETAG_BUSTER", .setting("edition")),
        Row("USE_LAST_MODIFIED", .ignoredFlag("entity tags take its place, which change with each change of a source")),
        Row("LAST_MODIFIED_BUSTER", .setting("edition")),
        Row("ENABLE_DEBUG_HEADERS", .ignoredFlag("the log has sizes: see --log-fields")),
        Row("ALLOW_ORIGIN", .setting("cors")),
    ]

    private static let limits: [Row] = [
        Row("MAX_SRC_RESOLUTION", .limit("max-source")),
        Row("MAX_SRC_FILE_SIZE", .limit("max-source-size")),
        Row("MAX_ANIMATION_FRAMES", .urlOption("maf")),
        Row("MAX_ANIMATION_FRAME_RESOLUTION", .urlOption("mafr")),
        Row("MAX_RESULT_DIMENSION", .limit("max-result")),
        Row("ALLOWED_PROCESSING_OPTIONS", .setting("allow-options")),
        Row("ALLOWED_INFO_OPTIONS", .setting("allow-info-options")),
        Row("MAX_CHAINED_PIPELINES", .ignored("the server has no chained pipelines")),
        Row("MAX_REDIRECTS", .setting("max-redirects")),
        Row(
            "SOURCE_URL_ENCRYPTION_KEY",
            .refusal(
                "the server reads no encrypted sources: sign URLs with plain or base64 sources, and remove the variable"
            )),
        Row("PNG_UNLIMITED", .ignoredFlag("limits of memory and time take its place")),
        Row("SVG_UNLIMITED", .ignoredFlag("limits of memory and time take its place")),
        Row("SANITIZE_SVG", .alwaysFlag("answers forbid scripts by Content-Security-Policy", unless: true)),
        Row("IGNORE_SSL_VERIFICATION", .ignoredFlag("the server always verifies certificates")),
        Row("ALLOW_SECURITY_OPTIONS", .ignoredFlag("these options are permitted, and only lower the limits")),
        Row(
            "COOKIE_PASSTHROUGH",
            .refusalFlag(
                "results are the same for all clients: remove the variable, and give the origin credentials by --source-header"
            )),
        Row(
            "COOKIE_PASSTHROUGH_ALL",
            .refusalFlag(
                "results are the same for all clients: remove the variable, and give the origin credentials by --source-header"
            )),
        Row("COOKIE_BASE_URL", .ignored("no cookie is passed on")),
    ]

    private static let results: [Row] = [
        // In imgproxy it is for formats that IMGPROXY_FORMAT_QUALITY lacks, which by default has WebP and AVIF.
        Row("QUALITY", .urlOption("fq:jpeg")),
        Row("FORMAT_QUALITY", .equal(.qualities)),
        Row("JPEG_PROGRESSIVE", .urlFlag("jpgo")),
        Row("PNG_INTERLACED", .urlFlag("pngo")),
        Row("PNG_QUANTIZE", .urlFlag("pngo:")),
        Row("PNG_QUANTIZATION_COLORS", .urlOption("pngo::")),
        Row("WEBP_EFFORT", .ignored("the effort for WebP is fixed")),
        Row("WEBP_PRESET", .ignored("the effort for WebP is fixed", unless: "default")),
        Row("AVIF_SPEED", .setting("avif-speed")),
        jpegXL("JXL_EFFORT", .setting("jxl-effort")),
        Row(
            "ALWAYS_RASTERIZE_SVG",
            .alwaysFlag("a drawing always becomes an image of pixels, unless skp:svg sends it as it is", unless: true)),
        Row("AUTO_WEBP", .flag("negotiate", on: ["webp"], off: ["none"])),
        Row("ENFORCE_WEBP", .flag("enforce", on: ["webp"], off: ["none"])),
        Row("AUTO_AVIF", .flag("negotiate", on: ["avif"], off: ["none"])),
        Row("ENFORCE_AVIF", .flag("enforce", on: ["avif"], off: ["none"])),
        jpegXL("AUTO_JXL", .flag("negotiate", on: ["jxl"], off: ["none"])),
        jpegXL("ENFORCE_JXL", .flag("enforce", on: ["jxl"], off: ["none"])),
        Row(
            "PREFERRED_FORMATS",
            .ignored(
                "without an extension a result is what the client accepts, otherwise PNG or JPEG",
                unless: "jpeg,png,gif", "jpeg,png")),
        Row("SKIP_PROCESSING_FORMATS", .equal(.unprocessed)),
        Row("PRESERVE_HDR", .ignoredFlag("results have 8 bits")),
        Row(
            "ENABLE_CLIENT_HINTS",
            .refusalFlag("the server takes no size from header fields: write sizes into URLs, and remove the variable")),
        Row("USE_LINEAR_COLORSPACE", .ignoredFlag("scaling has one way, which needs no setting")),
        Row("DISABLE_SHRINK_ON_LOAD", .ignoredFlag("scaling has one way, which needs no setting")),
        Row("STRIP_METADATA", .alwaysFlag("results have no metadata but Artist and Copyright", unless: true)),
        Row("KEEP_COPYRIGHT", .urlFlag("kcr")),
        Row("STRIP_COLOR_PROFILE", .urlFlag("scp")),
        Row("AUTO_ROTATE", .urlFlag("ar")),
        Row("ENFORCE_THUMBNAIL", .ignoredFlag("results are made of the whole image")),
        Row("RETURN_ATTACHMENT", .urlFlag("att")),
        Row("WATERMARK_DATA", .setting("watermark") { ["data:image/png;base64,\($0)"] }),
        Row("WATERMARK_PATH", .setting("watermark")),
        Row(
            "WATERMARK_URL",
            .refusal("load the image once, name its file in IMGPROXY_WATERMARK_PATH, and remove the variable")),
        Row("WATERMARK_OPACITY", .setting("watermark-opacity")),
        Row("FALLBACK_IMAGE_DATA", .setting("fallback") { ["data:image/png;base64,\($0)"] }),
        Row("FALLBACK_IMAGE_PATH", .setting("fallback")),
        Row("FALLBACK_IMAGE_URL", .setting("defaults") { ["fiu:\(base64($0))"] }),
        Row("FALLBACK_IMAGE_HTTP_CODE", .limit("fallback-status")),
        Row("FALLBACK_IMAGE_TTL", .limit("fallback-ttl")),
    ]

    /// Returns the row of a variable about JPEG XL, which has no effect in a build that does not write it.
    private static func jpegXL(_ name: String, _ effect: Effect) -> Row {
        #if JPEGXL
            Row(name, effect)
        #else
            Row(name, .ignored("the server is built without the trait JPEGXL", unless: "false", "0", ""))
        #endif
    }

    private static let presets: [Row] = [
        Row("PRESETS", .equal(.presets)),
        Row("PRESETS_SEPARATOR", .equal(ImgproxyVariables.Equal(option: "preset") { _, _ in [] })),
        Row("PRESETS_PATH", .setting("presets")),
        Row("ONLY_PRESETS", .flag("presets-only", on: ["yes"], off: ["no"])),
        Row("INFO_ONLY_PRESETS", .ignored("--presets-only is for URLs of /info, too")),
        Row(
            "ARGUMENTS_SEPARATOR",
            .refusal("the server separates arguments by a colon: write URLs so, and remove the variable", unless: ":")),
    ]

    private static let sources: [Row] = [
        Row("ALLOWED_SOURCES", .equal(.sources)),
        Row("ALLOW_LOOPBACK_SOURCE_ADDRESSES", .flag("allow-address", on: ["127.0.0.0/8", "::1"])),
        Row("ALLOW_LINK_LOCAL_SOURCE_ADDRESSES", .flag("allow-address", on: ["169.254.0.0/16", "fe80::/10"])),
        Row(
            "ALLOW_PRIVATE_SOURCE_ADDRESSES",
            .flag(
                "allow-address", on: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"])),
        Row(
            "SOURCE_URL_QUERY_SEPARATOR",
            .refusal(
                "the query of a local source begins with a question mark, and objects have no query: remove the variable",
                unless: "?")),
        Row("LOCAL_FILESYSTEM_ROOT", .equal(.root)),
        Row("BASE_URL", .setting("base-url")),
        Row("URL_REPLACEMENTS", .setting("replace-source") { list($0, separator: ";") }),
        Row("BASE64_URL_INCLUDES_FILENAME", .flag("base64-file-name", on: ["yes"])),
    ]

    private static let buckets: [Row] = [
        Row("USE_S3", .equal(.buckets)),
        Row("S3_REGION", .setting("s3") { ["* region=\($0)"] }),
        Row("S3_ENDPOINT", .setting("s3") { ["* endpoint=\($0)"] }),
        Row("S3_ENDPOINT_USE_PATH_STYLE", .flag("s3", on: ["* style=path"], off: ["* style=host"])),
        Row("S3_USE_DECRYPTION_CLIENT", .refusalFlag("objects are read as they are: remove the variable")),
        Row(
            "S3_ASSUME_ROLE_ARN",
            .refusal("the server takes no role: give it credentials of a user, and remove the variable")),
        Row(
            "S3_ASSUME_ROLE_EXTERNAL_ID",
            .refusal("the server takes no role: give it credentials of a user, and remove the variable")),
        Row("S3_ALLOWED_BUCKETS", .equal(ImgproxyVariables.Equal(option: "allow-source") { _, _ in [] })),
        Row("S3_DENIED_BUCKETS", .setting("deny-source") { list($0).map { "s3://\($0)" } }),
        Row(
            "S3_ACCESS_POINTS",
            .refusal("name the bucket of the access point in the sources of URLs, and remove the variable")),
    ]

    private static let otherStores =
        store(
            "Google Cloud Storage", isUsed: "USE_GCS",
            ["GCS_KEY", "GCS_ENDPOINT", "GCS_ALLOWED_BUCKETS", "GCS_DENIED_BUCKETS"])
        + store(
            "Azure Blob Storage", isUsed: "USE_ABS",
            ["ABS_NAME", "ABS_KEY", "ABS_ENDPOINT", "ABS_ALLOWED_BUCKETS", "ABS_DENIED_BUCKETS"])
        + store(
            "OpenStack Swift", isUsed: "USE_SWIFT",
            [
                "SWIFT_USERNAME", "SWIFT_API_KEY", "SWIFT_AUTH_URL", "SWIFT_AUTH_VERSION", "SWIFT_TENANT",
                "SWIFT_DOMAIN", "SWIFT_TIMEOUT_SECONDS", "SWIFT_CONNECT_TIMEOUT_SECONDS", "SWIFT_ALLOWED_BUCKETS",
                "SWIFT_DENIED_BUCKETS",
            ])

    /// The rows of a store that the server does not read.
    private static func store(_ name: String, isUsed flag: String, _ others: [String]) -> [Row] {
        let remedy = "\(name) is no source here: serve its objects by HTTP or S3, and remove the variable"
        return [Row(flag, .refusalFlag(remedy))] + others.map { Row($0, .refusal(remedy)) }
    }

    private static let monitoring: [Row] = [
        Row("PROMETHEUS_BIND", .setting("admin") { [$0.hasPrefix(":") ? "0.0.0.0\($0)" : $0] }),
        Row("PROMETHEUS_NAMESPACE", .setting("metrics-namespace")),
        Row("LOG_LEVEL", .setting("log", wanted: "error, warn, info or debug") { logLevels[$0.lowercased()] }),
        Row("LOG_FORMAT", .alwaysSo("the log is JSON", unless: "json")),
        Row("SYSLOG_ENABLE", .ignoredFlag("the log is standard error, which the service manager collects")),
        Row("SYSLOG_LEVEL", .ignored("the log is standard error, which the service manager collects")),
        Row("SYSLOG_NETWORK", .ignored("the log is standard error, which the service manager collects")),
        Row("SYSLOG_ADDRESS", .ignored("the log is standard error, which the service manager collects")),
        Row("SYSLOG_TAG", .ignored("the log is standard error, which the service manager collects")),
        Row("NEW_RELIC_KEY", .ignored("metrics are those for Prometheus")),
        Row("NEW_RELIC_APP_NAME", .ignored("metrics are those for Prometheus")),
        Row("NEW_RELIC_LABELS", .ignored("metrics are those for Prometheus")),
        Row("NEW_RELIC_PROPAGATE_EXTERNAL", .ignoredFlag("metrics are those for Prometheus")),
        Row("DATADOG_ENABLE", .ignoredFlag("metrics are those for Prometheus")),
        Row("DATADOG_ENABLE_ADDITIONAL_METRICS", .ignoredFlag("metrics are those for Prometheus")),
        Row("DATADOG_PROPAGATE_EXTERNAL", .ignoredFlag("metrics are those for Prometheus")),
        Row("OPEN_TELEMETRY_ENABLE", .ignoredFlag("the server sends no traces")),
        Row("OPEN_TELEMETRY_ENABLE_METRICS", .ignoredFlag("the server sends no traces")),
        Row("OPEN_TELEMETRY_ENABLE_LOGS", .ignoredFlag("the server sends no traces")),
        Row("OPEN_TELEMETRY_SERVER_CERT", .ignored("the server sends no traces")),
        Row("OPEN_TELEMETRY_CLIENT_CERT", .ignored("the server sends no traces")),
        Row("OPEN_TELEMETRY_CLIENT_KEY", .ignored("the server sends no traces")),
        Row("OPEN_TELEMETRY_TRACE_ID_GENERATOR", .ignored("the server sends no traces")),
        Row(
            "OPEN_TELEMETRY_PROPAGATE_EXTERNAL",
            .alwaysFlag("requests to origins have the traceparent of the client", unless: true)),
        Row("CLOUD_WATCH_SERVICE_NAME", .ignored("metrics are those for Prometheus")),
        Row("CLOUD_WATCH_NAMESPACE", .ignored("metrics are those for Prometheus")),
        Row("CLOUD_WATCH_REGION", .ignored("metrics are those for Prometheus")),
        Row("REPORT_DOWNLOADING_ERRORS", .alwaysFlag("the log has each failure with its reason", unless: true)),
        Row("DEVELOPMENT_ERRORS_MODE", .ignoredFlag("the log has each failure with its reason")),
        Row("BUGSNAG_KEY", .ignored("the log has each failure with its reason")),
        Row("BUGSNAG_STAGE", .ignored("the log has each failure with its reason")),
        Row("HONEYBADGER_KEY", .ignored("the log has each failure with its reason")),
        Row("HONEYBADGER_ENV", .ignored("the log has each failure with its reason")),
        Row("SENTRY_DSN", .ignored("the log has each failure with its reason")),
        Row("SENTRY_ENVIRONMENT", .ignored("the log has each failure with its reason")),
        Row("SENTRY_RELEASE", .ignored("the log has each failure with its reason")),
        Row("AIRBRAKE_PROJECT_ID", .ignored("the log has each failure with its reason")),
        Row("AIRBRAKE_PROJECT_KEY", .ignored("the log has each failure with its reason")),
        Row("AIRBRAKE_ENVIRONMENT", .ignored("the log has each failure with its reason")),
        Row("FAIL_ON_DEPRECATION", .ignoredFlag("variables without effect have a line at the start")),
    ]

    private static let memory: [Row] = [
        Row("DOWNLOAD_BUFFER_SIZE", .ignored("the server divides its memory by --memory")),
        Row("FREE_MEMORY_INTERVAL", .ignored("the server divides its memory by --memory")),
        Row("BUFFER_POOL_CALIBRATION_THRESHOLD", .ignored("the server divides its memory by --memory")),
        Row("MALLOC", .ignored("the server divides its memory by --memory")),
    ]

    private static let olderNames: [Row] = [
        Row("READ_TIMEOUT", .setting("request-timeout")),
        Row("WRITE_TIMEOUT", .setting("time-limit")),
        Row("CONCURRENCY", .limit("workers")),
        Row("ENABLE_AVIF_DETECTION", .flag("negotiate", on: ["avif"], off: ["none"])),
        Row("ENABLE_WEBP_DETECTION", .flag("negotiate", on: ["webp"], off: ["none"])),
    ]
}
