#if os(Linux) && _pointerBitWidth(_64)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Where the modules of this process keep the addresses of the functions that they import.
    ///
    /// A module calls `malloc` through a slot that the dynamic linker fills in (ELF, 'Relocation'; System V ABI,
    /// 'Procedure Linkage Table'). Pointing the slots elsewhere for a while shows every call of every module, the Swift
    /// runtime included, and costs nothing at any other time.
    struct ImportSlots {
        /// A slot, with what was in it.
        private struct Slot {
            let address: UnsafeMutablePointer<UInt>
            let function: UInt
        }

        private let slots: [(name: String, slot: Slot)]

        /// Finds the slots of functions of those names, in all modules loaded now.
        init(of names: Set<String>) {
            var found: [(name: String, slot: Slot)] = []
            // The handle of the program is the head of the list of modules, on every C library of Linux.
            var module = dlopen(nil, RTLD_LAZY)?.assumingMemoryBound(to: link_map.self)
            while let loaded = module?.pointee {
                for relocation in Relocations(of: loaded) where names.contains(relocation.name) {
                    let address = relocation.address
                    found.append((relocation.name, Slot(address: address, function: address.pointee)))
                }
                module = loaded.l_next
            }
            slots = found
        }

        var count: Int { slots.count }

        /// Points the slots to other functions of the same names.
        func redirect(to functions: [String: UnsafeRawPointer]) {
            for (name, slot) in slots {
                guard let function = functions[name] else { continue }
                Self.write(UInt(bitPattern: function), into: slot.address)
            }
        }

        /// Puts back what was there.
        func restore() {
            for (_, slot) in slots { Self.write(slot.function, into: slot.address) }
        }

        private static func write(_ function: UInt, into address: UnsafeMutablePointer<UInt>) {
            // Modules may have asked for their slots to be read-only once they are filled in.
            let pageSize = UInt(sysconf(Int32(_SC_PAGESIZE)))
            let page = UInt(bitPattern: address) & ~(pageSize - 1)
            guard mprotect(UnsafeMutableRawPointer(bitPattern: page), Int(pageSize), PROT_READ | PROT_WRITE) == 0 else {
                return
            }
            address.pointee = function
        }
    }
#endif
