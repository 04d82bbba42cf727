// A file that imports Testing and CoreImage imports this module besides, which Linux's toolchain announces and lacks.
