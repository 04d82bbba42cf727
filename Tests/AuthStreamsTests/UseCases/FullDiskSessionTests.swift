import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a person finds who signs in or out while the disk of a ``FileSessionStore`` is full.
@Suite(.limitedParallelization) struct FullDiskSessionTests {
    enum Shortage: Sendable { case ofBlocks, ofFiles }

    /// A disk without space for the content of a file, or for a file either.
    private final class Disk: Sendable {
        private let machine = Lock(SimulatedMachine(SimulatedDisk(folders: [])))
        private let shortage = Lock<Shortage?>(nil)

        func fill(_ shortage: Shortage?) { self.shortage.withLock { $0 = shortage } }

        var store: FileSessionStore {
            FileSessionStore(
                folder: SimulatedHost.folder,
                of: SimulatedFileSystem { [machine, shortage] call in
                    switch (shortage.withLock { $0 }, call) {
                    case (.ofBlocks?, .write): .result(-ENOSPC)
                    case (.ofFiles?, .open(_, _, let flags, _)) where flags & O_CREAT != 0: .result(-ENOSPC)
                    default: machine.withLock { $0.perform(call, by: 0) }
                    }
                })
        }
    }

    private let disk = Disk()

    private func userOfTheNextLaunch() async throws -> AuthUser.ID? {
        try await RefreshScene(signedIn: false, over: disk.store).manager.session?.user.id
    }

    /// The end of the session needs no space: where it cannot be written, the record is removed.
    @Test func signOutWithoutSpaceForARecordEndsTheSession() async throws {
        let scene = try await RefreshScene(over: disk.store)
        disk.fill(.ofBlocks)
        try await scene.signOut()
        #expect(scene.manager.state == .signedOut(.user))
        #expect(try await userOfTheNextLaunch() == nil)
        disk.fill(nil)
        try await scene.signIn("bob")
        #expect(try await userOfTheNextLaunch() == "bob")
    }

    /// Where the end can't be stored at all, the caller learns of it, and the write is repeated once there is space.
    @Test func signOutWithoutSpaceForAFileIsRepeated() async throws {
        let scene = try await RefreshScene(over: disk.store)
        disk.fill(.ofFiles)
        let error = await #expect(throws: AuthError.self) { try await scene.signOut() }
        #expect(error?.code == .storage)
        #expect(error?.explanation.contains("Free some space.") == true)
        #expect(scene.manager.state == .signedOut(.user))
        #expect(try await userOfTheNextLaunch() == "ada", "A launch before that finds what is stored.")
        disk.fill(nil)
        scene.clock.advance(by: .seconds(60))
        #expect(scene.manager.isWriteDue)
        try await scene.manager.persistPending()
        #expect(try await userOfTheNextLaunch() == nil)
    }

    /// The new user is shown at once. Where the disk can't even take the removal of the record, a launch still finds the one before.
    @Test(arguments: [Shortage.ofBlocks, .ofFiles])
    func signInWithoutSpaceIsStoredOnceThereIsSome(shortage: Shortage) async throws {
        let scene = try await RefreshScene(over: disk.store)
        disk.fill(shortage)
        try await scene.signIn("bob")
        #expect(scene.manager.state.user?.id == "bob")
        #expect(try await userOfTheNextLaunch() == (shortage == .ofBlocks ? nil : "ada"))
        disk.fill(nil)
        try await scene.manager.persistPending()
        #expect(try await userOfTheNextLaunch() == "bob")
    }
}
