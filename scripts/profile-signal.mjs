// @ts-check
// The first import of each process of the service. Node ends at SIGUSR2 as long as nobody listens, and who asks for a
// profile (`lib/server/profile.ts`) does not know whether the process still starts, drains, or runs others.
process.on('SIGUSR2', () => undefined)
