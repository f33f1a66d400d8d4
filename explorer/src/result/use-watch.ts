// Which results can be watched, and whether the one that is shown is.
import { useEffect, useState } from 'preact/hooks';
import type { Exchange } from '../client/exchange.ts';
import { isChannelCall } from '../store/request-of-place.ts';
import type { Store } from '../store/store.ts';
import { parseTarget } from '../../../src/request/target.ts';
import type { Place } from '../url-state/place.ts';

export interface Watch {
  /** Identifies the watched request. */
  readonly id: string;
  readonly canWatch: boolean;
  /** Whether the rows could be watched if the server offered live rows. */
  readonly isOff: boolean;
  readonly isWatching: boolean;
  readonly isChannel: boolean;
  /** Whether the server sends many reads on one connection. */
  readonly isShared: boolean;
  /** Columns of the primary key. */
  readonly rowKey: readonly string[];
  readonly toggle: () => void;
}

/** A watch ends when the URL, the schema or the token changes. */
export function useWatch(store: Store, shown: Exchange | undefined): Watch {
  const place = store.place.value;
  const index = store.known.value;
  const url = place.kind === 'request' && hasRows(place) ? place.url : undefined;
  const id = JSON.stringify([url, place.schema, store.token.value]);
  const [watched, setWatched] = useState<string | undefined>(undefined);
  useEffect(() => setWatched(undefined), [id]);
  const isChannel = url !== undefined && isChannelCall(url, index);
  const isOffered = isChannel || index?.document.features.live === true;
  const isShown = url !== undefined && returnsRows(shown);
  const target = parseTarget(url?.split('?', 1)[0] ?? '');
  const relation = target.ok && target.value.kind === 'relation' ? index?.relations.get(target.value.name) : undefined;
  return {
    id,
    canWatch: isShown && isOffered,
    isOff: isShown && !isOffered && index !== undefined && relation !== undefined,
    isWatching: watched === id && url !== undefined,
    isChannel,
    isShared: index?.document.features.extensions?.includes('sync') === true,
    rowKey: relation?.key ?? [],
    toggle: () => setWatched(watched === id ? undefined : id),
  };
}

function hasRows(place: Extract<Place, { kind: 'request' }>): boolean {
  return place.view !== 'csv' && place.view !== 'plan';
}

function returnsRows(shown: Exchange | undefined): boolean {
  return shown?.kind === 'answered' && shown.response.status < 300 && /^\s*\[/u.test(shown.response.text);
}
