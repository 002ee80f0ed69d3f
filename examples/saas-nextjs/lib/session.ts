/** In your program, return a workspace whose subscription the signed-in user may manage. */
export const currentWorkspace = async (): Promise<string> => 'ws_1'
