import AuthStreamsTesting

extension EmulatorEndpoint {
    /// The callable function of the emulator's default project.
    static let socialLogin: Self = "asia-northeast3-authstreams-demo.cloudfunctions.net/socialLogin"
}
