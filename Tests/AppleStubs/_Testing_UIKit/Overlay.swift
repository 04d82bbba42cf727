// A file that imports Testing and UIKit imports this module besides, which Linux's toolchain announces and lacks.
