import AuthStreams
import Foundation

/// The names that a provider tells once, and where they are: on the disk until the server has them.
struct Profiles {
    private var told: [Identity: Ledger.Mark] = [:]
    /// When each was stored.
    private var stored: [Identity: Ledger.Mark] = [:]
    private var atServer: Set<Data> = []
    /// Those that were stored before an account was deleted, and were forgotten with it.
    private var forgotten: Set<Identity> = []

    /// What the provider tells of a person: their name, the first time.
    mutating func told(of identity: Identity, at mark: Ledger.Mark) -> Credential.Profile? {
        guard identity.provider == .kakao, told[identity] == nil else { return nil }
        told[identity] = mark
        return Credential.Profile(name: PersonName(givenName: Self.name(of: identity.person)))
    }

    /// A request has reached the server.
    mutating func reached(_ body: Data) {
        guard !told.isEmpty else { return }
        for identity in told.keys where body.names(identity) { atServer.insert(Self.bytes(identity)) }
    }

    /// A sign-in is sent: with the name, where the disk holds it; and where the provider just told it, it is on the disk.
    func sent(_ body: Data, for identity: Identity, by call: Call?, in process: AppProcess) {
        guard let call, let mark = told[identity], !process.conduct.hasEverFailed(.notes, since: call.begin)
        else {
            return
        }
        let isStored = process.world.disk.records[.notes]?.names(identity) ?? false
        let isTold = body.names(identity)
        if isStored, stored[identity] ?? .max < call.begin, !isTold {
            process.world.broke(.profileIsKept, "a sign-in with \(identity) is sent without their name.")
        }
        if mark > call.begin, isTold, !isStored, !forgotten.contains(identity), !atServer.contains(Self.bytes(identity))
        {
            process.world.broke(.profileIsKept, "the name of \(identity) is sent before it is stored.")
        }
    }

    /// The record of what is not at the server yet was written.
    mutating func keeps(_ data: Data?, over before: Data?, in world: World) {
        for identity in told.keys where data?.names(identity) == true && stored[identity] == nil {
            stored[identity] = world.ledger.mark()
        }
        for identity in told.keys where before?.names(identity) == true && data?.names(identity) != true {
            guard !atServer.contains(Self.bytes(identity)) else { continue }
            // A deletion forgets what is stored when it begins at the provider.
            if let mark = stored[identity], world.hasDeletions(since: mark) {
                forgotten.insert(identity)
                continue
            }
            world.broke(.profileIsKept, "the name of \(identity) is forgotten before the server has it.")
        }
    }

    fileprivate static func name(of person: Int) -> String { "Name\(person)" }

    fileprivate static func bytes(_ identity: Identity) -> Data { Data(name(of: identity.person).utf8) }
}

extension World {
    /// Whether a deletion of an account was under way, or has begun since.
    fileprivate func hasDeletions(since mark: Ledger.Mark) -> Bool {
        processes.contains { process in
            process.conduct.calls.contains { $0.kind == .deleteAccount && $0.end ?? .max > mark }
        }
    }
}

extension Data {
    fileprivate func names(_ identity: Identity) -> Bool { range(of: Profiles.bytes(identity)) != nil }
}
