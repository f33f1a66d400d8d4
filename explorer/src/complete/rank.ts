// Selects the options that match the typed text, best first.
import type { CompletionOption } from './offer.ts';

/** Longer lists are of no use to a reader. */
const MAX_OPTIONS = 200;

/** Sorts by match quality; equal matches keep their order. */
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

/** Minimum length of text to match within words. */
const MIN_WITHIN = 3;

/** 0 if the label starts with the text, 1 if a word in it does, 2 if it contains it. */
function rankOf(label: string, sought: string): 0 | 1 | 2 | undefined {
  if (label.startsWith(sought)) return 0;
  if (WORD_STARTS.some((character) => label.includes(character + sought))) return 1;
  return sought.length >= MIN_WITHIN && label.includes(sought) ? 2 : undefined;
}

const WORD_STARTS = ['_', ' ', '-', '.'] as const;
