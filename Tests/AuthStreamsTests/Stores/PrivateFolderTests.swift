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
    /// To be entered and written is enough.
    @Test(.enabled(if: geteuid() != 0, "Root may read everything."))
    func aFolderIsMadeAlsoInOneThatMayNotBeRead() async throws {
        try await withTemporaryFolder { root in
            try FileManager.default.setAttributes([.posixPermissions: 0o300], ofItemAtPath: root.path)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: root.path) }
            let folder = root.appending(path: "a")
            try PrivateFolder.make(folder.path, of: LocalFileSystem())
            #expect(FileManager.default.fileExists(atPath: folder.path))
        }
    }
}
