// Renders a request for an HTTP file (`.http`), as many editors send it.
import { parseJson } from '../rows/json-value.ts';
import { absoluteUrl, type CopiedRequest, headersToState } from './copied-request.ts';

export function renderHttp(copied: CopiedRequest): string {
  const { method, body } = copied.request;
  const lines = [
    ...(copied.token.kind === 'variable' ? ['# Define the variable TOKEN in your environment.'] : []),
    ...(isAmbiguous(body) ? ['# Editors may replace parts of this body. If they do, use another format.'] : []),
    ...(endsRequest(body)
      ? ['# The body is left out: editors would run or send some of its lines. Use another format.']
      : []),
    `${method} ${absoluteUrl(copied).replaceAll('{{', '%7B%7B')}`,
    ...headersToState(copied).map(([name, value]) => `${name}: ${value}`),
    ...authorization(copied),
    ...(body === undefined || endsRequest(body) ? [] : ['', escapeVariables(body)]),
  ];
  return `${lines.join('\n')}\n`;
}

function authorization({ token }: CopiedRequest): readonly string[] {
  if (token.kind === 'none') return [];
  return [`Authorization: Bearer ${token.kind === 'variable' ? '{{TOKEN}}' : token.text}`];
}

/** Two braces begin a variable. */
function isAmbiguous(body = ''): boolean {
  return escapeVariables(body).includes('{{');
}

/**
 * `###` begins the next request, which may be to any server, `<` names a file to send or a script, and `>` a script or a
 * file to write. Nothing escapes them. No line of JSON begins so.
 */
function endsRequest(body = ''): boolean {
  return /^(?:###|<|>)/mu.test(body);
}

/** JSON contains two braces only within strings. */
function escapeVariables(body: string): string {
  return parseJson(body) === undefined ? body : body.replaceAll('{{', String.raw`{\u007b`);
}
