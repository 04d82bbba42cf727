import AuthStreams
import Foundation

/// Compares redirect URIs with registered ones, and adds answers to them.
enum AuthorizationRedirect {
    /// Returns a redirect URI if it is registered. Otherwise the journal and the page say which ones are.
    ///
    /// It must be equal, character by character (RFC 9700 section 2.1). The one exception: a registered
    /// `http://127.0.0.1/PATH` without port allows any port (RFC 8252 section 7.3). The emulator's URL for a registered
    /// https URI is registered, too.
    ///
    /// - Parameter setting: The path of the list in the configuration; `nil` if the URIs are fixed.
    static func registered(
        _ uri: String?, in known: [String], of setting: String?, _ context: EmulatorContext
    ) -> String? {
        let isKnown = known.contains {
            $0 == uri || context.serves($0, at: uri ?? "") || isLoopback(uri ?? "", like: $0)
        }
        if let uri, isKnown { return uri }
        Mismatch.note("redirect_uri", uri, known, remedy: setting.map { .use([$0]) } ?? .fixedRedirectURI)
        return nil
    }

    /// Returns the path and query of a URI on 127.0.0.1 or ::1 over plain http, with any port; `nil` for every other
    /// URI.
    static func loopbackPath(_ uri: String) -> String? {
        for host in ["http://127.0.0.1", "http://[::1]"] where uri.hasPrefix(host) {
            var rest = uri.dropFirst(host.count)
            if rest.first == ":" {
                let port = rest.dropFirst().prefix(while: \.isASCIIDigit)
                guard (UInt16(port) ?? 0) > 0 else { return nil }
                rest = rest.dropFirst(1 + port.count)
            }
            guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?"), !rest.contains("#") else { return nil }
            return String(rest)
        }
        return nil
    }

    private static func isLoopback(_ uri: String, like registered: String) -> Bool {
        guard let path = loopbackPath(uri), let expected = loopbackPath(registered) else { return false }
        let namesPort = URLComponents(string: registered)?.port != nil
        return !namesPort && path == expected
    }

    /// Returns the URI with the parameters of an answer added to its query, or to its fragment. Those without value are
    /// left out.
    static func adding(
        _ parameters: [(name: String, value: String?)], to uri: String, separator: Character = "?"
    ) -> String {
        let present = parameters.compactMap { parameter in parameter.value.map { (name: parameter.name, value: $0) } }
        return uri + (uri.contains(separator) ? "&" : String(separator)) + FormCoding.encode(present)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
