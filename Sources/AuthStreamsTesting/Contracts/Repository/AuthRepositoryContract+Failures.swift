import AuthStreams
import Foundation

extension AuthRepositoryContract {
    /// Transport failures are never a terminal rejection by the server.
    static let failureChecks = [
        transportFailure("a dead network ends no session", deadNetworks),
        transportFailure("a server that fails ends no session", failingServers),
        transportFailure("a server that asks to wait ends no session", busyServers),
        transportFailure("an answer that cannot be read ends no session", foreignAnswers),
        check("nothing succeeds without a response of the server") { trial, findings in
            try trial.requireServer()
            for call in trial.calls where call != .signOut {
                var kept: RepositoryTrial.Prepared?
                for (name, fault) in deadNetworks + failingServers {
                    let result = try await trial.attempt(call, keeping: &kept) { _ in fault }.result
                    findings.expect(!result.isSuccess, "the \(call.name) to fail (\(name))", saw: "it succeeded")
                }
            }
        },
    ]

    private static func transportFailure(
        _ name: String, _ faults: [(name: String, fault: ContractNetwork.Fault)]
    ) -> ContractCheck<Self> {
        check(name) { trial, findings in
            try trial.requireServer()
            try await trial.forEachRequest { call, number in
                var kept: RepositoryTrial.Prepared?
                for (name, fault) in faults {
                    let attempt = try await trial.attempt(call, keeping: &kept, from: number) { _ in fault }
                    let error = attempt.result.failure
                    findings.expect(
                        error?.classification.sessionEnd == nil,
                        "\(name) at request \(number) of a \(call.name) not to end the session",
                        saw: "saw \(error.map { ContractFindings.words(for: $0) } ?? "")")
                }
            }
        }
    }

    static let deadNetworks: [(name: String, fault: ContractNetwork.Fault)] = [
        ("no network", .failure(.network)), ("no answer in time", .failure(.timedOut)),
    ]
    static let failingServers: [(name: String, fault: ContractNetwork.Fault)] = [500, 502, 503].flatMap { status in
        [
            ("an empty \(status)", .answer(AuthHTTPResponse(status: status))),
            ("a page with \(status)", .answer(.page(status: status))),
        ]
    }
    private static let busyServers: [(name: String, fault: ContractNetwork.Fault)] = [
        ("429", .answer(AuthHTTPResponse(status: 429))),
        ("429 with Retry-After", .answer(AuthHTTPResponse(status: 429, headers: [.retryAfter: "7"]))),
    ]
    private static let foreignAnswers: [(name: String, fault: ContractNetwork.Fault)] = [
        ("a page with 200", .answer(.page(status: 200))), ("an empty 200", .answer(AuthHTTPResponse(status: 200))),
        ("an empty object", .answer(.json("{}"))), ("JSON that is no object", .answer(.json("null"))),
        ("JSON that ends in the middle", .answer(.json(#"{"accessToken":"#))),
        ("a redirect", .answer(AuthHTTPResponse(status: 302, headers: ["location": "https://elsewhere.example/"]))),
        ("an answer that is too large", .failure(.invalidResponse)),
    ]
}

extension RepositoryTrial {
    /// Runs the body for every request of every call, counted from 1.
    func forEachRequest(_ body: (Call, Int) async throws -> Void) async throws {
        for call in calls {
            let count = try await requests(of: call)
            for number in 0..<count { try await body(call, number + 1) }
        }
    }
}

extension AuthHTTPResponse {
    fileprivate static func page(status: Int) -> AuthHTTPResponse {
        let body = "<!doctype html><title>Sign in to the network</title>"
        return AuthHTTPResponse(status: status, headers: [.contentType: "text/html"], body: Data(body.utf8))
    }

    static func json(_ text: String, status: Int = 200) -> AuthHTTPResponse {
        AuthHTTPResponse(status: status, headers: [.contentType: "application/json"], body: Data(text.utf8))
    }
}
