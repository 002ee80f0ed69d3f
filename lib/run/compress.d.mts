export function compressBelow(folder: string): Promise<void>
