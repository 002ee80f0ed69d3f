import type { NextConfig } from 'next'

const config: NextConfig = {
  // The build does not check types, because `npm run check` of this repository checks them. Remove this line in your
  // own program.
  typescript: { ignoreBuildErrors: true },
}

export default config
