// Recognizes the parameters that may contain page tokens: `after`, `before`, also below an embed (`beyond.md` §1.6).
import type { PageDirection } from './query-params.ts';

/** The quotes in `"after"` keep it from matching. */
export function findPageDirection(name: string): PageDirection | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return last === 'after' || last === 'before' ? last : undefined;
}
