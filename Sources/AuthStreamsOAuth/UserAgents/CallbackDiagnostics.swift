import AuthStreams
import Foundation

/// What was noticed during an attempt, for the explanation of its end without an answer.
final class CallbackDiagnostics: Sendable {
    /// Why a callback at the redirect URI did not count.
    private enum Refusal: CaseIterable {
        case state
        case withoutState
        case withoutParameters
        case withoutCookie
        case method

        var explanation: String {
            switch self {
            case .state: "with a state that is not this attempt's, such as an answer to an earlier sign-in, or repeated"
            case .withoutState: "without a state"
            case .withoutParameters:
                """
                without parameters in the query; if the provider put them into the fragment, set response_mode=query or \
                allow the code flow in its console
                """
            case .withoutCookie:
                "from a browser that did not fetch the start page, or that keeps no cookies of the listener's address"
            case .method: "by another method than GET; if the provider posts its answers, set response_mode=query"
            }
        }
    }

    private struct State {
        var refusals: [Refusal: Int] = [:]
        var remarks: [String] = []
    }
    private let state = Lock(State())

    /// Records a callback that the page did not accept. A URL that is not at the redirect URI is no callback.
    func refused(_ url: URL, at redirectURI: URL) {
        guard RedirectURI.matches(url, redirectURI) else { return }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        add(items.isEmpty ? .withoutParameters : items.contains { $0.name == "state" } ? .state : .withoutState)
    }

    /// Records a callback with the attempt's state that the listener refused, because it was not from the bound browser.
    func refusedWithoutCookie() { add(.withoutCookie) }

    /// Records a request at the redirect URI by another method than GET.
    func refusedMethod() { add(.method) }

    private func add(_ refusal: Refusal) { state.withLock { $0.refusals[refusal, default: 0] += 1 } }

    /// Adds a sentence, such as how a browser's command ended.
    func remark(_ sentence: String) { state.withLock { $0.remarks.append(sentence) } }

    /// What was noticed, in sentences; empty if nothing was.
    var explanation: String {
        let state = state.withLock { $0 }
        let refusals = Refusal.allCases.compactMap { refusal in
            state.refusals[refusal].map { "Callbacks that were refused: \($0) \(refusal.explanation)." }
        }
        return (refusals + state.remarks).joined(separator: " ")
    }
}
