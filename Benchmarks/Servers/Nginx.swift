import CalotypeTesting
import TestSupport
import Foundation

/// nginx with two workers, persistent connections and no access log.
final class Nginx {
    enum Site {
        /// proxy_cache in front of an origin.
        case cache(origin: String)
        case files(directory: String)
        /// image_filter over files, without a cache.
        case thumbnails(directory: String, width: Int, module: String)

        var location: String {
            switch self {
            case .cache(let origin): "proxy_pass \(origin); proxy_cache hot;"
            case .files(let directory): "root \(directory);"
            case .thumbnails(let directory, let width, _):
                """
                root \(directory);
                image_filter resize \(width) -;
                image_filter_jpeg_quality 80;
                image_filter_buffer 64m;
                """
            }
        }

        var modules: String {
            if case .thumbnails(_, _, let module) = self { return "load_module \(module);" }
            return ""
        }
    }

    static var executable: String? { Tool.path("nginx") }

    /// The path of the module image_filter, or `nil` if the module is not installed.
    static var imageFilter: String? {
        let path = "/usr/lib/nginx/modules/ngx_http_image_filter_module.so"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    let url: String
    private let process = Process()
    private let scratch: ScratchDirectory

    init(executable: String, _ site: Site) throws {
        scratch = try ScratchDirectory()
        let port = try freePort()
        url = "http://127.0.0.1:\(port)"
        let file = "\(scratch.path)/nginx.conf"
        try Self.configuration(scratch.path, port, site).write(toFile: file, atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = ["-c", file, "-p", scratch.path, "-e", "\(scratch.path)/error.log"]
        process.standardInput = FileHandle.nullDevice
        try process.start(on: port, "nginx")
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    var tree: ProcessTree { ProcessTree(root: process.processIdentifier) }

    private static func configuration(_ path: String, _ port: UInt16, _ site: Site) -> String {
        """
        \(site.modules)
        \(getuid() == 0 ? "user root;" : "")
        worker_processes 2;
        daemon off;
        pid \(path)/nginx.pid;
        error_log \(path)/error.log crit;
        events { worker_connections 1024; }
        http {
            access_log off;
            keepalive_requests 1000000;
            sendfile on;
            tcp_nopush on;
            client_body_temp_path \(path)/body;
            proxy_temp_path \(path)/temp;
            fastcgi_temp_path \(path)/fastcgi;
            uwsgi_temp_path \(path)/uwsgi;
            scgi_temp_path \(path)/scgi;
            proxy_cache_path \(path)/cache levels=1:2 keys_zone=hot:10m max_size=1g;
            open_file_cache max=1000;
            server {
                listen 127.0.0.1:\(port) backlog=1024;
                location / { \(site.location) }
            }
        }
        """
    }
}
