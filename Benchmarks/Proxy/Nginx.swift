import CalotypeTesting
import Foundation

/// nginx with two workers, persistent connections and no access log.
final class Nginx {
    enum Site {
        /// proxy_cache in front of an origin.
        case cache(origin: String)
        case files(directory: String)

        var location: String {
            switch self {
            case .cache(let origin): "proxy_pass \(origin); proxy_cache hot;"
            case .files(let directory): "root \(directory);"
            }
        }
    }

    static var executable: String? { Tool.path("nginx") }

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
        try process.run()
        var tries = 0
        while !isListening(port) {
            tries += 1
            guard process.isRunning, tries < 500 else { throw BenchError("nginx does not start") }
            usleep(10_000)
        }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    private static func configuration(_ path: String, _ port: UInt16, _ site: Site) -> String {
        """
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
