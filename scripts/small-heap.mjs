// @ts-check
// V8 lets the heap of a busy process grow to a multiple of what is in use before it looks for what is not: here to three
// times, four with drawing threads. With a quarter more the rates are
// no lower (docs/benchmarks-profile.md).
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--heap-growing-percent=25')
