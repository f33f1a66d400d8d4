// Renders a request as a shell command for curl or HTTPie.
import { absoluteUrl, type CopiedRequest, headersToState } from './copied-request.ts';
import { quoteShell } from './quoting.ts';

export function renderCurl(copied: CopiedRequest): string {
  const { method, body } = copied.request;
  const url = absoluteUrl(copied);
  // curl treats brackets in a URL as patterns.
  const globoff = /[[\]{}]/u.test(url) ? '-g ' : '';
  const verb = method === 'HEAD' ? '--head ' : method === 'GET' ? '' : `-X ${method} `;
  return joinLines([
    `curl ${globoff}${verb}${quoteShell(url)}`,
    ...headersToState(copied).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...authorization(copied, 'Authorization: ').map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteShell(body)}`]),
  ]);
}

export function renderHttpie(copied: CopiedRequest): string {
  const { method, body } = copied.request;
  return joinLines([
    `http ${method === 'GET' ? '' : `${method} `}${quoteShell(absoluteUrl(copied))}`,
    ...headersToState(copied).map(([name, value]) => quoteShell(`${name}:${value}`)),
    ...authorization(copied, 'Authorization:'),
    ...(body === undefined ? [] : [`--raw ${quoteShell(body)}`]),
  ]);
}

function authorization({ token }: CopiedRequest, name: string): readonly string[] {
  if (token.kind === 'none') return [];
  return [token.kind === 'variable' ? `"${name}Bearer $TOKEN"` : quoteShell(`${name}Bearer ${token.text}`)];
}

function joinLines(parts: readonly string[]): string {
  return parts.join(' \\\n  ');
}
