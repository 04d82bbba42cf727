import AuthStreams
import LoopbackHTTP

/// The state of an emulator: its configuration, its services, and what they issued.
///
/// A reset replaces it. A change of the configuration makes another one that shares everything else, so that each request sees one
/// configuration from its start to its end.
final class EmulatorWorld: Sendable {
    let configuration: EmulatorConfiguration
    let authorities: EmulatorAuthorities
    let grants: GrantStore
    /// The services by host. Some hosts, such as `www.googleapis.com`, are shared.
    let services: [String: [any EmulatorService]]

    init(_ configuration: EmulatorConfiguration, port: UInt16) {
        self.configuration = configuration
        authorities = EmulatorAuthorities(port: port, configuration)
        grants = GrantStore(clock: configuration.clock)
        let services = EmulatorServices.all(for: configuration).flatMap { service in
            service.hosts.map { ($0, [service]) }
        }
        self.services = Dictionary(services, uniquingKeysWith: +)
    }

    /// Another configuration for the same services and what they have issued.
    init(_ configuration: EmulatorConfiguration, port: UInt16, keeping world: EmulatorWorld) {
        self.configuration = configuration
        authorities = EmulatorAuthorities(port: port, configuration)
        (grants, services) = (world.grants, world.services)
    }

    /// The service of a type, which every emulator has.
    func service<Service: EmulatorService>(_ type: Service.Type = Service.self) -> Service? {
        services.values.lazy.joined().lazy.compactMap { $0 as? Service }.first
    }
}
