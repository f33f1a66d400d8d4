// Keys of an identity provider (`beyond.md` §3.3), which verify tokens beside those of the configuration.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { Extension } from '../../serve/extension.ts';
import { discoveryUri } from './issuer-documents.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { type KeySource, loadIssuerKeys } from './load-issuer-keys.ts';

export const ISSUER: Extension = {
  name: 'issuer',
  start({ servesRequests, observe, onKeysReplaced }) {
    if (!servesRequests) return undefined;
    let source: KeySource | undefined;
    let keys: IssuerKeys | undefined;
    return {
      apply({ config }) {
        const configured = findKeySource(config);
        if (JSON.stringify(configured) === JSON.stringify(source)) return { keys };
        keys?.stop();
        source = configured;
        keys =
          configured &&
          new IssuerKeys({
            load: (stop) => loadIssuerKeys(configured, stop),
            onLoaded: (count) => {
              onKeysReplaced();
              observe({ kind: 'issuerKeysLoaded', count });
            },
            onFailed: (reason, seconds) => observe({ kind: 'issuerKeysFailed', reason, seconds }),
          });
        return { keys };
      },
      close: () => keys?.stop(),
    };
  },
};

/** An issuer is asked for its keys only if the configuration contains none. */
function findKeySource({ jwtSecret, jwtIssuer, jwtJwksUri }: AppConfig): KeySource | undefined {
  if (jwtJwksUri !== undefined) return { kind: 'keySet', uri: jwtJwksUri };
  const isDiscovered = jwtSecret === undefined && jwtIssuer !== undefined && discoveryUri(jwtIssuer) !== undefined;
  return isDiscovered ? { kind: 'discovery', issuer: jwtIssuer } : undefined;
}
