// @ts-check
// Must be the first import of each process: without a listener, SIGUSR2 would end a process that is still starting. The
// operator who requests a profile with SIGUSR2 cannot know whether a process is starting.
process.on('SIGUSR2', () => undefined)
