// @ts-check
// V8 lets the heap of a busy process grow to a multiple of what is in use before it looks for what is not: here to three
// times, four with drawing threads. With a quarter more the rates are
// no lower (docs/benchmarks-profile.md).
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--heap-growing-percent=25')
// V8 learns where objects come from that live long, and makes these among the old ones. What lives as long as a request
// looks like them while many run at once, and then fills the old part of the heap: half as much again for a list of orders.
setFlagsFromString('--no-allocation-site-pretenuring')
