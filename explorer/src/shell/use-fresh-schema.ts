// Reads the schema again when the user returns to the page, perhaps after changing it in another program.
import { useEffect } from 'preact/hooks';
import type { Store } from '../store/store.ts';

export function useFreshSchema(store: Store): void {
  useEffect(() => {
    const onReturn = (): void => {
      if (document.visibilityState === 'visible' && store.schema.peek().kind === 'ready') store.refresh();
    };
    addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [store]);
}
