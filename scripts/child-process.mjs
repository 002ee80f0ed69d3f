// @ts-check
// Programs that end when we do, however we end: `kill -9` included.
import { spawn } from 'node:child_process'

// The shell between us and the program reads a pipe that only we hold open. When we end, the pipe does too, and the
// program gets its signal. The shell ends as the program did.
const GUARD = `
signal=$1
shift
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
(while read -r _ <&3; do :; done; kill -s "$signal" $program) 2>/dev/null &
watch=$!
exec 3<&-
wait $program
status=$?
kill $watch 2>/dev/null
exit $status`

/**
 * @param {'INT' | 'TERM'} signal what ends the program
 * @param {string} program
 * @param {string[]} args
 * @param {Omit<import('node:child_process').SpawnOptions, 'stdio'> & { output: number | 'pipe' }} options where stdout and
 *   stderr go
 */
export function spawnGuarded(signal, program, args, { output, ...options }) {
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', signal, program, ...args], {
    ...options,
    stdio: ['pipe', output, output],
  })
  const lifeline = /** @type {import('node:net').Socket} */ (child.stdin)
  return { child, lifeline, end: () => lifeline.destroy() }
}
