// @ts-check
// The first step of `npm start` (with --port) and `npm test`. It needs only Node.js: no installed package may be
// imported, and old versions of Node.js must be able to run this file.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Billhook needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

async function prepare() {
  if (process.argv.includes('--port')) await lookAtPort()
  const { install } = await import('./install.mjs')
  await install()
}

/** Checks the port before minutes of installing. The start itself reports an invalid PORT. */
async function lookAtPort() {
  const { loadDotenv } = await import('./environment.mjs')
  const { refuseTakenPort } = await import('./port.mjs')
  loadDotenv()
  const port = process.env.PORT || '3000'
  if (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65535) await refuseTakenPort(Number(port))
}

import('./user-facing-error.mjs').then(({ command }) => command(prepare))
