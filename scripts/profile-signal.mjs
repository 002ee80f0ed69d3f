// @ts-check
// Must be the first import of each process. Without a listener, SIGUSR2 would end a process that is still starting. The
// operator who requests a profile cannot know whether a process is starting.
process.on('SIGUSR2', () => undefined)
