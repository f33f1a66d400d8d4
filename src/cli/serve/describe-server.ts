// Facts about a listening server that the banners show.
import type { AppConfig } from '../../config/table/app-config.ts';

/** @param address an address the server listens on: `127.0.0.1:3000` */
export function renderUrl(address: string): string {
  return `http://${address.replace(/^(?:0\.0\.0\.0|\[::\]|127\.0\.0\.1)(?=:\d+$)/u, 'localhost')}`;
}

/** Returns whether browsers get the explorer; a function for the root path replaces it. */
export function hasExplorer({ serverExplorer, dbRootSpec }: AppConfig): boolean {
  return serverExplorer && dbRootSpec === undefined;
}

/** Returns whether the server verifies tokens with this key, not with one set by flags, file or environment. */
export function isKeyOf({ jwtSecret }: AppConfig, key: string | undefined): boolean {
  return jwtSecret !== undefined && key !== undefined && Buffer.from(key).equals(jwtSecret);
}
