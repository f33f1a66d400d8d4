// A secret → how much of it somebody would have to guess, in bits: a rough estimate from above, which falls for repetition,
// for runs of letters and digits, and for words.

/** What people put into secrets, and how many bits each such word is worth. */
const COMMON_WORDS =
  /secret|password|passphrase|passwort|change|please|default|example|character|admin|login|token|signing|secure|super|very|long|least|really|test|demo|local|develop|staging|production|qwerty|asdf|letme|welcome|dragon|monkey|jwt|key|api|this|that|must|your|for/gu;
const COMMON_WORD_BITS = 4;
/** A word of a list of eight thousand. */
const WORD_BITS = 13;
/** A phrase of words rather than random letters. */
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

/** A character that goes on with a run (`aaa`, `abc`, `321`), or ends a pair that has been there, is worth little. */
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

/** Of the alphabet from which the text seems to be taken. */
function countLetters(text: string): number {
  if (/^[\da-f]*$/iu.test(text)) return /[a-f]/iu.test(text) ? 16 : 10;
  const classes = [/\d/u, /[a-z]/u, /[A-Z]/u, /[^\dA-Za-z]/u];
  const sizes = [10, 26, 26, 16];
  return classes.reduce((sum, letters, index) => sum + (letters.test(text) ? (sizes[index] ?? 0) : 0), 0);
}
