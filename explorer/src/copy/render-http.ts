// Renders a request for an HTTP file (`.http`), as many editors send it.
import { parseJson } from '../rows/json-value.ts';
import { absoluteUrl, type CopiedRequest, headersToState } from './copied-request.ts';

export function renderHttp(copied: CopiedRequest): string {
  const { method, body } = copied.request;
  const lines = [
    ...(copied.token.kind === 'variable' ? ['# Define the variable TOKEN in your environment.'] : []),
    ...(isAmbiguous(body) ? ['# Editors may replace parts of this body. If they do, use another format.'] : []),
    `${method} ${absoluteUrl(copied).replaceAll('{{', '%7B%7B')}`,
    ...headersToState(copied).map(([name, value]) => `${name}: ${value}`),
    ...authorization(copied),
    ...(body === undefined ? [] : ['', escapeVariables(body)]),
  ];
  return `${lines.join('\n')}\n`;
}

function authorization({ token }: CopiedRequest): readonly string[] {
  if (token.kind === 'none') return [];
  return [`Authorization: Bearer ${token.kind === 'variable' ? '{{TOKEN}}' : token.text}`];
}

/** Two braces begin a variable, `###` the next request, and `<` the name of a file to send. */
function isAmbiguous(body = ''): boolean {
  return /\{\{|^###|^<\s/mu.test(escapeVariables(body));
}

/** JSON contains two braces only within strings. */
function escapeVariables(body: string): string {
  return parseJson(body) === undefined ? body : body.replaceAll('{{', String.raw`{\u007b`);
}
