import AuthStreams
import Foundation

extension AuthRepositoryContract {
    /// The promise that the one about profiles depends on.
    static let news = "a reload returns the user as the server has them"

    /// Reloading the user, and changing the profile.
    static let reloading = [
        check(news) { trial, findings in
            let rename = try trial.environment.changes.reloading.required()
            let session = try await trial.session()
            try await rename(session.user, "A name of the server")
            let result = await result { () throws(AuthError) in try await trial.repository.reload(session) }
            guard let reloaded = findings.expectSession(of: session.user, in: result) else { return }
            findings.expect(reloaded.provider == session.provider, "the same provider", saw: "saw another")
            findings.expect(
                reloaded.user.displayName == "A name of the server", "the name that the server gave the user",
                saw: "saw another")
            try await goesOn(reloaded, after: "a reload", trial, findings)
        },
        userIsGone("a reload says that the user was disabled", \.disable),
        userIsGone("a reload says that the user was deleted", \.delete),
        check("a profile change is the server's, and leaves the rest as it is") { trial, findings in
            try trial.environment.changes.profile.required()
            let photo = URL(literal: "https://pictures.example/1.jpg")
            let session = try await trial.session()
            let steps: [(ProfileChanges, name: String?, photo: URL?)] = [
                (ProfileChanges(displayName: .set("First"), photoURL: .set(photo)), "First", photo),
                (ProfileChanges(displayName: .set("Second")), "Second", photo),
                (ProfileChanges(photoURL: .remove), "Second", nil), (ProfileChanges(displayName: .remove), nil, nil),
            ]
            var present = session
            for (changes, name, photo) in steps {
                let result = await result { [present] () throws(AuthError) in
                    try await trial.repository.updateProfile(changes, of: present)
                }
                guard let changed = findings.expect("a session", of: result) else { return }
                present = changed
                for user in [present.user] + (try await trial.reloaded(present)) {
                    findings.expect(user.id == session.user.id, "the same user", saw: "saw another")
                    findings.expect(
                        user.displayName == name && user.photoURL == photo,
                        "the values that were set, those that were not, and none that was removed",
                        saw: "name or picture differ")
                }
            }
            try await goesOn(present, after: "a profile change", trial, findings)
        },
    ]

    /// A terminal rejection, or an access token that is refused: after either a refresh decides.
    private static func userIsGone(
        _ name: String, _ action: @escaping @Sendable (Console) -> ContractCapability<Console.Action>
    ) -> ContractCheck<Self> {
        check(name) { trial, findings in
            _ = try trial.environment.changes.reloading.required()
            let end = try action(trial.environment.console).required()
            let session = try await trial.session()
            try await end(session.user)
            let error = await failure { () throws(AuthError) in try await trial.repository.reload(session) }
            findings.expect(
                error.map { $0.classification.refusesAccessToken || $0.classification.sessionEnd != nil } ?? false,
                "a terminal rejection, or a refused access token",
                saw: "saw \(error.map { ContractFindings.words(for: $0) } ?? "a success")")
        }
    }
}

extension RepositoryTrial {
    /// Returns the user by a reload; empty if the repository has none.
    fileprivate func reloaded(_ session: AuthSession) async throws -> [AuthUser] {
        guard environment.changes.reloading.isThere else { return [] }
        return [
            try await Self.promised(AuthRepositoryContract.news, "the user") { () throws(AuthError) in
                try await repository.reload(session)
            }.user
        ]
    }
}
