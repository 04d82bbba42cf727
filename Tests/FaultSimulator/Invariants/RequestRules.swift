import AuthStreams
import Foundation

/// What must hold of requests that act for a user, when they are sent.
extension Ledger {
    /// A request leaves the app.
    func carries(_ request: AuthHTTPRequest) {
        guard request.headers[.authorization] != nil, request.url.host() != "server.test" else { return }
        world.broke(.bearerStaysHome, "an access token goes to \(request.url.host() ?? "nowhere").")
    }

    /// The server is asked to do something for whom an access token is of.
    func asked(_ request: ServerCall, by process: AppProcess) {
        switch request {
        case .account(let change, let token) where world.server.knows(token):
            let user = world.server.user(of: token.family)
            let isWanted = process.conduct.calls.contains {
                $0.isOpen && $0.kind.asks(for: change) && process.conduct.isMeant(user, by: $0)
            }
            if !isWanted {
                world.broke(
                    .nothingIsDoneToAnother,
                    "there was no call to \(change) of user \(user) in process \(process.id + 1).")
            }
            look(at: change, of: user, by: process)
        case .step(_, let token?) where world.server.knows(token):
            let user = world.server.user(of: token.family)
            let isWanted = process.conduct.calls.contains {
                $0.isOpen && $0.isChange && process.conduct.isMeant(user, by: $0)
            }
            if !isWanted {
                world.broke(
                    .nothingIsDoneToAnother,
                    "there was no call to change the account of user \(user) in process \(process.id + 1).")
            }
        case .data(_, let token, let number) where world.server.knows(token):
            sent(world.server.user(of: token.family), number, by: process)
        default: break
        }
    }

    private func look(at change: ServerCall.AccountRequest, of user: Int, by process: AppProcess) {
        guard let identities = process.weakService?.state.user.map(\.providers), process.conduct.state.number == user
        else {
            return
        }
        switch change {
        case .unlink(let provider) where identities.allSatisfy({ $0.id == provider }):
            world.broke(.lastWayInStays, "\(provider) is all that user \(user) has.")
        case .deleteAccount where world.plan.revokesAccess:
            // Who is asked at which provider was decided when it began.
            let isAskedThere = process.conduct.calls.contains {
                $0.isOpen && $0.kind == .deleteAccount && $0.isAllKakao
            }
            guard isAskedThere, !identities.isEmpty, identities.allSatisfy({ $0.id == .kakao }),
                !world.server.accounts[user].isAccessRevoked,
                world.server.accounts[user].exists
            else { return }
            world.broke(
                .deletionIsInOrder, "user \(user) is to be deleted, and the app may still use their Kakao account.")
        default: break
        }
    }

    /// A request of the app's own is sent as that user.
    private func sent(_ user: Int, _ number: Mark, by process: AppProcess) {
        guard let call = process.conduct.calls.last(where: { $0.number == number }) else { return }
        call.sends += 1
        if !process.conduct.isMeant(user, by: call) || call.sentAs ?? user != user {
            world.broke(
                .nothingIsDoneToAnother,
                "\(call.name) of user \(call.sentAs ?? call.user ?? -1) is sent with the token of user \(user).")
        }
        if call.kind == .data(.forbidden), call.sends > 1 {
            world.broke(.nothingIsDoneToAnother, "\(call.name) is sent again after a 403.")
        }
        if call.sends > 2 { world.broke(.nothingIsDoneToAnother, "\(call.name) is sent a third time.") }
        call.sentAs = user
    }
}

extension Call.Kind {
    /// Whether it has reason to ask the server for that.
    fileprivate func asks(for request: ServerCall.AccountRequest) -> Bool {
        switch (self, request) {
        case (.link(let identity), .link(let other)): identity == other
        case (.unlink(let provider), .unlink(let other)): provider == other
        case (.reauthenticate, .reauthenticate), (.deleteAccount, .reauthenticate): true
        case (.deleteAccount, .revokeAccess), (.deleteAccount, .deleteAccount): true
        case (.signOutEverywhere, .signOutEverywhere): true
        default: false
        }
    }
}
