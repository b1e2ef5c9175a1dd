import CalotypeBase
import Foundation
import Testing

@testable import CalotypeServer

/// The file systems that no store is kept on.
struct NetworkFileSystemTests {
    private static let remote: [(type: UInt32, mount: ByteString?, name: String)] = [
        (0x6969, nil, "NFS"), (0xFF53_4D42, "cifs", "SMB (CIFS)"), (0xFE53_4D42, "smb3", "SMB"),
        (0x0102_1997, "9p", "9P"),
        (0x00C3_6400, "ceph", "Ceph"), (0x0BD0_0BD0, "lustre", "Lustre"), (0x5346_414F, "afs", "AFS"),
        (0x0116_1970, "gfs2", "GFS2"), (0x7461_636F, "ocfs2", "OCFS2"),
        (0x6573_5546, "fuse.sshfs", "sshfs (FUSE)"), (0x6573_5546, "fuse.GlusterFS", "glusterfs (FUSE)"),
        (0x6573_5546, "fuse.mountpoint-s3", "mountpoint-s3 (FUSE)"),
    ]

    @Test(arguments: remote.indices) func `a network file system is named`(row: Int) {
        let (type, mount, name) = Self.remote[row]
        #expect(NetworkFileSystem(NetworkFileSystem.Status(type: type, mountType: mount))?.name == name)
    }

    private static let local: [(type: UInt32, mount: ByteString?)] = [
        (0xEF53, "ext4"), (0x5846_5342, "xfs"), (0x9123_683E, "btrfs"), (0x0102_1994, "tmpfs"),
        (0x794C_7630, "overlay"),
        (0x2FC1_2FC1, "zfs"), (0x6573_5546, "fuseblk"), (0x6573_5546, "fuse.fuse-overlayfs"), (0x6573_5546, nil),
        (0x6573_5546, "fuse.unionfs"), (0x6573_5546, "fuse./dev/sdb1"), (0x6573_5546, "virtiofs"),
    ]

    @Test(arguments: local.indices) func `a disk, memory and FUSE on a disk are none`(row: Int) {
        let (type, mount) = Self.local[row]
        #expect(NetworkFileSystem(NetworkFileSystem.Status(type: type, mountType: mount)) == nil)
    }

    @Test func `a folder that does not exist lies on the file system of the last one above it`() {
        let asked = Locked<[String]>([])
        let found = NetworkFileSystem(at: "/mnt/share/cache/results") { path in
            asked.withLock { $0.append(path) }
            return path == "/mnt/share" ? NetworkFileSystem.Status(type: 0x6969) : nil
        }
        #expect(found?.name == "NFS")
        #expect(asked.withLock { $0 } == ["/mnt/share/cache/results", "/mnt/share/cache", "/mnt/share"])
        for path in ["", "cache", "/", "/none"] {
            #expect(NetworkFileSystem(at: path, status: { _ in nil }) == nil)
        }
        let relative = NetworkFileSystem(at: "cache/results") {
            $0 == "." ? NetworkFileSystem.Status(type: 0x6969) : nil
        }
        #expect(relative?.name == "NFS")
    }

    @Test func `the system answers for folders that exist`() throws {
        let status = try #require(NetworkFileSystem.Status(of: NSTemporaryDirectory()))
        #expect(status.type != 0 && status.mountType != nil)
        #expect(NetworkFileSystem.Status(of: "/no/such/folder") == nil)
        // procfs: the number of its type, and its name in the list of mounts.
        #expect(NetworkFileSystem.Status(of: "/proc") == NetworkFileSystem.Status(type: 0x9FA0, mountType: "proc"))
    }
}
