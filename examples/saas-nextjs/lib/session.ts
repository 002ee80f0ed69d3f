/** In your program: the workspace of the user who is signed in. Check that the user may manage its subscription. */
export const currentWorkspace = async (): Promise<string> => 'ws_1'
