#if os(Linux) && _pointerBitWidth(_64)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The slots of one module that hold addresses of imported functions (ELF-64 Object File Format, 'Dynamic table').
    struct Relocations: Sequence {
        /// A slot and the name of what it imports.
        struct Relocation {
            let name: String
            let address: UnsafeMutablePointer<UInt>
        }

        #if arch(x86_64)
            // R_X86_64_GLOB_DAT and R_X86_64_JUMP_SLOT.
            private static let slotTypes: Set<UInt64> = [6, 7]
        #elseif arch(arm64)
            // R_AARCH64_GLOB_DAT and R_AARCH64_JUMP_SLOT.
            private static let slotTypes: Set<UInt64> = [1025, 1026]
        #else
            private static let slotTypes: Set<UInt64> = []
        #endif

        private let base: UInt
        private var tables: [UnsafeBufferPointer<Elf64_Rela>] = []
        private var symbols: UnsafePointer<Elf64_Sym>?
        private var names: UnsafePointer<CChar>?

        init(of module: link_map) {
            base = UInt(module.l_addr)
            let entries = Self.entries(of: module)
            symbols = entries[DT_SYMTAB].flatMap { pointer($0) }
            names = entries[DT_STRTAB].flatMap { pointer($0) }
            for (table, size) in [(DT_JMPREL, DT_PLTRELSZ), (DT_RELA, DT_RELASZ)] {
                guard let start: UnsafePointer<Elf64_Rela> = entries[table].flatMap({ pointer($0) }),
                    let size = entries[size]
                else { continue }
                tables.append(
                    UnsafeBufferPointer(start: start, count: Int(size) / MemoryLayout<Elf64_Rela>.stride))
            }
        }

        func makeIterator() -> AnyIterator<Relocation> {
            guard let symbols, let names else { return AnyIterator { nil } }
            let slots = tables.lazy.joined().filter { Self.slotTypes.contains($0.r_info & 0xFFFF_FFFF) }
            return AnyIterator(
                slots.compactMap { entry in
                    let symbol = symbols[Int(entry.r_info >> 32)]
                    return UnsafeMutablePointer<UInt>(bitPattern: base + UInt(entry.r_offset)).map {
                        Relocation(name: String(cString: names + Int(symbol.st_name)), address: $0)
                    }
                }.makeIterator())
        }

        /// The dynamic table, by tag.
        private static func entries(of module: link_map) -> [Int32: UInt] {
            var entries: [Int32: UInt] = [:]
            var entry = module.l_ld
            while let tag = entry?.pointee.d_tag, tag != DT_NULL {
                if let tag = Int32(exactly: tag) { entries[tag] = entry.map { UInt($0.pointee.d_un.d_ptr) } }
                entry = entry?.successor()
            }
            return entries
        }

        // glibc has made the table's addresses absolute, except those of the module that the kernel supplies.
        private func pointer<Pointee>(_ address: UInt) -> UnsafePointer<Pointee>? {
            UnsafePointer(bitPattern: address < base ? base + address : address)
        }
    }
#endif
