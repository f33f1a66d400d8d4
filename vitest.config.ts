import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    globalSetup: ['test/support/global-setup.ts'],
    hookTimeout: 180_000,
    maxWorkers: 2,
    // A loaded machine takes its time; what is polled for ends the wait by itself.
    expect: { poll: { timeout: 30_000 } },
  },
});

export default config;
