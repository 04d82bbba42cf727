// What a power cut leaves: of what was not flushed anything, or nothing, separately for each name and each file.

import TestSupport

extension SimulatedDisk {
    /// The disks that a power cut may leave, each once; drawn where there are more than the limit.
    func afterPowerCut(atMost limit: Int, _ generator: inout SeededGenerator) -> [SimulatedDisk] {
        let choices = self.choices
        let count = choices.reduce(1) { min($0 * $1.options.count, 1 << 30) }
        guard count > limit else { return (0..<count).map { afterPowerCut(choices, number: $0) } }
        return (0..<limit).map { _ in afterPowerCut(choices, number: .random(in: 0..<count, using: &generator)) }
    }

    /// What the disk may hold after a power cut, under any name.
    var bytesAfterPowerCut: Set<[UInt8]> {
        var kept: Set<Int> = []
        for folder in nodes.values {
            kept.formUnion(folder.names.values)
            for options in folder.unflushed.values { kept.formUnion(options.compactMap(\.self)) }
        }
        return Set(kept.compactMap { nodes[$0]?.bytes }).subtracting([[]])
    }

    /// Something that a power cut decides.
    private struct Choice {
        enum Option {
            case name(String, Int?)
            case bytes([UInt8])
        }
        let node: Int
        let options: [Option]
    }

    private var choices: [Choice] {
        nodes.sorted { $0.key < $1.key }.flatMap { number, node -> [Choice] in
            if !node.isFolder, !node.isFlushed, !node.bytes.isEmpty {
                // All of it, nothing, the beginning, or what stood there before.
                let torn = Array(node.bytes.dropLast(node.bytes.count / 2))
                let garbage = node.bytes.map { $0 ^ 0x5a }
                return [Choice(node: number, options: [.bytes(node.bytes), .bytes([]), .bytes(torn), .bytes(garbage)])]
            }
            return node.unflushed.sorted { $0.key < $1.key }.map { name, options in
                Choice(node: number, options: options.sorted { $0 ?? -1 < $1 ?? -1 }.map { .name(name, $0) })
            }
        }
    }

    private func afterPowerCut(_ choices: [Choice], number: Int) -> SimulatedDisk {
        var (disk, number) = (self, number)
        for choice in choices {
            switch choice.options[number % choice.options.count] {
            case .name(let name, let node): disk.set(Place(folder: choice.node, name: name), to: node)
            case .bytes(let bytes): disk.replaceBytes(of: choice.node, with: bytes)
            }
            number /= choice.options.count
        }
        for (number, node) in nodes {
            guard let before = node.namesBeforeOrder, !disk.names(of: number).isSubset(of: before) else { continue }
            disk.replaceBytes(of: number, with: node.bytes)
        }
        for number in disk.nodes.keys { disk.flush(number) }
        disk.forgetAll(but: [])
        return disk
    }
}
