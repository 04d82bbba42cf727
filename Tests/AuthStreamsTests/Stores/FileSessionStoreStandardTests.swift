#if !AUTH_DARWIN
    import Foundation
    import Testing

    @testable import AuthStreams

    @Suite struct FileSessionStoreStandardTests {
        @Test func stateHomeIsWhereTheEnvironmentSays() async throws {
            try await withTemporaryFolder { root in
                let store = FileSessionStore.standard(
                    application: "com.example.app", environment: ["XDG_STATE_HOME": root.path])
                try await store.write(Data("x".utf8), for: .session)
                #expect(try root.names() == ["com.example.app"])
                #expect(try root.appending(path: "com.example.app").names() == ["session"])
            }
        }

        @Test(arguments: [[:], ["XDG_STATE_HOME": ""], ["XDG_STATE_HOME": "relative/state"]])
        func withoutAnAbsoluteStateHomeItIsTheUsers(environment: [String: String]) throws {
            let folder = FileSessionStore.standardFolder("app", environment)
            #expect(folder.path == URL.homeDirectory.path + "/.local/state/app")
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
