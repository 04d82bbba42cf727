#if !AUTH_DARWIN
    import AuthStreamsTesting
    import Foundation
    import Testing

    @testable import AuthStreams

    @Suite struct FileSessionStoreStandardTests {
        /// The app's own folder may be anything but private.
        @Test func stateHomeIsWhereTheEnvironmentSaysAndTheStoreHasAFolderOfItsOwn() async throws {
            try await withTemporaryFolder { root in
                let ofTheApp = root.appending(path: "com.example.app")
                try FileManager.default.createDirectory(
                    at: ofTheApp, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
                try Data("theirs".utf8).write(to: ofTheApp.appending(path: "session"))
                let store = FileSessionStore.standard(
                    application: "com.example.app", environment: ["XDG_STATE_HOME": root.path])
                try await store.write(Data("x".utf8), for: .session)
                #expect(try root.names() == ["com.example.app"])
                #expect(try Set(ofTheApp.names()) == ["session", "AuthStreams"])
                #expect(try ofTheApp.appending(path: "AuthStreams").names() == ["session@1"])
                #expect(try Data(contentsOf: ofTheApp.appending(path: "session")) == Data("theirs".utf8))
            }
        }

        @Test(arguments: [[:], ["XDG_STATE_HOME": ""], ["XDG_STATE_HOME": "relative/state"]])
        func withoutAnAbsoluteStateHomeItIsTheUsers(environment: [String: String]) throws {
            let folder = FileSessionStore.standardFolder("app", environment)
            #expect(folder.path == URL.homeDirectory.path + "/.local/state/app/AuthStreams")
        }

        @Test(arguments: ["", ".", "..", ".app", "a/b", "/etc", "nul\0"])
        func applicationNameThatLeadsElsewhereIsRefused(name: String) async throws {
            try await withTemporaryFolder { root in
                let store = FileSessionStore.standard(application: name, environment: ["XDG_STATE_HOME": root.path])
                let error = try #require(
                    await #expect(throws: AuthError.self) { try await store.write(Data(), for: .session) })
                #expect(error.code == .storage)
                #expect(try root.names() == [])
            }
        }
    }
#endif
