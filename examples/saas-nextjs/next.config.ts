import type { NextConfig } from 'next'

const config: NextConfig = {
  // `npm run check` of the repository checks the types. Remove this line in your own program.
  typescript: { ignoreBuildErrors: true },
}

export default config
