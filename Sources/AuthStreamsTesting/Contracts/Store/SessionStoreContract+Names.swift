import AuthStreams
import Foundation

extension SessionStoreContract {
    /// A name must be one that every store can keep; see ``AuthStreams/SessionStoreKey/validate()``.
    static let names = [
        check("a name that no store can keep is refused with storage") { place, findings in
            let names = ["", ".", "..", ".hidden", "-dash", "a/b", "../session", "UPPER", "한글", "a b", "nul\0", "é"]
            for name in names + [String(repeating: "a", count: 65)] {
                for (verb, call) in calls(on: place.store, SessionStoreKey(rawValue: name)) {
                    let seen = await code(of: call)
                    findings.expect(
                        seen == .storage,
                        "\(verb) '\(name)' to be refused with 'storage', as `SessionStoreKey.validate()` does, which a store "
                            + "calls first: a name is 1 to 64 lower-case ASCII letters, digits, dots and hyphens, the first a "
                            + "letter or digit",
                        saw: "saw \(seen.map { "'\($0.rawValue)'" } ?? "no error")")
                }
            }
        },
        check("a valid name is accepted up to its full length") { place, findings in
            let key = SessionStoreKey(rawValue: "0" + String(repeating: "a.-", count: 21))
            try await place.store.write(Data("x".utf8), for: key)
            try await expect(Data("x".utf8), for: key, in: place.store, findings)
        },
    ]

    typealias Call = (verb: String, run: @Sendable () async throws -> Void)

    /// The calls with a record's name.
    static func calls(on store: any SessionStore, _ key: SessionStoreKey) -> [Call] {
        [
            ("reading", { _ = try await store.read(key) }),
            ("writing", { _ = try await store.write(Data("new".utf8), for: key, replacing: .none) }),
            ("removing", { _ = try await store.write(nil, for: key, replacing: .none) }),
        ]
    }

    /// Returns the code of a call's error; `nil` if it succeeds.
    static func code(of call: @Sendable () async throws -> Void) async -> AuthError.Code? {
        do { try await call() } catch { return AuthError(wrapping: error).code }
        return nil
    }
}
