import AuthStreams

extension AppProcess {
    /// Asks for an access token.
    func token(force: Bool) {}

    /// Does something at the server with an access token.
    func use() {}
}
