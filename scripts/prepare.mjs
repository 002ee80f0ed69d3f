// @ts-check
// Runs before `npm start` and `npm test`. It must run on old Node.js versions and without installed packages.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Billhook needs Node.js 20.19 or newer. The version is ${process.versions.node}.`)
  process.exit(1)
}

async function prepare() {
  if (process.argv.includes('--port')) await lookAtPort()
  const { install } = await import('./install.mjs')
  await install()
}

/**
 * Checks the port first, because an installation can take minutes. Ignores an invalid PORT or LISTEN_ADDRESS, because
 * `start.mjs` reports these.
 */
async function lookAtPort() {
  const { loadDotenv } = await import('./environment.mjs')
  const { refuseTakenPort } = await import('./port.mjs')
  loadDotenv()
  const port = process.env.PORT || '3000'
  const address = process.env.LISTEN_ADDRESS || null
  const isAddress = address === null || (await import('node:net')).isIP(address) !== 0
  if (isAddress && /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65535) await refuseTakenPort(Number(port), address)
}

import('./user-facing-error.mjs').then(({ command }) => command(prepare))
