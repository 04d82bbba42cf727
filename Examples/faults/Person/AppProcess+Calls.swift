import AuthStreams

extension AppProcess {
    /// Somebody signs in.
    func signIn(_ user: Int) {
        guard let service else { return }
        ask(.signIn(user)) { [self] call in
            for await result in service.signIn(with: .kakao, AuthRequest(loginHint: "\(user)")) {
                if case .success(let signedIn) = result { world.ledger.reported(signedIn, user, call, in: self) }
                call.resulted(result.story, in: self)
            }
        }
    }

    /// The person signs out.
    func signOut() {
        guard let service else { return }
        ask(.signOut) { [self] call in
            // It counts from where the library is told, and that is when this task begins to run.
            let signOut = world.ledger.signOutBegan(in: self)
            conduct.personSignsOut(world.ledger.mark())
            let result: Result<Void, AuthError>
            do throws(AuthError) { result = .success(try await service.signOut()) } catch { result = .failure(error) }
            conduct.signOutEnded()
            world.ledger.signOutEnded(signOut)
            call.resulted(result.story, in: self)
        }
    }

    /// Asks for something in a task of its own.
    func ask(_ kind: Call.Kind, _ body: @escaping @Sendable (Call) async -> Void) {
        let call = Call(kind, self)
        conduct.calls.append(call)
        world.note(self, "\(call.name) begins")
        call.task = start { [self] in
            await body(call)
            call.ended(in: self)
        }
    }
}

extension Ledger {
    fileprivate func reported(_ signedIn: AuthUser, _ user: Int, _ call: Call, in process: AppProcess) {
        if signedIn.id != "u\(user)" {
            world.broke(.tokensKeepToTheirUser, "\(call.name) ends with \(signedIn.id).")
        }
        if let family = process.conduct.answers[user] { reported(family) }
    }
}

extension Result where Failure == AuthError {
    var story: String {
        switch self {
        case .success: "success"
        case .failure(let error): error.code.rawValue
        }
    }
}
