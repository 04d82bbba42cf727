import AuthStreams
import AuthStreamsApple
import Foundation

/// What the home screen says, in SwiftUI and in UIKit.
struct HomeContent: Equatable {
    /// A provider of the app, and whether the user has an identity there.
    struct Identity: Equatable {
        let provider: ProviderID
        let title: String
        let isLinked: Bool
    }

    let title: String
    /// Address, freshness, and the provider that is asked.
    let lines: [String]
    let identities: [Identity]
    /// Whether a provider is asked, which the person may cancel.
    let asksProvider: Bool

    static let deletionTitle = "Delete your account?"
    static let deletionMessage = "Everything that PulseBoard has of you is deleted. This cannot be undone."

    @MainActor
    init(of user: AuthUser, _ model: AuthViewModel) {
        title = user.displayName ?? user.email ?? user.id
        lines = [user.email, Self.notice(of: model.state), Self.text(of: model.progress)].compactMap { $0 }
        identities = model.providers.map { provider in
            let isLinked = user.providers.contains { $0.id == provider }
            return Identity(
                provider: provider, title: (isLinked ? "Unlink " : "Link ") + Self.name(of: provider),
                isLinked: isLinked)
        }
        asksProvider = model.progress != nil
    }

    static func notice(of state: AuthState) -> String? {
        guard case .signedIn(_, let freshness) = state else { return nil }
        return switch freshness {
        case .verified: nil
        case .cached: "Checking your session …"
        case .offline(let since): "Offline since \(since.formatted(date: .omitted, time: .shortened))"
        }
    }

    private static func text(of progress: AuthProgress?) -> String? {
        guard let progress else { return nil }
        let name = name(of: progress.provider)
        return switch progress.step {
        case .presenting: "\(name) asks you …"
        case .waitingForOtherApp: "Continue in the app of \(name) …"
        case .exchanging, .establishingSession: "\(name) has answered …"
        case .waitingForAnswer: "One more step …"
        }
    }

    private static func name(of provider: ProviderID) -> String {
        AuthErrorTexts.english.providerNames[provider] ?? provider.rawValue
    }
}

extension HomeContent.Identity {
    /// Removes the identity, or adds one.
    @MainActor
    func toggle(_ model: AuthViewModel, _ request: AuthRequest = AuthRequest()) {
        if isLinked { model.unlink(provider) } else { model.link(with: provider, request) }
    }
}
