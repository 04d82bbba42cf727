import LoopbackHTTP

/// The public keys of Secure Token, with which servers verify ID tokens.
struct FirebaseKeys: EmulatorService {
    let hosts = ["www.googleapis.com"]

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.endpoint == "GET /service_accounts/v1/jwk/\(FirebaseTokens.keyHost)" else { return nil }
        var response = LoopbackResponse.json(context.signer.keySet(host: FirebaseTokens.keyHost))
        response.headers = [("Content-Type", "application/json"), ("Cache-Control", "public, max-age=3600")]
        return response
    }
}
