/// The services an emulator plays, in one place.
enum EmulatorServices {
    static func all(for configuration: EmulatorConfiguration) -> [any EmulatorService] {
        firebase(for: configuration)
    }
}
