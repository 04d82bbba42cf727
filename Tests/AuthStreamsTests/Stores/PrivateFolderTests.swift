import Foundation
import Testing

@testable import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite struct PrivateFolderTests {
    /// Else a power cut could take the folder away, and the record in it that was said to be on the disk.
    @Test func eachFolderThatIsMadeIsOnTheDiskBeforeTheNext() async throws {
        try await withTemporaryFolder { root in
            let folder = root.appending(path: "a/b/c")
            var flushed: [(path: String, names: [String])] = []
            let flush: (String) throws(AuthError) -> Void = { path in
                let names = try? FileManager.default.contentsOfDirectory(atPath: path)
                flushed.append((path, names ?? []))
            }
            try PrivateFolder.make(folder.path, flushNames: flush)
            #expect(flushed.map(\.path) == [root.path, root.path + "/a", root.path + "/a/b"])
            #expect(flushed.map(\.names) == [["a"], ["b"], ["c"]])
            flushed = []
            try PrivateFolder.make(folder.path, flushNames: flush)
            #expect(flushed.isEmpty, "It was there.")
        }
    }

    /// To be entered and written is enough.
    @Test(.enabled(if: geteuid() != 0, "Root may read everything."))
    func aFolderIsMadeAlsoInOneThatMayNotBeRead() async throws {
        try await withTemporaryFolder { root in
            try FileManager.default.setAttributes([.posixPermissions: 0o300], ofItemAtPath: root.path)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: root.path) }
            let folder = root.appending(path: "a")
            try PrivateFolder.make(folder.path)
            #expect(FileManager.default.fileExists(atPath: folder.path))
        }
    }
}
