// @ts-check
// Runs `npm test` on another major version of Node.js, with the arguments of this script.
import path from 'node:path'
import { root } from './environment.mjs'
import { findNode, readArguments } from './other-node.mjs'
import { endPrograms, run, show } from './progress.mjs'
import { command } from './user-facing-error.mjs'

async function main() {
  const { major, rest } = readArguments(process.argv.slice(2))
  const node = await findNode(major)
  const version = await run(node, node, ['--version'])
  console.log(`Node.js ${version.trim()}`)
  // Programs of packages begin with `#!/usr/bin/env node`, so the PATH selects their Node.js.
  const PATH = [path.dirname(node), process.env.PATH].join(path.delimiter)
  process.exitCode = await show(node, [path.join(root, 'scripts/test.mjs'), ...rest], { PATH })
}

process.on('exit', endPrograms)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

command(main)
