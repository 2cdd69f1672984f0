import { setFlagsFromString } from 'node:v8'

// Decoded spans live for milliseconds. Under load, V8 takes them for objects that stay, and creates
// them where it collects rarely. Then it also keeps, and moves, everything to which they refer.
setFlagsFromString('--no-allocation-site-pretenuring')
