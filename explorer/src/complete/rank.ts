// Options that fit what is typed, the best first.
import type { CompletionOption } from './offer.ts';

/** More are not looked through. */
const MAX_OPTIONS = 200;

/** By how they fit; those that fit alike stay in their order. */
export function rankOptions(options: readonly CompletionOption[], typed: string): readonly CompletionOption[] {
  if (typed === '') return options.slice(0, MAX_OPTIONS);
  const sought = typed.toLowerCase();
  const classes: [CompletionOption[], CompletionOption[], CompletionOption[]] = [[], [], []];
  for (const option of options) {
    const rank = rankOf(option.label.toLowerCase(), sought);
    if (rank !== undefined) classes[rank].push(option);
  }
  return classes.flat().slice(0, MAX_OPTIONS);
}

/** So many characters are sought within words too. */
const MIN_WITHIN = 3;

/** 0: begins with it, 1: a word in it does, 2: contains it. */
function rankOf(label: string, sought: string): 0 | 1 | 2 | undefined {
  if (label.startsWith(sought)) return 0;
  if (WORD_STARTS.some((character) => label.includes(character + sought))) return 1;
  return sought.length >= MIN_WITHIN && label.includes(sought) ? 2 : undefined;
}

const WORD_STARTS = ['_', ' ', '-', '.'] as const;
