// @ts-check
// The first step of `npm start` (with --port) and `npm test`. It needs nothing but Node: no import may need an
// installed package, and this file may use nothing that an old Node lacks.
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

/** Checks the port before minutes of installing. An invalid PORT is reported by the start itself. */
async function lookAtPort() {
  const { loadDotenv } = await import('./environment.mjs')
  const { refuseTakenPort } = await import('./port.mjs')
  loadDotenv()
  const port = process.env.PORT || '3000'
  if (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65535) await refuseTakenPort(Number(port))
}

import('./user-facing-error.mjs').then(({ command }) => command(prepare))
