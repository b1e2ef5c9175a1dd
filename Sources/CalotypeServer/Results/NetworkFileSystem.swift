import CBeneath
package import CalotypeBase
import Foundation
import Glibc

/// A file system of a network, on which a store does not work: SQLite's locks and shared memory are those of one machine,
/// and a file may disappear while another machine reads it.
package struct NetworkFileSystem: Hashable, Sendable {
    /// The name for people, such as "NFS".
    package let name: String

    /// The answer of the system about the file system of a folder.
    package struct Status: Hashable, Sendable {
        /// The number of the file system's type (`statfs`).
        package var type: UInt32
        /// The type in the list of mounts, such as "ext4" or "fuse.sshfs"; `nil` if it is unknown.
        package var mountType: ByteString?

        package init(type: UInt32, mountType: ByteString? = nil) { (self.type, self.mountType) = (type, mountType) }
    }

    /// Returns `nil` for the file system of a disk or of memory.
    package init?(_ status: Status) {
        if status.type == Self.fuse {
            guard let mountType = status.mountType, let name = Self.name(ofFUSE: mountType) else { return nil }
            self.name = name
        } else {
            guard let name = Self.names[status.type] else { return nil }
            self.name = name
        }
    }

    /// Finds the network file system at a path, or at the last folder on it that exists; `nil` if that is on another one.
    ///
    /// - Parameter status: Asks the system about a path; `nil` if the path does not exist.
    package init?(at path: String, status: (String) -> Status? = Status.init(of:)) {
        var path = path.isEmpty ? "." : path
        while true {
            if let found = status(path) {
                self.init(found)
                return
            }
            let folder = LocalPath(text: path).folder
            let above = folder.isEmpty ? "." : folder.text ?? "."
            guard ByteString(above) != ByteString(path) else { return nil }
            path = above
        }
    }

    /// The message for an operator who keeps a store there.
    package func refusal(of store: String) -> String {
        "--store \(store) is on a network file system, \(name), where the store's database fails: "
            + "choose a folder on a disk of this machine, another one for each machine"
    }

    /// The numbers in `linux/magic.h`, and those of file systems outside of the kernel.
    private static let names: [UInt32: String] = [
        0x0000_6969: "NFS", 0xFF53_4D42: "SMB (CIFS)", 0xFE53_4D42: "SMB", 0x0000_517B: "SMB", 0x0102_1997: "9P",
        0x00C3_6400: "Ceph", 0x0BD0_0BD0: "Lustre", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x0116_1970: "GFS2",
        0x7461_636F: "OCFS2", 0x7375_7245: "Coda", 0x0000_564C: "NCP", 0x4750_4653: "GPFS", 0x1983_0326: "BeeGFS",
        0xAAD7_AAEA: "PanFS", 0x2003_0528: "OrangeFS", 0xBEEF_DEAD: "StorNext", 0x6163_6673: "ACFS",
        0x786F_4256: "a shared folder of VirtualBox", 0xBACB_ACBC: "a shared folder of VMware",
        0x7C7C_6673: "a shared folder of Parallels",
    ]

    private static let fuse: UInt32 = 0x6573_5546

    /// Returns the name of a network file system in a process of its own. The number of FUSE alone decides nothing: disks
    /// (ntfs-3g, exFAT) and the roots of containers without privileges (fuse-overlayfs) have it, too, and work.
    private static func name(ofFUSE mountType: ByteString) -> String? {
        let parts = mountType.lowercasedASCII.split(separator: UInt8(ascii: "."), maxSplits: 1)
        return parts.count == 2 && remoteFUSE.contains(parts[1]) ? "\(parts[1].displayed) (FUSE)" : nil
    }

    private static let remoteFUSE: Set<ByteString> = [
        "sshfs", "s3fs", "s3ql", "mountpoint-s3", "gcsfuse", "goofys", "rclone", "blobfuse", "blobfuse2", "glusterfs",
        "ceph", "ceph-fuse", "juicefs", "seaweedfs", "mfs", "moosefs", "lizardfs", "davfs", "davfs2", "curlftpfs",
        "nfs",
        "fuse-nfs", "smbnetfs", "cvmfs", "cvmfs2", "beegfs", "alluxio-fuse", "fuse_dfs", "hdfs", "ossfs", "cosfs",
        "objectivefs", "yas3fs", "riofs",
    ]
}

extension NetworkFileSystem.Status {
    /// Asks the system; `nil` if the path does not exist, or cannot be reached.
    package init?(of path: String) {
        var type: UInt32 = 0
        guard calotype_file_system(path, &type) == 0 else { return nil }
        self.init(type: type, mountType: Self.mountType(of: path))
    }

    /// Returns the type of the mount on which a path lies, by the number of its device. Some programs name themselves as
    /// the device instead: "fuse" and "mountpoint-s3" are returned as "fuse.mountpoint-s3".
    private static func mountType(of path: String) -> ByteString? {
        var status = stat()
        guard stat(path, &status) == 0,
            let list = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/mountinfo"))
        else { return nil }
        let device = deviceName(UInt64(status.st_dev))
        for line in list.split(separator: 0x0A) {
            // "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw": the type follows the dash.
            let words = ByteString(bytes: line).split(separator: 0x20)
            guard words.count > 2, words[2] == device, let dash = words.firstIndex(of: "-"), dash + 2 < words.count
            else { continue }
            return words[dash + 1] == "fuse" ? "fuse.\(words[dash + 2])" : words[dash + 1]
        }
        return nil
    }

    /// Returns the major and the minor number of a device, as the list of mounts has them.
    private static func deviceName(_ device: UInt64) -> ByteString {
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
        return "\(major):\(minor)"
    }
}
