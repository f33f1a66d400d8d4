// Renders the `Warning` header of successful responses. It may quote text from the client; characters that are invalid
// in a header or would end the quotation are percent-encoded (`reading.md` §3.6, §12.5).
import type { HeaderList } from '../contract/http.ts';
import type { Product } from '../contract/product.ts';
import type { RowsPlan } from '../plan/actions/action-plan.ts';
import type { LegacyName } from '../plan/levels/select-tree.ts';
import type { IgnoredText } from '../request/query/query-params.ts';

export function warningHeader({ legacyNames, ignoredText }: RowsPlan, product: Product): HeaderList {
  if (legacyNames.length === 0 && ignoredText.length === 0) return [];
  const sentences = [
    ...(legacyNames.length === 0 ? [] : [renderLegacyWarning(legacyNames)]),
    ...(ignoredText.length === 0 ? [] : [renderIgnoredText(ignoredText)]),
  ];
  const agent = `${product.token}v${product.version}`;
  return [
    [
      'Warning',
      sentences.map((text) => `299 ${agent} "${cut(text).replaceAll(UNQUOTABLE, encodeURIComponent)}"`).join(', '),
    ],
  ];
}

/** In characters. Clients reject headers of 16 kB. */
const MAX_SENTENCE_LENGTH = 1000;

function cut(sentence: string): string {
  return sentence.length <= MAX_SENTENCE_LENGTH ? sentence : `${sentence.slice(0, MAX_SENTENCE_LENGTH)}...`;
}

const UNQUOTABLE = /["\\\p{Cc}]/gu;
/** Any others are only counted. */
const MAX_NAMED = 3;
/** Maximum characters of a quoted text from the client. */
const MAX_QUOTE_LENGTH = 97;
const UNSHOWN = /[^\x20-\x7e]|["\\`%]/u;

function renderIgnoredText(ignored: readonly IgnoredText[]): string {
  const named = ignored.slice(0, MAX_NAMED).map(({ parameter, text }) => `${quote(text)} in ${quote(parameter)}`);
  const further = ignored.length > MAX_NAMED ? ` and ${ignored.length - MAX_NAMED} more` : '';
  return `Trailing text in the query string was ignored: ${named.join(', ')}${further}.`;
}

function quote(text: string): string {
  let shown = '';
  for (const character of text) {
    const piece = UNSHOWN.test(character) ? encodeURIComponent(character) : character;
    if (shown.length + piece.length > MAX_QUOTE_LENGTH) return `\`${shown}...\``;
    shown += piece;
  }
  return `\`${shown}\``;
}

/** Returns the warning about aliased embeds that were addressed by their target name (`reading.md` §12.5). */
export function renderLegacyWarning(names: readonly LegacyName[]): string {
  return (
    'Embedded resource was referenced by relation name even though it has an alias. ' +
    'This is deprecated and will stop working in a future release. ' +
    `Update ${renderRenames(names)} in query string filters, orders or limits.`
  );
}

export function renderRenames(names: readonly LegacyName[]): string {
  return names.map(({ target, alias }) => `\`${target}\` to \`${alias}\``).join(', ');
}
