// @ts-check
// V8 lets the heap of a busy process grow to a multiple of what is in use before it looks for what is not: here to three
// times, four with drawing threads. A quarter more costs no measurable time (`npm run bench -- --memory 10`).
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--heap-growing-percent=25')
