// @ts-check
// Child programs that end when this process ends, even after `kill -9`.
import { spawn } from 'node:child_process'

// The shell between this process and the program reads a pipe that only this process holds open. When this process
// ends, the pipe closes, and the shell sends the program its signal. The shell exits as the program did.
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
