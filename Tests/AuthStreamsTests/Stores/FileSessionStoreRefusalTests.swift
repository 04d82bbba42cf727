import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a store refuses to touch, and that it says why.
@Suite struct FileSessionStoreRefusalTests {
    private let data = Data("a token".utf8)

    /// Expects read, write and remove to fail alike, and the lock unless it is the record alone that is bad, with an
    /// explanation that holds the words.
    private func expectRefusal(
        of folder: URL, saying words: String, lockToo: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let store = FileSessionStore(folder: folder)
        let calls: [() async throws -> Void] = [
            { _ = try await store.read(.session) }, { try await store.write(data, for: .session) },
            { try await store.remove(.session) }, { _ = try await store.lock(.session) },
        ]
        for call in lockToo ? calls : calls.dropLast() {
            let error = try #require(
                await #expect(throws: AuthError.self, sourceLocation: sourceLocation) { try await call() })
            #expect(error.code == .storage, sourceLocation: sourceLocation)
            #expect(error.explanation.contains(words), sourceLocation: sourceLocation)
        }
    }

    private func makeFile(_ url: URL, mode: Int = 0o600) throws {
        #expect(
            FileManager.default.createFile(atPath: url.path, contents: data, attributes: [.posixPermissions: mode]))
    }

    @Test func folderThatIsALink() async throws {
        try await withTemporaryFolder { root in
            let (real, link) = (root.appending(path: "real"), root.appending(path: "link"))
            try await FileSessionStore(folder: real).write(data, for: .session)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            try await expectRefusal(of: link, saying: "symbolic link")
            try await expectRefusal(of: URL(filePath: link.path + "/"), saying: "symbolic link")
            try await expectRefusal(of: URL(filePath: link.path + "/."), saying: "symbolic link")
            #expect(try await FileSessionStore(folder: real).read(.session).data == data)
        }
    }

    /// The mode of a folder above the store's, and what the refusal says; `nil` if the store uses the folder.
    @Test(
        arguments: [
            (0o755, nil), (0o711, nil), (0o1777, nil), (0o777, "chmod go-w"), (0o702, "chmod go-w"),
        ] as [(mode_t, String?)])
    func folderAboveByItsMode(mode: mode_t, refusal: String?) async throws {
        try await expect(refusal, of: mode)
    }

    /// The mode, user and group of a folder above the store's. Root's primary group has root's name and is private.
    @Test(
        .enabled(if: geteuid() == 0, "Only root can give files away."),
        arguments: [
            (0o755, 65_534, 0, "belongs to user 65534"), (0o1777, 65_534, 0, "belongs to user 65534"),
            (0o775, 0, 65_534, "chmod go-w"), (0o1775, 0, 65_534, nil), (0o775, 0, 0, nil),
        ] as [(mode_t, uid_t, gid_t, String?)])
    func folderAboveByItsOwner(mode: mode_t, user: uid_t, group: gid_t, refusal: String?) async throws {
        try await expect(refusal, of: mode, user, group)
    }

    private func expect(_ refusal: String?, of mode: mode_t, _ user: uid_t? = nil, _ group: gid_t? = nil) async throws {
        try await withTemporaryFolder { root in
            let above = root.appending(path: "above")
            let stores = [above.appending(path: "between/store"), above.appending(path: "other")]
            // One exists before the folder above it is changed.
            try await FileSessionStore(folder: stores[0]).write(data, for: .session)
            if let user, let group { #expect(chown(above.path, user, group) == 0) }
            #expect(chmod(above.path, mode) == 0)
            for store in stores {
                if let refusal {
                    try await expectRefusal(of: store, saying: refusal)
                } else {
                    try await FileSessionStore(folder: store).write(data, for: .session)
                }
            }
            #expect(try above.names() == (refusal == nil ? ["between", "other"] : ["between"]))
        }
    }

    @Test func linkAboveTheFolder() async throws {
        try await withTemporaryFolder { root in
            let names = ["own", "sticky", "open"]
            for (name, mode) in zip(names, [0o755, 0o1777, 0o777] as [mode_t]) {
                try FileManager.default.createDirectory(
                    at: root.appending(path: name), withIntermediateDirectories: false)
                #expect(chmod(root.appending(path: name).path, mode) == 0)
            }
            for (link, target) in [
                ("own/absolute", root.path + "/own"), ("own/relative", "../own/."), ("sticky/link", "../own"),
                ("own/danger", "../open"), ("own/loop", "loop"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: root.appending(path: link).path, withDestinationPath: target)
            }
            for link in ["own/absolute", "own/relative"] {
                let store = root.appending(path: "\(link)/store")
                try await FileSessionStore(folder: store).write(data, for: .session)
            }
            #expect(try root.appending(path: "own/store").names() == ["session@2"])
            let refusals = [
                ("sticky/link", "'\(root.path)/sticky/link'"), ("own/danger", "'\(root.path)/open'"),
                ("own/loop", "open"),
            ]
            for (link, words) in refusals {
                try await expectRefusal(of: root.appending(path: "\(link)/store"), saying: words)
            }
        }
    }

    @Test func fileWhereTheFolderShouldBe() async throws {
        try await withTemporaryFolder { root in
            try makeFile(root.appending(path: "store"))
            try await expectRefusal(of: root.appending(path: "store"), saying: "a file where")
        }
    }

    @Test(arguments: [0o755, 0o750, 0o701, 0o770])
    func folderThatOthersCanEnter(mode: Int) async throws {
        try await withTemporaryFolder { root in
            let folder = root.appending(path: "store")
            try await FileSessionStore(folder: folder).write(data, for: .session)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
            try await expectRefusal(of: folder, saying: "chmod go-rwx")
            #expect(try folder.mode() == mode)
        }
    }

    @Test(arguments: [0o644, 0o640, 0o620, 0o602])
    func recordThatOthersCanOpen(mode: Int) async throws {
        try await withTemporaryFolder { folder in
            try makeFile(folder.appending(path: "session"), mode: mode)
            try await expectRefusal(of: folder, saying: "mode \(String(mode, radix: 8))", lockToo: false)
        }
    }

    @Test func recordThatIsALink() async throws {
        try await withTemporaryFolder { root in
            let (folder, target) = (root.appending(path: "store"), root.appending(path: "target"))
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try makeFile(target)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "session"), withDestinationURL: target)
            try await expectRefusal(of: folder, saying: "symbolic link", lockToo: false)
            #expect(try Data(contentsOf: target) == data)
        }
    }

    @Test func recordThatIsALinkToNothing() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "session"), withDestinationURL: folder.appending(path: "nowhere"))
            try await expectRefusal(of: folder, saying: "symbolic link", lockToo: false)
        }
    }

    @Test func recordThatIsAFolderIsNotEmpty() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "session"), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            try await expectRefusal(of: folder, saying: "not a plain file", lockToo: false)
        }
    }

    @Test func recordThatIsAPipeIsRefusedWithoutWaiting() async throws {
        try await withTemporaryFolder { folder in
            #expect(mkfifo(folder.appending(path: "session").path, 0o600) == 0)
            try await expectRefusal(of: folder, saying: "not a plain file", lockToo: false)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give files away."))
    func whatBelongsToAnotherUser() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "session")
            try makeFile(file)
            #expect(chown(file.path, 65_534, 65_534) == 0)
            try await expectRefusal(of: folder, saying: "belongs to user 65534", lockToo: false)
            #expect(chown(file.path, 0, 0) == 0)
            #expect(chown(folder.path, 65_534, 65_534) == 0)
            try await expectRefusal(of: folder, saying: "belongs to user 65534")
        }
    }

    @Test(.enabled(if: geteuid() != 0, "Root may read everything."))
    func whatTheSystemDoesNotLetUsRead() async throws {
        try await withTemporaryFolder { folder in
            try makeFile(folder.appending(path: "session"), mode: 0)
            let error = try #require(
                await #expect(throws: AuthError.self) { try await FileSessionStore(folder: folder).read(.session).data }
            )
            #expect(error.code == .storage)
        }
    }

    @Test func lockFileThatOthersCanOpen() async throws {
        try await withTemporaryFolder { folder in
            try makeFile(folder.appending(path: ".session.lock"), mode: 0o620)
            try await expectRefusedLock(in: folder, saying: "hold the lock forever")
            #expect(try folder.appending(path: ".session.lock").mode() == 0o620)
        }
    }

    @Test func lockFileThatIsALink() async throws {
        try await withTemporaryFolder { root in
            let (folder, target) = (root.appending(path: "store"), root.appending(path: "target"))
            try await FileSessionStore(folder: folder).write(data, for: .session)
            for isThere in [false, true] {
                if isThere { try makeFile(target) }
                let link = folder.appending(path: ".session.lock")
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
                try await expectRefusedLock(in: folder, saying: "symbolic link")
                #expect(FileManager.default.fileExists(atPath: target.path) == isThere)
                try FileManager.default.removeItem(at: link)
            }
        }
    }

    @Test func lockFileThatIsAPipeOrAFolderIsRefusedWithoutWaiting() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: ".session.lock")
            #expect(mkfifo(file.path, 0o600) == 0)
            try await expectRefusedLock(in: folder, saying: "not a plain lock file")
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(
                at: file, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try await expectRefusedLock(in: folder, saying: "not a plain lock file")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give files away."))
    func lockFileThatBelongsToAnotherUser() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: ".session.lock")
            try makeFile(file)
            #expect(chown(file.path, 65_534, 65_534) == 0)
            try await expectRefusedLock(in: folder, saying: "belongs to user 65534")
        }
    }

    /// Expects the lock to be refused, and to be had once its file is gone: a refusal holds nothing.
    private func expectRefusedLock(
        in folder: URL, saying words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let store = FileSessionStore(folder: folder)
        for _ in 0..<2 {
            let error = try #require(
                await #expect(throws: AuthError.self, sourceLocation: sourceLocation) {
                    _ = try await store.lock(.session)
                })
            #expect(error.code == .storage, sourceLocation: sourceLocation)
            #expect(error.explanation.contains(words), sourceLocation: sourceLocation)
        }
    }

    @Test func folderThatCannotBeMade() async throws {
        try await withTemporaryFolder { root in
            try makeFile(root.appending(path: "file"))
            let store = FileSessionStore(folder: root.appending(path: "file/store"))
            let error = try #require(
                await #expect(throws: AuthError.self) {
                    _ = try await store.write(data, for: .session, replacing: .none)
                })
            #expect(error.code == .storage)
            #expect(error.cause?.code == Int(ENOTDIR))
        }
    }

    @Test func addressThatIsNoFile() async throws {
        try await expectRefusal(of: try #require(URL(string: "https://app.example/store")), saying: "file URL")
    }
}
