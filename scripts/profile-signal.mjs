// @ts-check
// The first import of each process of the service. SIGUSR2 ends a Node.js process without a listener. An operator who
// requests a profile (`lib/server/profile.ts`) cannot know whether a process is still starting or draining.
process.on('SIGUSR2', () => undefined)
