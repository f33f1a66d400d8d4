// Renders collected requests as one batch, and reads its response.
import type { OutgoingRequest } from '../client/exchange.ts';
import { type JsonValue, parseJson } from '../rows/json-value.ts';

/** @param vendor `mediaVendor` of the schema document */
export function batchRequest(vendor: string, requests: readonly OutgoingRequest[]): OutgoingRequest {
  return {
    method: 'POST',
    url: '/',
    headers: [['Content-Type', `application/vnd.${vendor}.batch+json`]],
    body: `[\n${requests.map((request) => `  ${renderOne(request)}`).join(',\n')}\n]`,
  };
}

/** Keeps the text of a JSON body, whose numbers may have more digits than JavaScript's. */
function renderOne({ method, url, headers, body }: OutgoingRequest): string {
  const isJson = headers.some(([name, value]) => name === 'Content-Type' && value === 'application/json');
  const members = [
    `"method": ${JSON.stringify(method)}`,
    `"path": ${JSON.stringify(url)}`,
    `"headers": ${JSON.stringify(Object.fromEntries(headers))}`,
    ...(body === undefined ? [] : [`"body": ${isJson ? body : JSON.stringify(body)}`]),
  ];
  return `{${members.join(', ')}}`;
}

export interface BatchAnswer {
  readonly status: string;
  /** Undefined if the response has no body. */
  readonly body: JsonValue | undefined;
}

/** @returns one item per request, or nothing for another text */
export function readAnswers(text: string): readonly BatchAnswer[] {
  const value = parseJson(text);
  if (value?.kind !== 'array') return [];
  return value.items.map((item) => {
    const members = new Map(item.kind === 'object' ? item.entries : []);
    const status = members.get('status');
    const body = members.get('body');
    return {
      status: status?.kind === 'number' ? status.text : '',
      body: body?.kind === 'null' ? undefined : body,
    };
  });
}
