import AuthStreams

/// A provider whose person takes their time, and may turn back. The request's hint says who they are.
struct SimulatedProvider: AuthProvider {
    let id: ProviderID
    private let process: AppProcess

    init(_ id: ProviderID, _ process: AppProcess) {
        self.id = id
        self.process = process
    }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream {
            let world = process.world
            request.onStep(.presenting)
            try await SimulatedClock(process).sleep(for: .milliseconds(world.chance.pick(0, 500, 3000)))
            guard !world.chance.oneIn(10) || world.isCalm else {
                throw AuthError(.accessDenied, "The person refuses.", provider: id)
            }
            let identity = Identity(request.loginHint.flatMap(Int.init) ?? 0, at: id)
            var credential = Credential(
                provider: id, idToken: identity.idToken, userID: "\(identity.person)", isBound: true)
            credential.profile = world.profiles.told(of: identity, at: world.ledger.mark())
            return credential
        }
    }
}
