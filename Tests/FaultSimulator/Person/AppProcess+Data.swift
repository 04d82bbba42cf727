import AuthStreams

extension AppProcess {
    /// The app sends a request of its own for the user who is signed in.
    func data(_ kind: DataKind) {
        guard let service else { return }
        ask(.data(kind)) { [self] call in
            call.began(in: self)
            let request = AuthHTTPRequest(.get, kind.url(of: call.number))
            do throws(AuthError) {
                let response = try await service.data(for: request)
                call.hasSucceeded = response.isSuccess
                answered(response, to: call)
                call.resulted("\(response.status)", in: self)
            } catch {
                call.resulted(error.code.rawValue, in: self)
            }
        }
    }

    /// Looks at an answer: whether it is that of the user whose token was sent.
    private func answered(_ response: AuthHTTPResponse, to call: Call) {
        guard let user = call.sentAs else {
            return world.broke(.bearerStaysHome, "\(call.name) is answered, and no server was asked.")
        }
        let body = String(decoding: response.body, as: UTF8.self)
        // An answer that was cut off names no user.
        if body.last == ".", body != "u\(user)." {
            world.broke(.tokensKeepToTheirUser, "\(call.name) was sent as user \(user), and is answered for \(body).")
        }
    }
}
