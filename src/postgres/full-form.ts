// Scripts of a single row: it comes before its statement is known to end well. Where it is too long to be kept until then, or
// not the only one, the script runs again in full, with a statement whose one row is the last of its work.
import type { MainStatement } from '../contract/transaction.ts';
import { type RecentLimits, RecentMap } from '../prepare/recent-map.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';

const LIMITS: RecentLimits<string> = { entries: 64, size: 262_144, sizeOf: (text) => text.length };
/** Texts that have had to run in full, and what ran, so that they run once only. */
const FULL_TEXTS: RecentMap<string, string> = new RecentMap(LIMITS);

/** In full where that is known to be needed. */
export function inKnownForm(script: TransactionScript): TransactionScript {
  const [{ main }] = script.segments;
  const fullText = main.delivery.kind === 'singleRow' ? FULL_TEXTS.get(main.text) : undefined;
  return fullText === undefined ? script : withFullText(script, fullText);
}

/** In full, from now on. */
export function inFullForm(script: TransactionScript): TransactionScript {
  const { text, fallbackText: fullText = text } = script.segments[0].main;
  FULL_TEXTS.set(text, fullText);
  return withFullText(script, fullText);
}

function withFullText(script: TransactionScript, text: string): TransactionScript {
  const [segment] = script.segments;
  const main: MainStatement = { ...segment.main, text, delivery: { kind: 'value', encoding: 'text' } };
  return { ...script, segments: [{ ...segment, main }] };
}
