export async function readText(response: Response, mostBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
