// @ts-check
// Import this module before a program (`--import file:///…/shift-clock.mjs?file=PATH`). The module moves the program's
// clock ahead by the milliseconds in the file, and reads the file again after a change. Monotonic time
// (`performance.now`) stays unchanged.
import { readFileSync } from 'node:fs'

const file = /** @type {string} */ (new URL(import.meta.url).searchParams.get('file'))
const lookEveryMs = 50
const RealDate = Date
const realNow = Date.now.bind(Date)
let aheadMs = 0

const now = () => realNow() + aheadMs
RealDate.now = now
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
})

setInterval(() => {
  aheadMs = Number(readFileSync(file, 'utf8'))
}, lookEveryMs).unref()
