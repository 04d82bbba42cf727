public import AuthStreams
public import Foundation

extension AuthViewModel {
    /// Signs in with a provider.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``.
    ///   - kind: The kind of method of the provider; unless given, the provider's own choice.
    ///   - request: Where to present, and what to ask.
    public func signIn(
        with id: ProviderID, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) {
        signIn(with: SignInMethod(id, using: kind ?? request.methodKind), request)
    }

    /// Signs in with a method, such as one of ``methods``.
    public func signIn(with method: SignInMethod, _ request: AuthRequest = AuthRequest()) {
        perform(.signIn(method)) {
            $0.signIn(with: method, request)
        } onSuccess: {
            $0.signedIn($1)
        }
    }

    /// Signs in as a user without any identity.
    public func signInAnonymously() {
        perform(.signInAnonymously) {
            $0.signInAnonymously()
        } onSuccess: {
            $0.signedIn($1)
        }
    }

    /// Adds an identity to the user who is signed in.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``.
    ///   - kind: The kind of method of the provider; unless given, the provider's own choice.
    ///   - request: Where to present, and what to ask.
    public func link(
        with id: ProviderID, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) {
        let method = SignInMethod(id, using: kind ?? request.methodKind)
        perform(.link(method)) { $0.link(with: id, using: method.kind, request) }
    }

    /// Removes an identity from the user who is signed in.
    public func unlink(_ provider: ProviderID) {
        perform(.unlink(provider)) { $0.unlink(provider) }
    }

    /// Asks the person to prove their identity again.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``; unless given, the service's choice.
    ///   - kind: The kind of method of the provider; unless given, the provider's own choice.
    ///   - request: Where to present, and what to ask.
    public func reauthenticate(
        with id: ProviderID? = nil, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) {
        let kind = kind ?? request.methodKind
        perform(.reauthenticate(id.map { SignInMethod($0, using: kind) })) {
            $0.reauthenticate(with: id, using: kind, request)
        }
    }

    /// Reads the user again from the server.
    public func reload() {
        perform(.reload) { $0.reload() }
    }

    /// Changes the name and the picture of the user who is signed in.
    ///
    /// - Parameters:
    ///   - displayName: The change of the name; unchanged unless given.
    ///   - photoURL: The change of the picture; unchanged unless given.
    public func updateProfile(
        displayName: ProfileChanges.Change<String>? = nil, photoURL: ProfileChanges.Change<URL>? = nil
    ) {
        perform(.updateProfile(ProfileChanges(displayName: displayName, photoURL: photoURL))) {
            $0.updateProfile(displayName: displayName, photoURL: photoURL)
        }
    }

    /// Deletes the account of the user who is signed in: at the provider, at the server and here.
    ///
    /// Ask the person first whether they mean it. They are asked at the provider if the deletion needs it.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``; unless given, the service's choice.
    ///   - kind: The kind of method of the provider; unless given, the provider's own choice.
    ///   - request: Where to present, and what to ask.
    public func deleteAccount(
        with id: ProviderID? = nil, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) {
        let kind = kind ?? request.methodKind
        perform(.deleteAccount(id.map { SignInMethod($0, using: kind) })) {
            $0.deleteAccount(with: id, using: kind, request)
        }
    }

    /// Asks the person to pass the service's gate, such as for a button 'Unlock'.
    public func openGate() {
        perform(.openGate) { service in AuthStream { try await service.openGate() } }
    }

    /// Ends the session on this device, and a sign-in in flight.
    ///
    /// - Parameter everywhere: Whether to end the user's sessions on all other devices, too.
    public func signOut(everywhere: Bool = false) {
        perform(.signOut(everywhere: everywhere)) { service in
            AuthStream { try await service.signOut(everywhere: everywhere) }
        }
    }
}

/// A request of the person to an ``AuthViewModel``.
public enum AuthIntent: Hashable, Sendable {
    /// Sign in with a method.
    case signIn(SignInMethod)
    /// Sign in without an identity.
    case signInAnonymously
    /// Add an identity to the user who is signed in.
    case link(SignInMethod)
    /// Remove an identity from the user who is signed in.
    case unlink(ProviderID)
    /// Prove the identity again; with `nil`, at the provider that the service chooses.
    case reauthenticate(SignInMethod?)
    /// Read the user again from the server.
    case reload
    /// Change the name or the picture.
    case updateProfile(ProfileChanges)
    /// Delete the account; with `nil`, the provider that is asked is the service's choice.
    case deleteAccount(SignInMethod?)
    /// Pass the gate.
    case openGate
    /// Sign out, on all devices if the value is `true`.
    case signOut(everywhere: Bool)

    /// Whether the person is asked at a provider, so that the intent cannot outlive its screen.
    var asksThePerson: Bool {
        switch self {
        case .signIn, .link, .reauthenticate, .deleteAccount: true
        case .signInAnonymously, .unlink, .reload, .updateProfile, .openGate, .signOut: false
        }
    }

    /// What its errors name.
    var operation: AuthOperation {
        switch self {
        case .signIn, .signInAnonymously: .signIn
        case .link: .link
        case .unlink: .unlink
        case .reauthenticate: .reauthentication
        case .reload: .reload
        case .updateProfile: .profile
        case .deleteAccount: .deletion
        case .openGate: .unlock
        case .signOut(let everywhere): everywhere ? .signOutEverywhere : .signOut
        }
    }

    /// Whether the service ends what asks the person when this begins.
    var interruptsWhatAsks: Bool {
        switch self {
        case .signInAnonymously, .signOut: true
        default: asksThePerson
        }
    }
}
