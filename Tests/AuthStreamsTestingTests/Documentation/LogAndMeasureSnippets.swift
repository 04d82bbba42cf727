import AuthStreams
import Foundation

// What the article 'Log and measure' shows is between the marks.

private func sinks(
    _ api: URL, _ providers: [AuthProviderFactory], _ platform: AuthPlatform, _ metrics: Notes<AuthEvent>
) -> AuthService {
    // LogAndMeasure: sinks
    let auth = AuthService(
        .server(api), providers: providers, platform: platform,
        sinks: [.log(subsystem: "com.example.app"), .metrics { event in metrics.add(event) }])
    // LogAndMeasure end
    return auth
}

private func funnel(count: @escaping @Sendable (String, ProviderID?) -> Void) -> AuthEventSink {
    // LogAndMeasure: funnel
    let funnel = AuthEventSink.metrics { event in
        switch event.kind {
        case .signInStarted: count("sign_in.started", event.provider)
        case .signInSucceeded: count("sign_in.succeeded", event.provider)
        case .signInFailed: count("sign_in.failed.\(event.failure?.code.rawValue ?? "")", event.provider)
        default: break  // New kinds may come.
        }
    }
    // LogAndMeasure end
    return funnel
}

private func errors(_ auth: AuthService, report: (String) -> Void) async {
    // LogAndMeasure: errors
    for await event in auth.events where event.level == .error { report(event.description) }
    // LogAndMeasure end
}
