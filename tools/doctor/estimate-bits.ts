// Estimates the entropy of a secret in bits: a rough upper bound, reduced by repetition, sequences and words.

/** Words that are common in secrets, and the bits that each is worth. */
const COMMON_WORDS =
  /secret|password|passphrase|passwort|change|please|default|example|character|admin|login|token|signing|secure|super|very|long|least|really|test|demo|local|develop|staging|production|qwerty|asdf|letme|welcome|dragon|monkey|jwt|key|api|this|that|must|your|for/gu;
const COMMON_WORD_BITS = 4;
/** Entropy of a word from a list of 8,000. */
const WORD_BITS = 13;
/** Matches a phrase of words, as opposed to random letters. */
const PHRASE = /^[A-Z]?[a-z]+(?:[\s_.,:-]+(?:[A-Z]?[a-z]+|\d+)){2,}[!.?]*$/u;

export function estimateBits(secret: string): number {
  let common = 0;
  const rest = secret.toLowerCase().replaceAll(COMMON_WORDS, () => {
    common += 1;
    return ' ';
  });
  const bits = PHRASE.test(secret) ? countWords(rest) * WORD_BITS : estimateCharacters(rest, countLetters(secret));
  return bits + common * COMMON_WORD_BITS;
}

function countWords(text: string): number {
  return text.split(/[\s_.,:-]+/u).filter((word) => word.length > 2).length;
}

/** A character that continues a sequence (`aaa`, `abc`, `321`) or completes a repeated pair adds little. */
function estimateCharacters(text: string, letters: number): number {
  const seen = new Set<string>();
  let bits = 0;
  let lastStep = 0;
  for (let index = 0; index < text.length; index += 1) {
    const pair = text.slice(Math.max(0, index - 1), index + 1);
    const step = text.charCodeAt(index) - text.charCodeAt(index - 1);
    const isRun = step === lastStep && Math.abs(step) <= 1;
    bits += isRun || seen.has(pair) ? 0.5 : Math.log2(letters);
    lastStep = step;
    seen.add(pair);
  }
  return bits;
}

/** Returns the size of the alphabet that the text seems to be drawn from. */
function countLetters(text: string): number {
  if (/^[\da-f]*$/iu.test(text)) return /[a-f]/iu.test(text) ? 16 : 10;
  const classes = [/\d/u, /[a-z]/u, /[A-Z]/u, /[^\dA-Za-z]/u];
  const sizes = [10, 26, 26, 16];
  return classes.reduce((sum, letters, index) => sum + (letters.test(text) ? (sizes[index] ?? 0) : 0), 0);
}
