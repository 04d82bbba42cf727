extension ServerRepository {
    /// Returns what the server answers with to the request for a passkey's options, as ``Preparation/passkeyAssertion`` says.
    func options(
        at endpoint: ServerContract.Endpoint?, _ name: String, _ body: [String: AuthJSON], in session: AuthSession?
    ) async throws(AuthError) -> AuthJSON {
        let exchange = try await channel.send(
            to: try ServerContract.endpoint(endpoint, name), of: .passkey, body: body,
            accessToken: session?.accessToken ?? Secret(""))
        try contract.requireSuccess(of: exchange, to: session == nil ? .preparation : .reload)
        return try contract.passkeyOptions(in: exchange)
    }

    /// Returns the passkeys of the user.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func passkeys(of session: AuthSession) async throws(AuthError) -> [Passkey] {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.passkeys, "passkeys")
            let exchange = try await channel.send(to: endpoint, accessToken: session.accessToken)
            try contract.requireSuccess(of: exchange, to: .reload)
            return try contract.passkeys(in: exchange)
        } catch {
            throw error.located(provider: session.provider)
        }
    }
}
