// Hook that returns whether a media query matches, for differences beyond styling.
import { useEffect, useState } from 'preact/hooks';

export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const read = (): void => setHolds(list.matches);
    read();
    list.addEventListener('change', read);
    return () => list.removeEventListener('change', read);
  }, [query]);
  return holds;
}
