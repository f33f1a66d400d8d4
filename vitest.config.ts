import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    globalSetup: ['test/support/global-setup.ts'],
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});

export default config;
