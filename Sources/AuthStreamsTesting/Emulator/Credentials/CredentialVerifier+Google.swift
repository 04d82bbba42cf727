extension CredentialVerifier {
    /// Redeems the code that Google issued for the server, which may then call Google's APIs without the person.
    func redeem(serverAuthCode code: String) async throws(CredentialRefusal) {
        let server = context.configuration.google.web
        var form = [
            (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
            (name: "client_id", value: server.id),
        ]
        if let secret = server.secret { form.append(("client_secret", secret)) }
        let request = EmulatorRequest("POST", host: "oauth2.googleapis.com", path: "/token", form: form)
        guard try await answer(to: request).status == 200 else { throw .refused("Google refused the server's code.") }
    }
}
