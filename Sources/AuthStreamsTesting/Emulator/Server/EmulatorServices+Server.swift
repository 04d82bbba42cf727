import AuthStreams

extension EmulatorServices {
    /// The app's own server.
    static var server: [any EmulatorService] { [EmulatedAPI(state: Lock(ServerState()))] }
}
