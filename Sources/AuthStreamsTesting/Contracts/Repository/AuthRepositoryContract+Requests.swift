import AuthStreams
import Foundation

extension AuthRepositoryContract {
    /// What the repository sends and how often, and that it reveals no secret.
    static let requestChecks = [
        check("every sign-in and every refresh asks the server") { trial, findings in
            try trial.requireServer()
            let calls: [RepositoryTrial.Call] = trial.renews ? [.signIn, .refresh] : [.signIn]
            for call in calls {
                for time in ["first", "second"] {
                    let count = try await trial.requests(of: call)
                    findings.expect(count > 0, "a request at the \(time) \(call.name)", saw: "there was none")
                }
            }
        },
        check("nothing is sent twice in one call") { trial, findings in
            try trial.requireServer()
            for call in trial.calls {
                var kept: RepositoryTrial.Prepared?
                for (name, fault) in [("when all is well", nil)] + retried {
                    let sent = try await trial.attempt(call, keeping: &kept) { _ in fault }.identities
                    findings.expect(
                        Set(sent).count == sent.count, "each request of a \(call.name) once \(name)",
                        saw: "\(sent.count - Set(sent).count) were repeated")
                }
            }
        },
        check("a refresh token is sent once in one call") { trial, findings in
            try trial.requireServer()
            try trial.requireRenewal()
            for (name, fault) in [("when all is well", nil)] + retried {
                let session = try await trial.session()
                guard let token = session.refreshToken else {
                    throw ContractSkip(reason: "the session has no refresh token")
                }
                trial.network.begin(fault)
                _ = await failure { () throws(AuthError) in try await trial.repository.refresh(session) }
                let count = trial.network.sent.count { $0.carries(token) }
                trial.network.begin()
                findings.expect(count <= 1, "one request with the token \(name)", saw: "there were \(count)")
            }
        },
        check("a cancelled task ends each call with cancelled") { trial, findings in
            try trial.requireServer()
            try await trial.forEachRequest { call, number in
                let trial = try await RepositoryTrial(in: trial.environment)
                let prepared = try await call.prepare(trial)
                trial.network.begin(.silence, from: number)
                let task = Task {
                    defer { trial.network.callEnded() }
                    return await prepared.result
                }
                guard await trial.network.standsStill() else { return }
                findings.stage("waiting for a \(call.name) that was cancelled at its request \(number)")
                task.cancel()
                let result = await task.value
                findings.expect(
                    result.code == .cancelled, "'cancelled' of a \(call.name) at its request \(number)",
                    saw: "saw \(ContractFindings.words(for: result))")
            }
        },
        check("an error tells no credential and no token") { trial, findings in
            try trial.requireServer()
            try await trial.forEachRequest { call, number in
                var kept: RepositoryTrial.Prepared?
                for status in [200, 400, 401, 403, 500] {
                    let attempt = try await trial.attempt(call, keeping: &kept, from: number) {
                        echo($0.secrets, status: status)
                    }
                    findings.expect(
                        !(attempt.result.failure.map { RenderedText($0).tells(anyOf: attempt.call.secrets) } ?? false),
                        "nothing that the server quotes with \(status) in an error of a \(call.name)",
                        saw: "a credential or token is there")
                }
            }
        },
    ]

    private static let retried: [(String, ContractNetwork.Fault?)] = (deadNetworks + failingServers).map {
        ("(\($0.name))", $0.fault)
    }

    /// Returns the fault of a server that quotes the request in every field of its answer.
    private static func echo(_ secrets: Set<Secret>, status: Int) -> ContractNetwork.Fault {
        .echo { request in
            let quoted = secrets.first { request.carries($0) }?.reveal() ?? ""
            let words = AuthJSON.string(quoted)
            let error = AuthJSON.object([
                "message": words, "status": words, "code": words, "details": .array([.object(["reason": words])]),
            ])
            let members: [String: AuthJSON] = [
                "error": error, "error_description": words, "errorMessage": words, "type": words, "title": words,
                "detail": words, "code": words, "instance": words,
            ]
            let text = (try? JSONEncoder().encode(AuthJSON.object(members))).map {
                String(decoding: $0, as: UTF8.self)
            }
            return .json(text ?? "", status: status)
        }
    }
}
