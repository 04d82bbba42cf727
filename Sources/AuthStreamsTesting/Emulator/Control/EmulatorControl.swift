import AuthStreams
import Foundation
import LoopbackHTTP

/// The control of an emulator over HTTP, for programs that have its token. The article *Run the emulator* has its requests.
struct EmulatorControl: Sendable {
    static let path = "/emulator/control"

    let token: Secret
    /// The configuration of the start.
    let start: EmulatorConfiguration
    /// Lets one change end before the next begins.
    private let changes = Lock<Void>(())

    func respond(to request: LoopbackRequest, at names: [String], _ router: EmulatorRouter) -> LoopbackResponse {
        let sent = request.header("Authorization")?.split(separator: " ", maxSplits: 1) ?? []
        // Digests, so that the time of the comparison says nothing about the token.
        guard sent.count == 2, sent[0].lowercased() == "bearer",
            SHA256.hex(String(sent[1])) == SHA256.hex(token.reveal())
        else {
            var response = Self.problem(
                "Send the token that the emulator printed at its start: Authorization: Bearer TOKEN.", 401)
            response.headers.append(("WWW-Authenticate", "Bearer"))
            return response
        }
        do throws(AuthError) {
            switch (request.method, names) {
            case ("GET", ["events"]): return router.events(after: request.lastEventID)
            case ("POST", ["reset"]):
                changes.withLock { _ in router.reset(to: start) }
                return LoopbackResponse(status: 204)
            case ("POST", ["import"]):
                let configuration = try EmulatorConfiguration(json: request.body)
                changes.withLock { _ in router.reset(to: configuration) }
                return LoopbackResponse(status: 204)
            case ("GET", _):
                guard let value = router.configuration.setting[names] else { return Self.noSetting(names) }
                return .json(value)
            case ("PUT", _), ("POST", _):
                return try changes.withLock { _ throws(AuthError) in
                    try change(names, to: request.body, isAddition: request.method == "POST", router)
                }
            default: return .methodNotAllowed("GET, PUT, POST")
            }
        } catch { return Self.problem(error.explanation, 400) }
    }

    private func change(
        _ names: [String], to body: Data, isAddition: Bool, _ router: EmulatorRouter
    ) throws(AuthError) -> LoopbackResponse {
        let known = router.configuration
        guard let value = known.setting[names] else { return Self.noSetting(names) }
        var (changed, body) = (known, body)
        if isAddition {
            guard let list = value.array else {
                return Self.problem("\(names.joined(separator: "/")) is no list.", 409)
            }
            _ = try JSONLines(body)
            // As it was written, so that an error has its line.
            body = Data("[".utf8) + list.map { $0.data + Data(",".utf8) }.joined() + body + Data("]".utf8)
        }
        try changed.take(body, at: names)
        if let fixed = changed.firebase.fixed(unlike: known.firebase) {
            return Self.problem("'firebase.\(fixed)' is fixed until a reset: POST /import.", 409)
        }
        router.change(to: changed, from: known)
        return .json(router.configuration.setting[names] ?? .null)
    }

    private static func noSetting(_ names: [String]) -> LoopbackResponse {
        problem("There is no setting '\(names.joined(separator: "/"))'.", 404)
    }

    static func problem(_ detail: String, _ status: Int) -> LoopbackResponse {
        .problem(detail, title: "The configuration is unchanged", status: status)
    }
}

extension AuthJSON {
    /// The member that names lead to; the value itself for none.
    fileprivate subscript(names: [String]) -> AuthJSON? {
        names.reduce(self) { $0?.object?[$1] }
    }
}

extension EmulatorConfiguration.Firebase {
    /// The first setting by which the services were made and which another configuration has otherwise.
    fileprivate func fixed(unlike other: Self) -> String? {
        let (own, others) = (setting.object ?? [:], other.setting.object ?? [:])
        return [
            "projectID", "region", "function", "functionURLs", "revocationFunction", "sessionRevocationFunction",
            "protectsAddresses",
        ].first { own[$0] != others[$0] }
    }
}

extension LoopbackRequest {
    /// The event after which a reader wants the next: what it has of the stream, or the parameter `after` of a first request.
    var lastEventID: Int {
        max(0, (header("Last-Event-ID") ?? queryItems.first { $0.name == "after" }?.value).flatMap { Int($0) } ?? 0)
    }
}

extension EmulatorRouter {
    /// The answers as server-sent events (HTML Standard section 9.2), those of the past first.
    ///
    /// Each event of type `request` is an answer, with the number of the answer as its identifier. A reader that is slower than the
    /// requests does not get the oldest ones: an event of type `lost` says how many. An event of type `change` follows a change of the
    /// configuration or the faults, except for a fault that a request uses up.
    func events(after start: Int) -> LoopbackResponse {
        let place = Lock(journal.place(of: start))
        let head = LoopbackResponse(
            status: 200, headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: Data("retry: 1000\n\n".utf8))
        return .continued(head) { [journal] in
            guard let (exchanges, dropped, next) = await journal.answers(after: place.withLock(\.self)) else {
                return nil
            }
            let known = place.withLock { place in
                defer { place = next }
                return place
            }
            let lost = dropped == 0 ? "" : "event: lost\ndata: {\"count\":\(dropped)}\n\n"
            let change = known.changes == next.changes ? "" : "event: change\ndata: {}\n\n"
            return Data((lost + exchanges.map(\.event).joined() + change).utf8)
        }
    }
}

extension Exchange {
    fileprivate var event: String {
        "id: \(answer ?? 0)\nevent: request\ndata: \(String(decoding: description.data, as: UTF8.self))\n\n"
    }

    /// What the journal shows, and why the request was refused.
    private var description: AuthJSON {
        var members: [String: AuthJSON] = [
            "number": .integer(Int64(entry.number)), "method": .string(entry.method), "host": .string(entry.host),
            "path": .string(entry.path), "caller": entry.caller == .app ? "app" : "service",
            "status": .integer(Int64(entry.status ?? 0)), "date": .string(beganAt.formatted(.iso8601)),
            "milliseconds": milliseconds.setting,
        ]
        members.add("note", entry.note)
        members.add("fault", fault)
        let refusal = Refusal(self)
        members.add("reason", refusal?.reason)
        members["mismatches"] = .array(
            (refusal?.mismatches ?? []).map { mismatch in
                [
                    "name": .string(mismatch.name), "sent": mismatch.sent.setting,
                    "expected": .strings(mismatch.expected), "remedy": .string(mismatch.remedy.english),
                ]
            })
        return .object(members)
    }

    /// How long the answer took.
    var milliseconds: Double { (((ended ?? began) - began) / .milliseconds(1) * 100).rounded() / 100 }
}
