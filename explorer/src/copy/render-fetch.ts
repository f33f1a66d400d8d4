// Renders a request as JavaScript that uses `fetch`.
import { absoluteUrl, acceptOf, type CopiedRequest, headersToState } from './copied-request.ts';
import { quoteJavaScript, renderKey } from './quoting.ts';

export function renderFetch(copied: CopiedRequest): string {
  const { method, body } = copied.request;
  const headers = renderHeaders(copied);
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers === undefined ? [] : [`headers: ${headers}`]),
    ...(body === undefined ? [] : [`body: ${quoteJavaScript(body)}`]),
  ];
  const more = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  const read = readerOf(acceptOf(copied) ?? 'application/json');
  return `const response = await fetch(${quoteJavaScript(absoluteUrl(copied))}${more});
const data = await response.${read}();
`;
}

/** Returns undefined if there are no headers. */
export function renderHeaders(copied: CopiedRequest, without: readonly string[] = []): string | undefined {
  const stated = headersToState(copied)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${renderKey(name)}: ${quoteJavaScript(value)}`);
  const { token } = copied;
  const bearer = token.kind === 'variable' ? '`Bearer ${TOKEN}`' : undefined;
  const own = token.kind === 'text' ? quoteJavaScript(`Bearer ${token.text}`) : bearer;
  const all = own === undefined ? stated : [...stated, `Authorization: ${own}`];
  return all.length === 0 ? undefined : `{ ${all.join(', ')} }`;
}

function readerOf(accept: string): 'json' | 'text' | 'blob' {
  if (/[/+]json\b/u.test(accept)) return 'json';
  return accept.startsWith('text/') ? 'text' : 'blob';
}
