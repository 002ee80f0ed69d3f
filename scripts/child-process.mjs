// @ts-check
// Child processes that end with this process, even after `kill -9`.
import { spawn } from 'node:child_process'

// A shell runs the program. The shell reads a pipe that only this process holds open, and signals the program when the pipe closes. The exit code of the shell
// is the exit code of the program.
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
 * @param {'INT' | 'TERM'} signal the signal that ends the program
 * @param {string} program
 * @param {string[]} args
 * @param {Omit<import('node:child_process').SpawnOptions, 'stdio'> & { output: number | 'pipe' }} options
 * `output` receives stdout and stderr
 */
export function spawnGuarded(signal, program, args, { output, ...options }) {
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', signal, program, ...args], {
    ...options,
    stdio: ['pipe', output, output],
  })
  const lifeline = /** @type {import('node:net').Socket} */ (child.stdin)
  return { child, lifeline, end: () => lifeline.destroy() }
}
