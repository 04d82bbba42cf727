#if os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import Testing

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// On a disk that is really full a record stays as it was, whole, and the error says what to do.
    @Suite struct FullDiskTests {
        @Test(.enabled("Only who may mount a disk can fill one.") { SmallDisk.canBeMade })
        func aRecordThatDoesNotFitLeavesTheOldOne() async throws {
            try await withTemporaryFolder { root in
                let disk = try #require(SmallDisk(at: root.appending(path: "disk")))
                defer { disk.remove() }
                let folder = disk.root.appending(path: "store")
                let store = FileSessionStore(folder: folder)
                let old = Data(repeating: 1, count: 20_000)
                try await store.write(old, for: .session)

                let error = try #require(
                    await #expect(throws: AuthError.self) {
                        try await store.write(Data(repeating: 2, count: 60_000), for: .session)
                    })
                #expect(error.code == .storage && error.explanation.contains("Free some space."))
                #expect(try await store.read(.session).data == old)
                #expect(try folder.names() == ["session@1"])

                // With no room for a single byte more it can still be read and removed.
                try? Data(repeating: 3, count: 100_000).write(to: disk.root.appending(path: "filler"))
                await #expect(throws: AuthError.self) { try await store.write(old, for: .session) }
                #expect(try await store.read(.session).data == old)
                try await store.remove(.session)
                #expect(try await store.read(.session).data == nil)
            }
        }
    }

    /// A disk of 64 KiB, in memory.
    private struct SmallDisk {
        let root: URL

        static var canBeMade: Bool {
            let disk = SmallDisk(at: FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
            disk?.remove()
            return disk != nil
        }

        init?(at root: URL) {
            self.root = root
            try? FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            guard mount("tmpfs", root.path, "tmpfs", 0, "size=64k,mode=0700") == 0 else {
                try? FileManager.default.removeItem(at: root)
                return nil
            }
        }

        func remove() {
            umount(root.path)
            try? FileManager.default.removeItem(at: root)
        }
    }
#endif
