// Scripts of a single row, which has no message of its own that all went well before it comes: where it is long, or not the
// only one, they run again in full, with a statement whose one row is known to be the last of its work.
import type { MainStatement } from '../contract/transaction.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';

/** Texts that are known to give long rows, so that they run once only: the latest ones. */
const KNOWN: Set<string> = new Set();
const MAX_KNOWN = 64;

export function isSingle({ result }: MainStatement): boolean {
  return result === 'singleArray' || result === 'singleObject';
}

/** In full where that is known to be needed. */
export function inKnownForm(script: TransactionScript): TransactionScript {
  return KNOWN.size > 0 && KNOWN.has(script.main.text) ? inFull(script) : script;
}

/** In full, from now on. */
export function learnForm(script: TransactionScript): TransactionScript {
  const [oldest] = KNOWN;
  if (KNOWN.size === MAX_KNOWN && oldest !== undefined) KNOWN.delete(oldest);
  KNOWN.add(script.main.text);
  return inFull(script);
}

function inFull(script: TransactionScript): TransactionScript {
  const { main } = script;
  if (main.fullText === undefined) return script;
  return { ...script, main: { ...main, text: main.fullText, result: 'outcome', fullText: undefined } };
}
