import AuthStreams
import Foundation

/// The requests of one sign-in, in order, also those of its session: each shares a code, a token, a nonce, a `state` or a page with
/// another.
struct SignInTrace {
    let exchanges: [Exchange]

    /// The sign-ins in some requests, the newest first. A request alone is none.
    ///
    /// - Parameter configuration: Has what requests of different sign-ins share.
    static func all(in exchanges: [Exchange], _ configuration: EmulatorConfiguration) -> [SignInTrace] {
        let shared = Set(configuration.clientIDs.map(\.id) + configuration.secrets.map(\.value) + ["owner"])
        // A group has the number of its newest request.
        var (groups, groupOf) = ([[Int]](), [Int]())
        var latest: [String: Int] = [:]
        for (index, exchange) in exchanges.enumerated() {
            groups.append([index])
            groupOf.append(index)
            for value in exchange.links where !shared.contains(value) {
                guard let group = latest.updateValue(index, forKey: value).map({ groupOf[$0] }), group != index else {
                    continue
                }
                for member in groups[group] { groupOf[member] = index }
                groups[index] += groups[group]
                groups[group] = []
            }
        }
        let traces = groups.filter { $0.count > 1 }.map { $0.sorted() }
        return traces.sorted { $0[0] > $1[0] }.map { SignInTrace(exchanges: $0.map { exchanges[$0] }) }
    }

    /// One request of it, from the one who sends it to the one who answers it.
    struct Hop {
        let exchange: Exchange
        let from: String
        let to: String
    }

    var hops: [Hop] {
        exchanges.enumerated().map { index, exchange in
            // Who asks on behalf of the app has not answered yet.
            let asker = exchanges[..<index].last {
                ($0.end ?? .max) > exchange.beginning && exchange.entry.caller == .service
            }
            let isPage = exchange.request?.header("Accept")?.contains("text/html") ?? false
            return Hop(
                exchange: exchange, from: asker.map { Self.name(of: $0.entry.host) } ?? (isPage ? "Browser" : "App"),
                to: Self.name(of: exchange.entry.host))
        }
    }

    /// The participants in the order in which they appear.
    static func participants(in hops: [Hop]) -> [String] {
        hops.flatMap { [$0.from, $0.to] }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func name(of host: String) -> String {
        let names = [
            ("apple", "Apple"), ("identitytoolkit", "Firebase"), ("securetoken", "Firebase"),
            ("cloudfunctions", "Firebase"), ("firebaseapp", "Firebase"), ("google", "Google"), ("kakao", "Kakao"),
            ("naver", "Naver"), ("supabase", "Supabase"), (EmulatorConfiguration.Server.host, "Server"),
            (AppServer.host, "Server"),
        ]
        return names.first { host.contains($0.0) }?.1 ?? host
    }
}

extension Exchange {
    /// The values that it shares with the other requests of its sign-in.
    fileprivate var links: [String] {
        var found = FoundSecrets(names: FoundSecrets.namesOfLinks)
        if let request { found.read(request) }
        found.read(answerOf: self)
        return found.secrets.map { $0.value.reveal() } + notes.links
    }
}
