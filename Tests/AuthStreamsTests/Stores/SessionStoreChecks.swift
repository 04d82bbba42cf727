import AuthStreams
import Foundation
import Testing

/// What every store must do, whatever it is made of. Each check gets an empty store.
struct SessionStoreCheck: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (any SessionStore) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (any SessionStore) async throws -> Void) {
        testDescription = name
        self.run = run
    }

    static let all = [
        SessionStoreCheck("what was never written is nil") { store in
            let record = try await store.read(.session)
            #expect(record == nil)
        },
        SessionStoreCheck("what was written is read back, byte for byte") { store in
            let everyByte = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0) })
            try await store.write(everyByte, for: .session)
            #expect(try await store.read(.session) == everyByte)
        },
        SessionStoreCheck("an empty record is a record") { store in
            try await store.write(Data(), for: .session)
            #expect(try await store.read(.session) == Data())
        },
        SessionStoreCheck("a later write takes the place of the one before, also a longer one") { store in
            try await store.write(Data("first and long".utf8), for: .session)
            try await store.write(Data("second".utf8), for: .session)
            #expect(try await store.read(.session) == Data("second".utf8))
        },
        SessionStoreCheck("records do not touch each other") { store in
            try await store.write(Data("session".utf8), for: .session)
            try await store.write(Data("profiles".utf8), for: .pendingProfiles)
            try await store.remove(.session)
            #expect(try await store.read(.session) == nil)
            #expect(try await store.read(.pendingProfiles) == Data("profiles".utf8))
        },
        SessionStoreCheck("removing what is not there is fine, twice as well") { store in
            try await store.remove(.session)
            try await store.write(Data("session".utf8), for: .session)
            try await store.remove(.session)
            try await store.remove(.session)
            #expect(try await store.read(.session) == nil)
        },
        SessionStoreCheck("a cancelled task's write is carried out") { store in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.write(Data("token".utf8), for: .session)
            }
            try await task.value
            #expect(try await store.read(.session) == Data("token".utf8))
        },
        SessionStoreCheck("writers at once leave one of their records, whole") { store in
            let candidates = (0..<16).map { Data(repeating: UInt8($0), count: 5000) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for data in candidates { group.addTask { try await store.write(data, for: .session) } }
                try await group.waitForAll()
            }
            let survivor = try #require(try await store.read(.session))
            #expect(candidates.contains(survivor))
        },
        SessionStoreCheck("a name that could not name a file is refused with an explanation") { store in
            let names = ["", ".", "..", ".hidden", "-dash", "a/b", "../session", "UPPER", "한글", "a b", "nul\0", "é"]
            for name in names + [String(repeating: "a", count: 65)] {
                let key = SessionStoreKey(rawValue: name)
                for call in [
                    { _ = try await store.read(key) }, { try await store.write(Data(), for: key) },
                    { try await store.remove(key) },
                ] as [() async throws -> Void] {
                    let error = try #require(await #expect(throws: AuthError.self, "\(name)") { try await call() })
                    #expect(error.code == .storage && error.explanation.contains("letters"))
                }
            }
        },
        SessionStoreCheck("a good name is taken up to its full length") { store in
            let key = SessionStoreKey(rawValue: "0" + String(repeating: "a.-", count: 21))
            try await store.write(Data("x".utf8), for: key)
            #expect(try await store.read(key) == Data("x".utf8))
        },
        SessionStoreCheck("who waits for an unlocked store does not wait") { store in
            await store.waitUntilUnlocked()
            let record = try await store.read(.session)
            #expect(record == nil)
        },
    ]
}
