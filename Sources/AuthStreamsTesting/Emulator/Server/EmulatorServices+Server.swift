import AuthStreams

extension EmulatorServices {
    /// The app's own server.
    static var server: [any EmulatorService] {
        let state = Lock(ServerState())
        return [EmulatedAPI(state: state), AppleNotificationEndpoint(state: state)]
    }
}
