import type { NextConfig } from 'next'

const config: NextConfig = {
  // The repository checks types with `npm run check`. Remove this line in your own program.
  typescript: { ignoreBuildErrors: true },
}

export default config
