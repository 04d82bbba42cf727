import AuthStreams
import Foundation

/// Proofs of a key for the requests to one issuer, and to the servers that take its tokens (RFC 9449).
///
/// Nonces are kept for each server, the newest of each: that of the last response that had one. So is how far the device's clock is
/// off, by the `Date` of its last response, because a server refuses a proof of another time (section 11.1).
final class DPoP: Sendable {
    let keys: DPoPKeys
    private let clock: AuthClock
    private struct Server {
        var nonce: String?
        /// Seconds from the device's clock to the server's.
        var offset: TimeInterval = 0
    }
    private let servers = Lock<[Origin: Server]>([:])
    /// Seconds up to which a difference counts as the time that the response was under way.
    private static let tolerance: TimeInterval = 10

    init(_ keys: DPoPKeys, clock: AuthClock) {
        self.keys = keys
        self.clock = clock
    }

    /// Sends a request with a proof, and once more if the server demands its nonce.
    ///
    /// A server that demands a nonce has done nothing with the request, so that also one that works once may be sent again
    /// (sections 8 and 9).
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - key: The key to prove.
    ///   - accessToken: The access token in the request; `nil` at the token endpoint.
    ///   - transport: Sends the request.
    ///   - check: Called before the request is sent once more. Its error ends the request.
    /// - Throws: `AuthError`; `invalidCredential` if the server demands a nonce again, or gives none; those of
    ///   ``DPoPKey/sign(_:)``, and the transport's error.
    func send(
        _ request: AuthHTTPRequest, proving key: DPoPKey, for accessToken: Secret? = nil,
        over transport: any AuthHTTPTransport, beforeRepeating check: () throws(AuthError) -> Void = {}
    ) async throws(AuthError) -> AuthHTTPResponse {
        let known = server(of: request.url).nonce
        let first = try await sendOnce(request, proving: key, for: accessToken, nonce: known, over: transport)
        guard first.demandsNonce else { return first }
        guard let nonce = first.nonce else { throw .nonceDemanded("but its response has no usable `DPoP-Nonce`.") }
        try check()
        // Not the newest one, which may be that of another request by now.
        let second = try await sendOnce(request, proving: key, for: accessToken, nonce: nonce, over: transport)
        if second.demandsNonce { throw .nonceDemanded("again, for a proof with its newest one.") }
        return second
    }

    private func sendOnce(
        _ request: AuthHTTPRequest, proving key: DPoPKey, for accessToken: Secret?, nonce: String?,
        over transport: any AuthHTTPTransport
    ) async throws(AuthError) -> AuthHTTPResponse {
        var request = request
        request.headers[.dpop] = try DPoPProof(
            method: request.method.rawValue, url: request.url,
            date: clock.date.addingTimeInterval(server(of: request.url).offset), nonce: nonce, accessToken: accessToken
        ).signed(by: key)
        let response = try await transport.send(request)
        note(response, from: request.url)
        return response
    }

    private func server(of url: URL) -> Server {
        Origin(url).flatMap { origin in servers.withLock { $0[origin] } } ?? Server()
    }

    /// Keeps the nonce of a response (section 8.2), and its date.
    func note(_ response: AuthHTTPResponse, from url: URL) {
        guard let origin = Origin(url) else { return }
        // A cache repeats the date of another time (RFC 9111 section 5.1).
        let offset = response.headers["age"] == nil ? response.date?.timeIntervalSince(clock.date) : nil
        servers.withLock { servers in
            if let nonce = response.nonce { servers[origin, default: Server()].nonce = nonce }
            if let offset { servers[origin, default: Server()].offset = abs(offset) > Self.tolerance ? offset : 0 }
        }
    }
}

/// A proof of a key for one request (RFC 9449 section 4.2).
struct DPoPProof {
    let method: String
    let url: URL
    let date: Date
    var nonce: String?
    /// The access token in the request; `nil` if there is none.
    var accessToken: Secret?
    /// Identifies the proof: 128 random bits.
    var id = RandomBytes.base64URL(count: 16)

    /// Returns the signed token.
    ///
    /// - Throws: Those of ``DPoPKey/sign(_:)``.
    func signed(by key: DPoPKey) throws(AuthError) -> String {
        let header: AuthJSON = ["typ": "dpop+jwt", "alg": "ES256", "jwk": .object(key.publicKey.jwk)]
        var claims: [String: AuthJSON] = [
            "jti": .string(id), "htm": .string(method), "htu": .string(Self.target(of: url)),
            "iat": .integer(Int64(date.timeIntervalSince1970)),
        ]
        claims["nonce"] = nonce.map(AuthJSON.string)
        claims["ath"] = accessToken.map { .string(Base64URL.encode(SHA256.hash($0.reveal().utf8))) }
        let parts = [try header.encoded(), try AuthJSON.object(claims).encoded()].map { Base64URL.encode($0) }
        let input = parts.joined(separator: ".")
        return "\(input).\(Base64URL.encode(try key.sign(Data(input.utf8))))"
    }

    /// Returns the claim `htu`: the URL without query and fragment. The path is that of the request, byte for byte, because servers
    /// differ in how far they normalize it (section 4.3); of the rest the form that each of them comes to.
    static func target(of url: URL) -> String {
        guard let parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), let host = parts.percentEncodedHost
        else { return url.absoluteString }
        let usualPort = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == usualPort ? nil : ":\($0)" } ?? ""
        let path = parts.percentEncodedPath
        return "\(scheme)://\(host.lowercased())\(port)\(path.isEmpty ? "/" : path)"
    }
}

extension AuthHTTPResponse {
    /// The nonce for the next proof (RFC 9449 section 8.1); `nil` if there is none, or it is not of the characters of one.
    fileprivate var nonce: String? {
        guard let nonce = headers["dpop-nonce"], (1...2_048).contains(nonce.utf8.count),
            nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            )
        else { return nil }
        return nonce
    }

    /// Whether the server did nothing because the proof did not have its nonce: in the form of a token endpoint (section 8), or of a
    /// resource (section 9).
    fileprivate var demandsNonce: Bool {
        switch status {
        case 400, 401:
            jsonObject?["error"] == "use_dpop_nonce"
                || status == 401
                    && authenticationChallenges.contains {
                        $0.scheme == "dpop" && $0.parameters["error"] == "use_dpop_nonce"
                    }
        default: false
        }
    }
}

extension AuthError {
    fileprivate static func nonceDemanded(_ problem: String) -> Self {
        AuthError(
            .invalidCredential,
            "The server demands a nonce in the proof of the key (`use_dpop_nonce`), \(problem) It did nothing. Try again.",
            serverCode: "use_dpop_nonce")
    }
}
