import Foundation

/// A Python program that makes thumbnails of all JPEGs in a folder on all processors, with our quality and sampling.
struct PythonThumbnails {
    let name: String
    let interpreter: String
    let script: String

    /// pyvips in one process, with a thread for each processor; `nil` without the environment of `Scripts/bench`.
    static var vips: PythonThumbnails? {
        environment.map { PythonThumbnails(name: "pyvips", interpreter: $0, script: common + vipsScript) }
    }

    /// Pillow in a process for each processor; `nil` if it is not installed. The system's is older than that of the
    /// environment.
    static var pillow: PythonThumbnails? {
        let interpreter = [environment, "/usr/bin/python3"].compactMap(\.self).first {
            (try? Tool.run($0, ["-c", "import PIL.Image"])) != nil
        }
        return interpreter.map { PythonThumbnails(name: "Pillow", interpreter: $0, script: common + pillowScript) }
    }

    /// The interpreter of the environment of `Scripts/bench`.
    private static var environment: String? {
        ProcessInfo.processInfo.environment["CALOTYPE_BENCH_PYTHON"].flatMap {
            FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil
        }
    }

    private static let common = """
        import os, sys
        folder, results = sys.argv[1:3]
        names = sorted(os.listdir(folder))
        processors = len(os.sched_getaffinity(0))

        """

    private static let vipsScript = """
        os.environ["VIPS_CONCURRENCY"] = "1"
        import pyvips
        from concurrent.futures import ThreadPoolExecutor
        pyvips.cache_set_max(0)
        def make(name):
            image = pyvips.Image.thumbnail(os.path.join(folder, name), 400, height=10000000)
            image.jpegsave(os.path.join(results, name), Q=80)
        with ThreadPoolExecutor(processors) as pool:
            for _ in pool.map(make, names):
                pass
        """

    private static let pillowScript = """
        from multiprocessing import Pool
        from PIL import Image
        def make(name):
            with Image.open(os.path.join(folder, name)) as image:
                image.thumbnail((400, 10000000), Image.LANCZOS)
                image.save(os.path.join(results, name), quality=80)
        if __name__ == "__main__":
            with Pool(processors) as pool:
                for _ in pool.imap_unordered(make, names, chunksize=4):
                    pass
                # The end of the block would end the workers by a signal, and wait for ever if one has a lock then.
                pool.close()
                pool.join()
        """
}
