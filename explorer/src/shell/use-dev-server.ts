// Whether `rowhouse dev` serves the page, as far as is known while the schema is being loaded.
import { useRef } from 'preact/hooks';
import type { Store } from '../store/store.ts';

export function useDevServer(store: Store): boolean {
  const known = useRef(false);
  const { value: schema } = store.known;
  if (schema !== undefined) known.current = schema.document.features.console === true;
  return known.current;
}
