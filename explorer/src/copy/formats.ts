// The formats in which a request can be copied.
import type { OutgoingRequest } from '../client/exchange.ts';
import { absoluteUrl, type CopiedRequest } from './copied-request.ts';
import { renderFetch } from './render-fetch.ts';
import { renderHttp } from './render-http.ts';
import { renderPostgrestJs } from './render-postgrest-js.ts';
import { renderPython } from './render-python.ts';
import { renderCurl, renderHttpie } from './render-shell.ts';

export type FormatId = 'url' | 'curl' | 'fetch' | 'postgrest-js' | 'python' | 'httpie' | 'http';

export interface Format {
  readonly id: FormatId;
  readonly label: string;
  readonly render: (copied: CopiedRequest) => string;
}

const FORMATS: readonly Format[] = [
  { id: 'url', label: 'URL', render: absoluteUrl },
  { id: 'curl', label: 'curl', render: renderCurl },
  { id: 'fetch', label: 'fetch', render: renderFetch },
  { id: 'postgrest-js', label: 'postgrest-js', render: renderPostgrestJs },
  { id: 'python', label: 'Python', render: renderPython },
  { id: 'httpie', label: 'HTTPie', render: renderHttpie },
  { id: 'http', label: '.http', render: renderHttp },
];

/** A URL alone does not describe a write. */
export function formatsFor({ method }: Pick<OutgoingRequest, 'method'>): readonly Format[] {
  return method === 'GET' ? FORMATS : FORMATS.filter(({ id }) => id !== 'url');
}
